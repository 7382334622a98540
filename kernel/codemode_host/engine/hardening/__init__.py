"""What a worker process gives up before it runs a cell."""

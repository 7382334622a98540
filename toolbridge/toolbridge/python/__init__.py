"""Python functions as tools: schemas from hints and docstrings, threads, progress and cancelling."""

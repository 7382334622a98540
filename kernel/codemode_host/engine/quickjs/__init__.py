"""The engine on QuickJS: a worker program, on its side of the frames."""

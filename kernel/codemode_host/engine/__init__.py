"""Engines run cells in worker processes that speak the frames of `frames.py`."""

"""Notebook cells: what one says, how it is run, and what is kept up to date under it."""

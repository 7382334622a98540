"""Jupyter's messages: who sent them, how they are read, and the small answers."""

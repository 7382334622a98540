"""The Jupyter side of Code Mode: messages to sessions, content items to notebook outputs."""

__version__ = "0.1.0"

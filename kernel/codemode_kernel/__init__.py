"""The Jupyter side of Code Mode: messages to sessions, content items to notebook outputs."""

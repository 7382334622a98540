"""Python functions as tools: their schemas, from hints and docstrings, and their threads."""

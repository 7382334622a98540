"""Which MCP servers a session has: files and options that name them, and what the person agreed to.

`files` reads what lies beside the notebook and among the person's own settings, `servers` keeps the
toolbox in step with it, `consent` asks, `table` shows.
"""

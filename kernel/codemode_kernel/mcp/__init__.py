"""Which MCP servers a session has: files and options that name them, and what the person agreed to.

`room` is all that a kernel without servers has of it. `files` reads what lies at the `places`,
`servers` keeps the toolbox in step with it, `consent` asks, `table` shows, and `commands` is what
`%mcp` does.
"""

"""Connections to MCP servers: how one is configured, kept up and asked.

`settings` and `config` say which server is meant. A `connection.Connection` owns one server from
its start to its end; what it is connected through is a `link.Link`, the only module here that
imports the SDK, which takes seconds. `listing` and `results` turn what a server says into tools and
values. `toolbridge.sources.mcp` offers it all to a toolbox.
"""

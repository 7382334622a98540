"""Connections to MCP servers: how one is configured, kept up and asked.

`settings` and `config` say which server is meant. A `connection.Connection` owns one server from
its start to its end; what it is connected through is a `link.Link`. That module is imported only
once a server is to be started: it brings the SDK, which takes seconds, and `http_client` and
`readable_answers`, which see to it that every request has an answer. `listing` and `results` turn
what a server says into tools and values. `toolbridge.sources.mcp` offers it all to a toolbox.
"""

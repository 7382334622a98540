"""MCP servers for tests, as sources."""

import sys
from pathlib import Path

from toolbridge.mcp.settings import ServerSettings, Stdio
from toolbridge.sources.mcp import McpSource

DEMO = Path(__file__).parent / "data" / "model-view" / "mcp_demo.py"


def demo_server(workdir: str) -> McpSource:
    """The server that the recorded calls were made with, for a model that hears nothing."""
    settings = ServerSettings("demo", Stdio(sys.executable, (str(DEMO),)))
    return McpSource(settings, workdir, keeps_audio=False)

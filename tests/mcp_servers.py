"""MCP servers for tests: their settings, and what they were asked."""

import json
import sys
from pathlib import Path
from typing import Any

from toolbridge.mcp.settings import ServerSettings, Stdio
from toolbridge.sources.mcp import McpSource

DEMO = Path(__file__).parent / "data" / "model-view" / "mcp_demo.py"
SCRIPTED = Path(__file__).parent / "servers" / "stdio_server.py"


def demo_server(workdir: str) -> McpSource:
    """The server that the recorded calls were made with, for a model that hears nothing."""
    settings = ServerSettings("demo", Stdio(sys.executable, (str(DEMO),)))
    return McpSource(settings, workdir, keeps_audio=False)


def scripted_command(name: str, spec: dict[str, Any], folder: Path) -> list[str]:
    """The command of a server that does what `spec` says (`tests/servers/script.py`)."""
    script = folder / f"{name}.json"
    script.write_text(json.dumps(spec))
    marker = [spec["marker"]] if "marker" in spec else []
    return [sys.executable, str(SCRIPTED), str(script), str(log_of(name, folder)), *marker]


def scripted_settings(
    name: str, spec: dict[str, Any], folder: Path, **options: Any
) -> ServerSettings:
    """The same as settings; `options` are further ones."""
    program, *args = scripted_command(name, spec, folder)
    return ServerSettings(name, Stdio(program, tuple(args)), **options)


def log_of(name: str, folder: Path) -> Path:
    """Where a scripted server writes down what it hears."""
    return folder / f"{name}.log"


def heard(name: str, folder: Path, method: str) -> list[dict[str, Any]]:
    """Parameters of the messages of one method that a scripted server has got so far."""
    log = log_of(name, folder)
    lines = log.read_text().splitlines() if log.exists() else []
    messages = map(json.loads, lines)
    return [message.get("params", {}) for message in messages if message.get("method") == method]

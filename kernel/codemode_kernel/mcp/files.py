"""Files that name MCP servers, read again whenever they have changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from toolbridge.errors import ServerConfigError
from toolbridge.mcp.config import SECTION, ServerConfig, read_servers

from codemode_kernel.folder_file import read_folder_file


@dataclass(frozen=True)
class Reading:
    """One content of a file."""

    config: ServerConfig = field(default_factory=ServerConfig)
    digest: str = ""
    """SHA-256 of the content, hexadecimal; empty when there is no file."""
    text: str = ""
    """Its servers as they are written, one a line, with variables that are not filled in."""


def option_config(servers: Mapping[str, object]) -> ServerConfig:
    """What the option `CodeModeKernel.mcp_servers` names."""
    config = read_servers({SECTION: dict(servers)}, os.environ)
    problems = (f"CodeModeKernel.mcp_servers: {problem}" for problem in config.problems)
    return ServerConfig(config.servers, tuple(problems))


class ServerFile:
    """One file, which may be absent."""

    def __init__(self, path: Path, words: str) -> None:
        """`words` is what a person calls it."""
        self.words = words
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._reading = Reading()

    def read(self) -> Reading:
        """What it says now. Faults are problems of the reading."""
        seen = self._look()
        if seen != self._seen:
            self._seen = seen
            self._reading = self._read() if seen is not None else Reading()
        return self._reading

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _read(self) -> Reading:
        try:
            content = read_folder_file(self._path)
            return _reading(content, self.words, os.environ)
        except OSError as error:
            return self._unusable(error.strerror or error)
        except ServerConfigError as error:
            return self._unusable(error)

    def _unusable(self, why: object) -> Reading:
        return Reading(ServerConfig(problems=(f"{self.words} is not used: {why}",)))


def _reading(content: bytes, words: str, environment: Mapping[str, str]) -> Reading:
    try:
        decoded = json.loads(content)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ServerConfigError(f"it is not JSON: {error.msg} ({place})") from None
    except (ValueError, RecursionError) as error:
        raise ServerConfigError(f"it is not JSON: {error}") from None
    config = read_servers(decoded, environment)
    problems = tuple(f"{words}: {problem}" for problem in config.problems)
    lines = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(entry, ensure_ascii=False)}"
        for name, entry in decoded.get(SECTION, {}).items()
    ]
    digest = hashlib.sha256(content).hexdigest()
    return Reading(ServerConfig(config.servers, problems), digest, "\n".join(lines))

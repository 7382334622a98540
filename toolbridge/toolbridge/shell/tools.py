"""`exec_command` and `write_stdin` as scripts and models see them."""

from __future__ import annotations

from typing import Any

from toolbridge.shell.arguments import FOR_THE_PERSON
from toolbridge.tools import Annotations, Tool

SOURCE_ID = "shell"
GROUP = "shell sessions"

_WAITING = frozenset({"yield_time_ms", "max_output_tokens", "max_output_bytes"})
"""Arguments about how much of a command is waited for and read."""

_WAITING_ALIASES = {
    "yieldTimeMs": "yield_time_ms",
    "maxOutputTokens": "max_output_tokens",
    "maxOutputBytes": "max_output_bytes",
}


def _of_type(kind: str, description: str) -> dict[str, Any]:
    return {"type": kind, "description": description}


_MAX_OUTPUT_TOKENS = _of_type(
    "number",
    "Cuts the middle out of a longer output. Without it the script gets all of it, up to "
    "16 MiB between two calls.",
)

_EXEC_INPUT = {
    "cmd": _of_type("string", "Command line for the shell."),
    "workdir": _of_type("string", "Folder to run in; by default the folder of the session."),
    "shell": _of_type("string", "Program that runs the command line; by default the user's shell."),
    "login": _of_type("boolean", "Run it as a login shell. Off by default."),
    "tty": _of_type(
        "boolean",
        "Give it a terminal of 80 by 24, which echoes, rather than pipes. Off by default.",
    ),
    "yield_time_ms": _of_type(
        "number",
        "How long to wait for the command, 10000 by default. What still runs then goes on, and is "
        "given as session_id.",
    ),
    "max_output_tokens": _MAX_OUTPUT_TOKENS,
    "sandbox_permissions": _of_type("string", "Shown to the person who is asked. Grants nothing."),
    "justification": _of_type("string", "Shown to the person who is asked. Grants nothing."),
    "prefix_rule": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Shown to the person who is asked. Grants nothing.",
    },
}

_STDIN_INPUT = {
    "session_id": _of_type("number", "The session_id of a command that still runs."),
    "chars": _of_type(
        "string", "Text for its stdin, passed on as it is. Empty or left out: only wait for output."
    ),
    "yield_time_ms": _of_type(
        "number",
        "How long to wait for the command's end: by default 250 after chars, 5000 without.",
    ),
    "max_output_tokens": _MAX_OUTPUT_TOKENS,
    "close_stdin": _of_type("boolean", "Close its stdin, after chars. Doing it twice is harmless."),
    "terminate": _of_type(
        "boolean", "End the command: SIGTERM to all of its processes, SIGKILL 5 seconds later."
    ),
}

_OUTPUT = {
    "type": "object",
    "properties": {
        "chunk_id": _of_type("string", "Names this piece of output."),
        "wall_time_seconds": _of_type("number", "How long this call took."),
        "exit_code": _of_type("number", "Given once the command has ended."),
        "session_id": _of_type("number", "Given while it runs; pass it to write_stdin."),
        "original_token_count": _of_type("number", "Size of the output before any cut."),
        "output": _of_type(
            "string", "What stdout and stderr got since the last call; in exact order with 2>&1."
        ),
        "terminated": _of_type("boolean", "Given once the command was told to end."),
        "unknown_outcome": _of_type(
            "boolean", "Told to end, and nothing shows that it has: look again, or terminate again."
        ),
        "input_delivery": _of_type(
            "string", "Given when the command's stdin did not take all of chars: unknown, not_sent."
        ),
    },
    "required": ["wall_time_seconds", "output"],
    "additionalProperties": False,
}


def _input(properties: dict[str, Any], required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [required],
        "additionalProperties": False,
    }


EXEC_COMMAND = Tool(
    name="exec_command",
    source=SOURCE_ID,
    group=GROUP,
    description=(
        "Runs a command line in a shell and gives its output and exit code, or a session_id when "
        "it is still running after yield_time_ms. A command that fails is no error: look at "
        "exit_code."
    ),
    input_schema=_input(_EXEC_INPUT, "cmd"),
    output_schema=_OUTPUT,
    inert_arguments=frozenset({*_WAITING, *FOR_THE_PERSON}),
    argument_aliases={"command": "cmd", "cwd": "workdir", **_WAITING_ALIASES},
)

WRITE_STDIN = Tool(
    name="write_stdin",
    source=SOURCE_ID,
    group=GROUP,
    description=(
        "Writes to the stdin of a running command and gives what it has printed since the last "
        "call; with empty chars it only waits for output."
    ),
    input_schema=_input(_STDIN_INPUT, "session_id"),
    output_schema=_OUTPUT,
    inert_arguments=_WAITING,
    argument_aliases={
        "sessionId": "session_id",
        "input": "chars",
        "closeStdin": "close_stdin",
        **_WAITING_ALIASES,
    },
)

POLL = Annotations(read_only=True)
"""What a `write_stdin` without chars is: the command it reads from was let through before."""

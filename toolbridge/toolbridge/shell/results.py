"""What the shell tools resolve to."""

from __future__ import annotations

import secrets
import time

from codemode_rules.budget import tokens, truncate

from toolbridge.json_values import JsonValue
from toolbridge.shell.job import ShellJob
from toolbridge.shell.output import Printed
from toolbridge.shell.supervision import lost

NOTHING = Printed("", 0)


def result(
    job: ShellJob, session_id: int | None, started: float, max_output_tokens: int | None
) -> dict[str, JsonValue]:
    """What a command has printed since the last time, and how it stands; the output is then read.

    `session_id` is None when it is over, `started` is when the call began, monotonic seconds.
    Raises `OutcomeUnknownError` when the command went down with its supervisor.
    """
    if job.is_lost:
        raise lost()
    return _result(job, session_id, started, max_output_tokens, job.output.take())


def unread_result(job: ShellJob, session_id: int, started: float) -> dict[str, JsonValue]:
    """How a command stands; its output is left to somebody else, who waits for it."""
    return _result(job, session_id, started, None, NOTHING)


def _result(
    job: ShellJob,
    session_id: int | None,
    started: float,
    max_output_tokens: int | None,
    printed: Printed,
) -> dict[str, JsonValue]:
    """The keys are in the reference's order (model view 9); ours come behind them."""
    text = printed.text
    if max_output_tokens is not None:
        text = truncate(text, max_output_tokens)
        if text != printed.text:
            job.output.sink.shorten()
    ended: dict[str, JsonValue] = {"exit_code": job.exit_code}
    running: dict[str, JsonValue] = {"session_id": session_id}
    stopped: dict[str, JsonValue] = {}
    if job.is_stopped:
        stopped["terminated"] = True
        if session_id is not None:
            stopped["unknown_outcome"] = True
    return {
        "chunk_id": secrets.token_hex(3),
        "wall_time_seconds": round(time.monotonic() - started, 4),
        **(ended if session_id is None else running),
        "original_token_count": tokens(printed.size),
        "output": text,
        **stopped,
    }

"""Records as a notebook may hold them."""

from typing import Any

import msgspec
from codemode_kernel.calls import CallOutcome
from codemode_kernel.observation import Status
from codemode_kernel.record import (
    MIME,
    ApprovalDecision,
    CallApproval,
    CallRecord,
    LeftOut,
    Media,
    ModelImage,
    ModelText,
    Notification,
    Record,
    RecordKind,
)

STARTED = "2026-01-31T12:00:00.000Z"

MARKUP = "<img src=x onerror=\"document.title = 'taken over'\"><script>alert(1)</script>"
"""Does something where a record is read as HTML."""

ORDINARY = Record(
    version=1,
    cell_id="1",
    kind=RecordKind.EXEC,
    status=Status.COMPLETED,
    started=STARTED,
    wall_time_s=0.34,
    tokens=12,
)

CALLS = (
    CallRecord(
        id="tool-1",
        tool="exec_command",
        source="shell",
        arguments={"cmd": "git log --oneline | head -3"},
        result={"output": "8f2c1d0 Draw the result\n", "exit_code": 0},
        outcome=CallOutcome.OK,
        started=STARTED,
        duration_s=3.31,
        approval=CallApproval(ApprovalDecision.ONCE, 3.2),
    ),
    CallRecord(
        id="tool-2",
        tool="word_count",
        source="python",
        arguments={"text": MARKUP, "token": None},
        error=f"no words in {MARKUP}",
        outcome=CallOutcome.ERROR,
        started=STARTED,
        duration_s=0.012,
        approval=CallApproval(ApprovalDecision.RULE),
        late=True,
        secret_fields=("/arguments/token",),
    ),
    CallRecord(id="tool-3", tool="write_stdin", outcome=CallOutcome.CANCELLED, started=STARTED),
)

RICH = Record(
    version=1,
    cell_id="2",
    kind=RecordKind.EXEC,
    status=Status.FAILED,
    started=STARTED,
    wall_time_s=4.2,
    tokens=10_000,
    truncated=True,
    emitted_tokens=24_000,
    model_view=(
        ModelText("Script failed\nWall time 4.2 seconds\nOutput:\n"),
        ModelText(f"{MARKUP}\n"),
        ModelImage(Media("ab12" * 16, "image/png", 31_400), "high"),
    ),
    notifications=(Notification(f"half way {MARKUP}"),),
    calls=CALLS,
    left_out=LeftOut(model_view_characters=1200),
    engine="quickjs-ng 0.17.0.2",
    host="codemode-host",
    profile="codex",
)

DAMAGED: tuple[object, ...] = (
    None,
    "completed",
    [],
    {"version": 7},
    {"version": 1},
    {"version": 1, "calls": [None]},
)


def bundle(record: object) -> dict[str, Any]:
    """The MIME bundle of an output that holds this record."""
    return {MIME: msgspec.to_builtins(record)}

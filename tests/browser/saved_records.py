"""Records as a notebook may hold them."""

import hashlib
from base64 import b64encode
from io import BytesIO
from typing import Any

import msgspec
from codemode_kernel.record import (
    MIME,
    ApprovalDecision,
    CallApproval,
    CallRecord,
    Capture,
    CaptureState,
    LeftOut,
    Media,
    ModelImage,
    ModelText,
    Notification,
    Record,
    RecordKind,
)
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.observation import Status
from PIL import Image

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


def _picture() -> bytes:
    file = BytesIO()
    Image.new("RGB", (120, 60), "teal").save(file, "PNG")
    return file.getvalue()


PICTURE = _picture()
"""An image that an output holds and a model got."""

DRAWN_CHARACTERS = 20_000
"""Of a text that the extension draws before it is asked for all."""

LONG = f"Warning: truncated output (original token count: 90000)\n\n{'first ' * 2000}\
…80000 tokens truncated…{'last ' * 3000}end of it"

SEEN = Record(
    version=1,
    cell_id="3",
    kind=RecordKind.EXEC,
    status=Status.COMPLETED,
    started=STARTED,
    wall_time_s=0.5,
    tokens=10_000,
    truncated=True,
    emitted_tokens=90_000,
    model_view=(
        ModelText("Script completed\nWall time 0.5 seconds\nOutput:\n"),
        ModelImage(Media(hashlib.sha256(PICTURE).hexdigest(), "image/png", len(PICTURE)), "high"),
        ModelText(LONG),
    ),
    notifications=(Notification("from the other one", cell_id="2"),),
    calls=(
        CallRecord(
            id="tool-1",
            tool="read_file",
            arguments={"path": "big.txt"},
            result="x… (90,000 more characters)",
            outcome=CallOutcome.OK,
            started=STARTED,
            cut=True,
        ),
    ),
    capture=Capture(CaptureState.COMPLETE, 360_000, 360_000, "codemode-captures/a/cell-3.txt"),
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


def picture_bundle() -> dict[str, Any]:
    """The MIME bundle of the output that shows `PICTURE`."""
    return {"image/png": b64encode(PICTURE).decode(), "text/plain": "[image/png 120x60]"}

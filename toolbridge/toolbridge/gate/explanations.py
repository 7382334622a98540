"""Why a call was allowed, asked about or refused, kept for "why was this asked?"."""

from __future__ import annotations

from dataclasses import dataclass

from toolbridge.gate.gate import Verdict
from toolbridge.gate.grants import Grant
from toolbridge.json_values import JsonValue
from toolbridge.tools import Annotations, Tool


@dataclass(frozen=True, slots=True)
class Explanation:
    """One look at one call."""

    tool: Tool
    arguments: JsonValue
    """Without the values of secret fields."""
    effects: Annotations
    """What the source says of this call."""
    verdict: Verdict
    grant: Grant | None
    """What the person said earlier in this session, where that decides."""
    call_id: str = ""
    cell_id: str | None = None
    ending: str = ""
    """What came of it: `asked: once`, `refused: ...`; empty where nothing was called."""

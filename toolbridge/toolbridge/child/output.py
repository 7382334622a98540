"""What a process shows a person: one message of Jupyter's protocol, without its addressing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ChildMessage:
    """One output of a cell or of a tool call."""

    msg_type: str
    """`stream`, `display_data`, `update_display_data`, `execute_result`, `error` or
    `clear_output`; calls send the first three only."""
    content: Mapping[str, Any]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The message's own metadata, not that of a MIME bundle."""

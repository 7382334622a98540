"""One output that is kept, in the shape of the notebook format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

OVERHEAD = 200
"""What an output costs beside its content, about, in bytes."""

_SAVED = {
    "display_data": ("data", "metadata"),
    "execute_result": ("data", "metadata", "execution_count"),
    "error": ("ename", "evalue", "traceback"),
}
"""Fields of a message's content that a notebook keeps, by message type."""


class StreamOutput:
    """Adjacent pieces of one stream."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._pieces: list[str] = []

    def add(self, text: str) -> None:
        """Add a piece."""
        self._pieces.append(text)

    def saved(self) -> dict[str, Any]:
        """The output as a notebook holds it."""
        self._pieces = ["".join(self._pieces)]
        return {"output_type": "stream", "name": self.name, "text": self._pieces[0]}


class DisplayOutput:
    """A display, a result or an error."""

    def __init__(self, kind: str, content: Mapping[str, Any], size: int) -> None:
        self.kind = kind
        self.content = content
        self.size = size
        """Bytes, `OVERHEAD` included."""

    @property
    def display_id(self) -> str | None:
        """What it can be updated by."""
        return display_id_of(self.content)

    def saved(self) -> dict[str, Any]:
        """The output as a notebook holds it, and `transient` with a display id where it has one."""
        output: dict[str, Any] = {"output_type": self.kind}
        output |= {field: self.content[field] for field in _SAVED[self.kind]}
        if self.display_id is not None:
            output["transient"] = {"display_id": self.display_id}
        return output


def display_id_of(content: Mapping[str, Any]) -> str | None:
    """The display id of a message, if it has one."""
    display_id = (content.get("transient") or {}).get("display_id")
    return display_id if isinstance(display_id, str) else None


def text_size(text: str) -> int:
    """Bytes of `text` in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def content_size(content: Mapping[str, Any]) -> int | None:
    """About the bytes of a message's content; None for one that is nested too deeply to be told."""
    try:
        return OVERHEAD + sum(_value_size(value) for value in content.values())
    except (RecursionError, ValueError, TypeError):
        return None


def _value_size(value: Any) -> int:
    if isinstance(value, str):
        return text_size(value)
    if isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
        return sum(text_size(item) for item in value.values())
    return len(msgspec.json.encode(value))

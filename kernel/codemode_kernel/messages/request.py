"""A request of a client, as far as the kernel's rooms have to know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True)
class Request:
    """One execute request, as far as its outputs, its questions and its life concern us."""

    message: Mapping[str, Any]
    """The whole request; its header becomes the parent header of every output."""
    identities: list[bytes]
    """Routing identities of the client, needed to ask it something on stdin."""
    allow_stdin: bool
    """Whether this client answers input requests. nbclient and papermill do not."""
    silent: bool
    """The client asked for no output at all (`silent` of the messaging protocol)."""
    notebook_cell: str | None
    """JupyterLab's id of the notebook cell, or None where the client names none."""

    @property
    def id(self) -> str:
        """The request's message id: the key of its run, unique also for silent requests."""
        return str(self.message["header"]["msg_id"])

    @property
    def sent(self) -> datetime:
        """When the client sent it, by the client's clock."""
        return date_of(self.message)


def date_of(message: Mapping[str, Any]) -> datetime:
    """When a message was sent, by the clock of who sent it; now for one that does not say."""
    date = message["header"].get("date")
    return date if isinstance(date, datetime) else datetime.now(UTC)

"""Sends IOPub messages on behalf of one request.

Late output makes "the current parent" meaningless: several cells run at once. So nothing here
asks the kernel for a parent; whoever publishes holds the `Publisher` of its own request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Send = Callable[[str, Mapping[str, Any], Mapping[str, Any]], None]
"""Sends one IOPub message: type, content, the message it answers (its parent)."""


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


class Publisher:
    """The IOPub side of one request. A silent request publishes nothing."""

    def __init__(self, send: Send, request: Request) -> None:
        self._send = send
        self.request = request

    def publish(self, kind: str, content: Mapping[str, Any]) -> None:
        """Send one message of type `kind` with this request as its parent.

        Text from a script may hold lone surrogates, which no UTF-8 message can carry; they are
        replaced by U+FFFD, as the reference replaces them in text items (measured fact 13). Values
        that are nested too deeply for a message are named instead.
        """
        if self.request.silent:
            return
        try:
            self._send(kind, content, self.request.message)
        except UnicodeEncodeError:
            self._send(kind, _without_surrogates(content), self.request.message)
        except RecursionError:
            text = "An output is nested too deeply to be shown.\n"
            self._send("stream", {"name": "stderr", "text": text}, self.request.message)


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    return value

"""Sends IOPub messages on behalf of one request.

Late output makes "the current parent" meaningless: several cells run at once. So nothing here
asks the kernel for a parent; whoever publishes holds the `Publisher` of its own request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codemode_kernel.messages.request import Request

Send = Callable[[str, Mapping[str, Any], Mapping[str, Any]], None]
"""Sends one IOPub message: type, content, the message it answers (its parent)."""


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

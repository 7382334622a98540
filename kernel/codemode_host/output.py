"""The output of a cell between `text()` and the client, in either of its two ways there.

Without `content-stream-v1` items are kept for the next observation (`BufferedOutput`), with it
they go out as they come (`StreamedOutput`). Both take items in order and never hold more than
about one frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from msgspec import UNSET, Struct, UnsetType

from codemode_host.effects import Effect, Send
from codemode_host.framing import MAX_FRAME_BYTES
from codemode_host.wire import U64_MAX, CellContent, ContentItem, TextItem, encode

TRUNCATED_NOTICE = "Code mode output was truncated because the cell buffered more than 64 MiB."
OVERLONG_NOTICE = "Output omitted because the item is longer than 64 MiB."

MAX_BUFFERED_BYTES = MAX_FRAME_BYTES - 64 * 1024
"""Leaves room for the notice and for what is around the items in their frame."""
CONTENT_BYTES = 256 * 1024
"""A `cell/content` frame with several items is no longer than this."""


class Taken(Struct, frozen=True, gc=False):
    """What belongs to an observation that ends now, as the answer's fields.

    `overlong_bytes` is not 0 when the items include one that no frame can carry.
    """

    items: list[ContentItem]
    seq: int | UnsetType = UNSET
    overlong_bytes: int = 0


class Output(ABC):
    """Takes a cell's items in order."""

    @abstractmethod
    def add(self, item: ContentItem, size: int) -> None:
        """The cell emitted `item`; `size` in bytes of JSON."""

    @abstractmethod
    def flush(self) -> None:
        """Send what can be sent before an observation ends."""

    @abstractmethod
    def take(self) -> Taken:
        """Everything emitted since the last call."""


class BufferedOutput(Output):
    """Keeps items, up to `MAX_BUFFERED_BYTES` and a notice.

    A single item longer than a frame is not kept: the observation that it belongs to fails, as on
    the reference.
    """

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._items: list[ContentItem] = []
        self._bytes = 0
        self._overlong_bytes = 0
        self._truncated = False

    def add(self, item: ContentItem, size: int) -> None:
        if self._truncated or self._overlong_bytes:
            return
        if size > MAX_FRAME_BYTES:
            self._overlong_bytes = self._bytes + size
        elif self._bytes + size > MAX_BUFFERED_BYTES:
            self._truncated = True
            self._items.append(TextItem(TRUNCATED_NOTICE))
        else:
            self._bytes += size + 1  # and a comma
            self._items.append(item)

    def flush(self) -> None:
        """Nothing goes out before an observation ends."""

    def take(self) -> Taken:
        taken = Taken(self._items, overlong_bytes=self._overlong_bytes)
        self._reset()
        return taken


class StreamedOutput(Output):
    """Gathers the items of one read and numbers them from 1."""

    def __init__(self, session_id: str, cell_id: str, effects: list[Effect]) -> None:
        self._session_id = session_id
        self._cell_id = cell_id
        self._effects = effects
        self._sent = 0
        self._items: list[ContentItem] = []
        self._bytes = 0
        envelope = CellContent(session_id, cell_id, U64_MAX, [])
        self._max_item_bytes = MAX_FRAME_BYTES - len(encode(envelope))

    def add(self, item: ContentItem, size: int) -> None:
        if size > self._max_item_bytes:
            item, size = TextItem(OVERLONG_NOTICE), len(OVERLONG_NOTICE)
        if self._bytes and self._bytes + size > CONTENT_BYTES:
            self.flush()
        self._items.append(item)
        self._bytes += size

    def flush(self) -> None:
        if not self._items:
            return
        message = CellContent(self._session_id, self._cell_id, self._sent + 1, self._items)
        self._effects.append(Send(message))
        self._sent += len(self._items)
        self._items = []
        self._bytes = 0

    def take(self) -> Taken:
        self.flush()
        return Taken([], self._sent)

"""Output that waits for the next observation of its cell."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem

CELL_BYTES = 64 * 1024 * 1024
"""What one cell may keep waiting: as much as a host could give in one frame."""

SESSION_BYTES = 256 * 1024 * 1024
"""What all cells of a session may keep waiting together."""

ITEM_BYTES = 200
"""What an item costs beside its content, about; an endless printer prints small items."""

NOTICE = "Code mode output was truncated here: more waited to be collected than is kept."

_TAIL_CHARACTERS = 64 * 1024


class Allowance:
    """Memory that the cells of a session share for waiting output, in bytes."""

    def __init__(self, size: int = SESSION_BYTES) -> None:
        self._left = size

    def take(self, size: int) -> bool:
        """Take `size` bytes if they are left."""
        if size > self._left:
            return False
        self._left -= size
        return True

    def give_back(self, size: int) -> None:
        """Return bytes that were taken."""
        self._left += size


@dataclass(frozen=True, slots=True)
class WaitingItem:
    """One item that no observation has had yet."""

    item: ContentItem
    shown: bool
    """The person has seen it already, under the cell it comes from (`late_output="origin"`)."""
    cost: int
    """Bytes it takes of the allowance."""


class WaitingOutput:
    """The items of one cell that wait for its next observation, in order; bounded.

    What comes past the bound is dropped, and a notice stands in its place.
    """

    def __init__(self, allowance: Allowance, size: int = CELL_BYTES) -> None:
        self._allowance = allowance
        self._size = size
        self._items: deque[WaitingItem] = deque()
        self._bytes = 0
        self._dropping = False

    def __len__(self) -> int:
        """Number of items."""
        return len(self._items)

    def add(self, items: Iterable[ContentItem], *, shown: bool = False) -> None:
        """Keep `items`, as far as the bound allows."""
        for item in items:
            if self._dropping:
                return
            cost = _content_bytes(item) + ITEM_BYTES
            if self._bytes + cost > self._size or not self._allowance.take(cost):
                self._dropping = True
                self._items.append(WaitingItem(TextItem(NOTICE), shown=False, cost=0))
                return
            self._bytes += cost
            self._items.append(WaitingItem(item, shown, cost))

    def drain(self, count: int) -> Sequence[WaitingItem]:
        """Take the first `count` items out."""
        taken = [self._items.popleft() for _ in range(count)]
        cost = sum(entry.cost for entry in taken)
        self._bytes -= cost
        self._allowance.give_back(cost)
        self._dropping = self._dropping and not taken
        return taken

    def tail(self, lines: int) -> str:
        """The last `lines` lines of what waits; an item starts a new line, media are named."""
        return "\n".join(reversed(list(islice(self._backwards(), lines))))

    def _backwards(self) -> Iterator[str]:
        for waiting in reversed(self._items):
            match waiting.item:
                case TextItem(text=text):
                    yield from reversed(text[-_TAIL_CHARACTERS:].removesuffix("\n").split("\n"))
                case ImageItem():
                    yield "[image]"
                case AudioItem():
                    yield "[audio]"


def _content_bytes(item: ContentItem) -> int:
    match item:
        case TextItem(text=content) | ImageItem(image_url=content) | AudioItem(audio_url=content):
            return len(content)

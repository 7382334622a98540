"""The whole output of one cell: in memory while it is small, in files from then on."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem

from codemode_kernel.captures.folder import CaptureFolder
from codemode_kernel.captures.writer import Writer
from codemode_kernel.fault_log import fault_of
from codemode_kernel.outputs.media import media_data
from codemode_kernel.record import CaptureState

log = logging.getLogger(__name__)

MEMORY_CHARACTERS = 256 * 1024
"""Output that is kept in memory; more goes to files."""

MEMORY_ITEMS = 256

SMALL_PIECE = 4096
"""Characters up to which the pieces of a stream are joined."""

LONGEST_SUFFIX = 8
"""Characters of a media subtype that ends a file's name."""

READ_BYTES = 2 * 1024 * 1024
"""Most that is read of a file at a time."""


@dataclass(frozen=True)
class Snapshot:
    """How it stands with a capture."""

    state: CaptureState
    bytes: int
    """UTF-8 of the texts that the cell gave, and decoded media."""
    captured_bytes: int
    """What of that is kept."""
    path: Path | None
    """The file with its texts; None while memory is enough, or when there is none."""


class Capture:
    """Takes what a cell emits. Nothing here raises, whatever the disk does."""

    def __init__(
        self, name: str, folder: CaptureFolder, writer: Writer, stream_bytes: int | None = None
    ) -> None:
        """`name` begins the names of its files.

        `stream_bytes` makes it a stream of texts that are kept as they come, without line breaks
        between them, and says how many bytes of it are kept at most.
        """
        self._name = name
        self._stream_bytes = stream_bytes
        self._folder = folder
        self._writer = writer
        self._held: list[ContentItem] | None = []
        """Its items while memory is enough; None from then on."""
        self._held_characters = 0
        self._media = 0
        self._is_over = False
        self._has_fault = False
        self._bytes = 0
        self._captured = 0
        self._path: Path | None = None

    # While the cell runs

    def take(self, items: Sequence[ContentItem]) -> None:
        """Take items, each once, in order."""
        if self._is_over:
            return
        if self._held is None:
            self._offer(list(items))
            return
        self._hold(items)
        self._held_characters += sum(map(_characters, items))
        if self._held_characters > MEMORY_CHARACTERS or len(self._held) > MEMORY_ITEMS:
            self.publish()

    def _hold(self, items: Sequence[ContentItem]) -> None:
        assert self._held is not None
        for item in items:
            joined = self._joined(self._held[-1], item) if self._held else None
            if joined is None:
                self._held.append(item)
            else:
                self._held[-1] = joined

    def _joined(self, last: ContentItem, item: ContentItem) -> TextItem | None:
        """Two pieces of a stream as one, since it may come a character at a time."""
        if self._stream_bytes is None or _characters(last) + _characters(item) > SMALL_PIECE:
            return None
        if isinstance(last, TextItem) and isinstance(item, TextItem):
            return TextItem(last.text + item.text)
        return None

    def finish(self, error_text: str | None) -> None:
        """The cell is over; `error_text` is why its script failed."""
        if error_text is not None:
            self.take([TextItem(f"Script error:\n{error_text}")])
        self._is_over = True

    def publish(self) -> None:
        """Somebody got less than there is: write it all to files."""
        held, self._held = self._held, None
        if held:
            self._offer(held)

    def discard(self) -> None:
        """Nothing is kept any more."""
        self._is_over = True
        self._held = None
        self._lose()

    def _lose(self) -> None:
        """Its text is not there any more."""
        self._path = None
        self._has_fault = True
        self._captured = 0

    # What there is

    @property
    def is_published(self) -> bool:
        """Whether files were asked for."""
        return self._held is None

    @property
    def path(self) -> Path | None:
        """The file with its texts, once there is one."""
        return self._path

    @property
    def is_over(self) -> bool:
        """Whether its cell is."""
        return self._is_over

    def snapshot(self) -> Snapshot:
        """How it stands now."""
        if self._held is not None:
            size = sum(len(self._text(item)) + _media_bytes(item) for item in self._held)
            return Snapshot(self._state(), size, size, None)
        return Snapshot(self._state(), self._bytes, self._captured, self._path)

    def _state(self) -> CaptureState:
        if self._has_fault:
            return CaptureState.PARTIAL if self._path else CaptureState.UNAVAILABLE
        return CaptureState.COMPLETE if self._is_over else CaptureState.CAPTURING

    async def settled(self, timeout_s: float) -> None:
        """Wait for what is being written; what takes too long counts as a fault."""
        if self.is_published and not await self._writer.drained(timeout_s):
            self._has_fault = True

    def read(self, offset: int, limit: int) -> bytes:
        """Up to `limit` bytes of its text from `offset`; blocks, raises `OSError`."""
        if (held := self._held) is not None:  # the event loop may publish it meanwhile
            return b"".join(map(self._text, held))[offset : offset + limit]
        if self._path is None and not self._has_fault:
            return b""  # no file is made before there is something to write
        if self._path is None:
            raise FileNotFoundError("nothing was captured")
        if offset >= self._captured:
            return b""  # files know nothing of offsets of any size
        try:
            return self._folder.read(self._path, offset, min(limit, READ_BYTES))
        except FileNotFoundError:
            self._lose()
            raise

    def _text(self, item: ContentItem) -> bytes:
        if self._stream_bytes is not None and isinstance(item, TextItem):
            return item.text.encode("utf-8", "replace")
        return _lines(item)

    # In the writer's thread

    def _offer(self, items: list[ContentItem]) -> None:
        if not self._writer.offer(sum(map(_characters, items)), lambda: self._write(items)):
            self._has_fault = True

    def _write(self, items: list[ContentItem]) -> None:
        parts = []
        for item in items:
            text = self._text(item) if isinstance(item, TextItem) else self._media_line(item)
            self._bytes += len(text)
            parts.append(text)
        if self._has_fault:
            return  # what comes after a gap would be taken for what follows it
        data = b"".join(parts)
        if self._stream_bytes is not None and self._captured + len(data) > self._stream_bytes:
            self._has_fault = True
            return
        try:
            self._path = self._folder.append(f"{self._name}.txt", data)
            self._captured += len(data)
        except Exception as error:  # noqa: BLE001 - a capture must not cost more than itself
            self._fail(error)

    def _media_line(self, item: ImageItem | AudioItem) -> bytes:
        """Write an image or a sound to a file of its own, which the text names."""
        found = _media_in(item)
        if found is None:
            return _lines(item)
        media_type, data = found
        self._media += 1
        kind = _kind(item)
        name = f"{self._name}-{kind}-{self._media}{_suffix(media_type)}"
        self._bytes += len(data)
        try:
            if not self._has_fault:
                self._folder.append(name, data)
                self._captured += len(data)
        except Exception as error:  # noqa: BLE001 - a capture must not cost more than itself
            self._fail(error)
        return _name_line(item, media_type, f"{len(data)} bytes", name)

    def _fail(self, error: Exception) -> None:
        log.warning("The output of %s cannot be captured: %s", self._name, fault_of(error))
        self._has_fault = True


def name_of(path: Path) -> str:
    """Folder and name of a capture's file: no other session has one of that name."""
    return f"{path.parent.name}/{path.name}"


def _suffix(media_type: str) -> str:
    """The ending of a file's name; none where a script made the media type up."""
    subtype = media_type.rpartition("/")[2].removeprefix("x-")
    is_plain = subtype.isascii() and subtype.isalnum() and len(subtype) <= LONGEST_SUFFIX
    return f".{subtype}" if is_plain else ""


def _characters(item: ContentItem) -> int:
    match item:
        case TextItem(text=content) | ImageItem(image_url=content) | AudioItem(audio_url=content):
            return len(content)


def _lines(item: ContentItem) -> bytes:
    """An item as a person reads it: what does not end its line is followed by a line break."""
    if isinstance(item, TextItem):
        data = item.text.encode("utf-8", "replace")
        return data if data.endswith(b"\n") else data + b"\n"
    found = _media_in(item)
    if found is None:
        return _name_line(item, f"{_url(item)[:40]}…")
    media_type, data = found
    return _name_line(item, media_type, f"{len(data)} bytes")


def _name_line(item: ImageItem | AudioItem, *facts: str) -> bytes:
    return f"[{_kind(item)}: {', '.join(filter(None, facts))}]\n".encode("utf-8", "replace")


def _kind(item: ImageItem | AudioItem) -> str:
    return "image" if isinstance(item, ImageItem) else "audio"


def _url(item: ImageItem | AudioItem) -> str:
    return item.image_url if isinstance(item, ImageItem) else item.audio_url


def _media_in(item: ImageItem | AudioItem) -> tuple[str, bytes] | None:
    return media_data(_url(item))


def _media_bytes(item: ContentItem) -> int:
    found = None if isinstance(item, TextItem) else _media_in(item)
    return len(found[1]) if found else 0

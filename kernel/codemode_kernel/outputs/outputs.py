"""The outputs of one notebook cell: content items in, Jupyter messages out.

Two limits protect the browser and the server's budget of 1,000 messages a second from a script
that never stops printing: bytes of text, and messages that cannot be gathered. Past a limit
one notice is shown and the rest is dropped here. What a model gets has its own limit and does not
come from here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem

from codemode_kernel.outputs.bundles import (
    Bundle,
    audio_bundle,
    image_bundle,
    is_shown_whole,
    notification_bundle,
    tree_bundle,
)
from codemode_kernel.outputs.coalescer import Coalescer
from codemode_kernel.outputs.publisher import Publisher
from codemode_kernel.outputs.traceback import ErrorView

MAX_TEXT = 2_000_000
"""Bytes of text shown for one cell. The server stops streams at 3 MB in three seconds."""

MAX_DISPLAYS = 500
"""Images, sounds, trees and notifications shown for one cell."""

MAX_TREES = 100
"""JSON values shown as trees; the later ones of a cell are plain lines, which cost far less."""


class CellOutputs:
    """Where one request's outputs go, in order. A `Sink` of the session."""

    def __init__(self, publisher: Publisher, loop: asyncio.AbstractEventLoop) -> None:
        self.publisher = publisher
        self._text = Coalescer(self._publish_text, loop)
        self._text_left = MAX_TEXT
        """Bytes; -1 once the notice was shown."""
        self._displays_left = MAX_DISPLAYS
        self._trees_left = MAX_TREES

    def take(self, items: Sequence[ContentItem]) -> None:
        """Show content items."""
        lines: list[str] = []
        for item in items:
            bundle = self._bundle(item)
            if bundle is None and isinstance(item, TextItem):
                lines.append(item.text if item.text.endswith("\n") else item.text + "\n")
            elif bundle is not None:
                self.write("".join(lines))
                lines.clear()
                self._display_counted(bundle)
        self.write("".join(lines))

    def write(self, text: str) -> None:
        """Show text as it is on the cell's stdout."""
        self._write_counted(text, self._text.write)

    def warn(self, text: str) -> None:
        """Show one line on the cell's stderr: something the script did not say itself."""
        self._text.flush()
        self.publisher.publish("stream", {"name": "stderr", "text": f"{text}\n"})

    def notify(self, text: str, cell_id: str | None = None) -> bool:
        """Show a notification of a cell; whether all of it is shown."""
        return self._display_counted(notification_bundle(text, cell_id)) and is_shown_whole(text)

    def display(self, bundle: Bundle, display_id: str | None = None) -> None:
        """Show a bundle; with a `display_id` it can be updated later."""
        self._text.flush()
        self.publisher.publish("display_data", _display(bundle, display_id))

    def update(self, bundle: Bundle, display_id: str) -> None:
        """Replace what was shown under `display_id`, wherever that is."""
        self._text.flush()
        self.publisher.publish("update_display_data", _display(bundle, display_id))

    def error(self, view: ErrorView) -> None:
        """Show an error."""
        self._text.flush()
        self.publisher.publish("error", view.content())

    def relay(self, kind: str, content: Mapping[str, object]) -> None:
        """Pass on a message of the Python child under this cell, within the same limits."""
        self._text.flush()
        if kind == "stream":
            name = content["name"]
            self._write_counted(
                str(content["text"]),
                lambda text: self.publisher.publish(kind, {"name": name, "text": text}),
            )
        elif kind not in ("display_data", "execute_result") or self._may_display():
            self.publisher.publish(kind, content)

    def flush(self) -> None:
        """Publish what is held back; due before the reply of the cell."""
        self._text.flush()

    def _bundle(self, item: ContentItem) -> Bundle | None:
        if isinstance(item, ImageItem):
            return image_bundle(item)
        if isinstance(item, AudioItem):
            return audio_bundle(item)
        if self._trees_left <= 0:
            return None
        tree = tree_bundle(item.text)
        if tree is not None:
            self._trees_left -= 1
        return tree

    def _write_counted(self, text: str, write: Callable[[str], None]) -> None:
        if not text or self._text_left < 0:
            return
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        if size <= self._text_left:
            self._text_left -= size
            write(text)
            return
        head = text.encode("utf-8", "surrogatepass")[: self._text_left]
        self._text_left = -1
        write(head.decode("utf-8", "ignore"))
        self.warn(f"More than {MAX_TEXT:,} bytes of text: the rest is not shown. The cell goes on.")

    def _display_counted(self, bundle: Bundle) -> bool:
        """Whether there was room for it."""
        has_room = self._may_display()
        if has_room:
            self.display(bundle)
        return has_room

    def _may_display(self) -> bool:
        self._displays_left -= 1
        if self._displays_left == -1:
            self.warn(
                f"More than {MAX_DISPLAYS} images, sounds, values and notifications: "
                "the rest is not shown. The cell goes on."
            )
        return self._displays_left >= 0

    def _publish_text(self, text: str) -> None:
        self.publisher.publish("stream", {"name": "stdout", "text": text})


def _display(bundle: Bundle, display_id: str | None) -> dict[str, object]:
    transient = {"display_id": display_id} if display_id else {}
    return {"data": bundle.data, "metadata": bundle.metadata, "transient": transient}

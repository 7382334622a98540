"""The outputs of one run of a notebook cell, as a front end holds them. Sans-I/O.

Messages go in, the list of outputs comes out: adjacent pieces of a stream are one output, an update
replaces the display it names, and `clear_output` takes all away. What does not fit into the bound
is left out from there on, and a notice stands in its place. Displays that can be updated have a
little room more: a cell's footer lives on also below a flood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from codemode_kernel.replay.output import (
    OVERHEAD,
    DisplayOutput,
    StreamOutput,
    content_size,
    display_id_of,
    text_size,
)

CELL_BYTES = 1024 * 1024
"""Bytes kept of one run."""

RESERVE_BYTES = 64 * 1024
"""Bytes more for displays that can be updated."""

NOTICE = (
    "More was shown here than the kernel keeps for a page that is opened anew: "
    "what came next is left out.\n"
)

DISPLAYS = frozenset({"display_data", "execute_result", "error"})


class LoggedRun:
    """One execute request of a front end that names its notebook cells."""

    def __init__(
        self,
        run: str,
        notebook_cell: str,
        client: str,
        execution_count: int,
        cell_bytes: int = CELL_BYTES,
    ) -> None:
        self.run = run
        """Message id of the request: the parent of each of its messages."""
        self.notebook_cell = notebook_cell
        self.client = client
        """Session of the page that sent the request, as its header names it."""
        self.execution_count = execution_count
        self.in_foreground = True
        """The reply is not sent yet."""
        self.is_cut = False
        """Something was left out."""
        self.size = 0
        """Bytes kept."""
        self.output_count = 0
        """Outputs that a front end shows which saw all of it."""
        self.characters = 0
        """Code points of stream text likewise."""
        self.was_given_up = False
        """Its outputs were dropped for those of other runs."""
        self._limit = cell_bytes
        self._outputs: list[StreamOutput | DisplayOutput] = []
        self._last_shown: str | None = None
        """Name of the stream that the last shown output is; None for other outputs."""
        self._clear_next = False

    @property
    def display_ids(self) -> Sequence[str]:
        """Of the displays that can still be updated."""
        found = (output.display_id for output in self._outputs if isinstance(output, DisplayOutput))
        return [display_id for display_id in found if display_id is not None]

    @property
    def kept_characters(self) -> int:
        """Code points of stream text that are kept, the notice aside."""
        streams = (output.saved() for output in self._outputs if isinstance(output, StreamOutput))
        kept = sum(len(output["text"]) for output in streams)
        return kept - len(NOTICE) if self.is_cut else kept

    def outputs(self) -> list[dict[str, Any]]:
        """What a front end has to show, in the shape of the notebook format."""
        return [output.saved() for output in self._outputs]

    def rest(self) -> list[dict[str, Any]]:
        """What belongs below the outputs of a page that has more than is kept: the notice, and the
        displays that can be updated."""
        notice = {"output_type": "stream", "name": "stderr", "text": NOTICE}
        return [notice, *(output for output in self.outputs() if "transient" in output)]

    def record(self, kind: str, content: Mapping[str, Any]) -> None:
        """Take over a message that was sent; other types than those of outputs change nothing."""
        if kind == "clear_output":
            if content.get("wait"):
                self._clear_next = True
            else:
                self._clear()
        elif kind == "stream":
            self._make_room()
            self._stream(str(content["name"]), str(content["text"]))
        elif kind in DISPLAYS:
            self._make_room()
            self._display(kind, content)

    def update(self, content: Mapping[str, Any]) -> None:
        """Replace the displays that an `update_display_data` names."""
        display_id = display_id_of(content)
        size = content_size(content)
        for output in self._outputs:
            if isinstance(output, DisplayOutput) and output.display_id == display_id:
                if size is None or self.size - output.size + size > self._limit + RESERVE_BYTES:
                    self._cut()
                    return
                self.size += size - output.size
                output.content, output.size = content, size

    def give_up(self) -> None:
        """Forget the outputs to make room for those of other runs; only the notice is left."""
        self.was_given_up = True
        self._outputs.clear()
        self.size = 0
        self.is_cut = False
        self._cut()

    def _make_room(self) -> None:
        if self._clear_next:
            self._clear()

    def _clear(self) -> None:
        self._outputs.clear()
        self._last_shown = None
        self._clear_next = self.is_cut = self.was_given_up = False
        self.size = self.output_count = self.characters = 0

    def _stream(self, name: str, text: str) -> None:
        if self._last_shown != name:
            self.output_count += 1
        self._last_shown = name
        self.characters += len(text)
        if self.is_cut:
            return
        last = self._outputs[-1] if self._outputs else None
        continued = isinstance(last, StreamOutput) and last.name == name
        room = self._limit - self.size - (0 if continued else OVERHEAD)
        size = text_size(text)
        kept = text if size <= room else text.encode()[: max(0, room)].decode(errors="ignore")
        if kept:
            self._keep_text(name, kept, min(size, room))
        if size > room:
            self._cut()

    def _keep_text(self, name: str, text: str, size: int) -> None:
        last = self._outputs[-1] if self._outputs else None
        if not isinstance(last, StreamOutput) or last.name != name:
            last = StreamOutput(name)
            self._outputs.append(last)
            self.size += OVERHEAD
        last.add(text)
        self.size += size

    def _display(self, kind: str, content: Mapping[str, Any]) -> None:
        self.output_count += 1
        self._last_shown = None
        updatable = display_id_of(content) is not None
        size = content_size(content)
        limit = self._limit + (RESERVE_BYTES if updatable else 0)
        if size is None or self.size + size > limit:
            self._cut()
        elif updatable or not self.is_cut:
            self._outputs.append(DisplayOutput(kind, content, size))
            self.size += size

    def _cut(self) -> None:
        if self.is_cut:
            return
        self.is_cut = True
        notice = StreamOutput("stderr")
        notice.add(NOTICE)
        self._outputs.append(notice)
        self.size += OVERHEAD + len(NOTICE)

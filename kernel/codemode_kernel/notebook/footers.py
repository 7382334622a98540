"""Keeps the footers of yielded cells up to date, within a budget of messages.

Hundreds of cells may run in the background and the server allows 1,000 messages a second, so a
footer is written at most four times a second, one round writes at most `ROUND` of them, and only
those whose text has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from codemode_host.wire import ContentItem, TextItem

from codemode_kernel.notebook.footer import Footer, collected_footer, forgotten_footer, live_footer
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.pace import PERIOD_S
from codemode_kernel.session.cells import Cell, CellState

ROUND = 25
"""Footers written in one round."""

HINT_S = 6.0
"""How long the answer to an idle Stop stays in the footers, in seconds."""

LEFT_OVER = 4000
"""Characters kept of output that a footer shows for good."""


@dataclass
class _Shown:
    """One footer in the notebook."""

    cell: Cell
    outputs: CellOutputs
    last: Footer
    hint_until: float = 0.0
    """Until when it says how to end the cell, in seconds of the loop's clock."""
    display_id: str = field(default_factory=lambda: f"codemode-{uuid4()}")


class Footers:
    """All footers of one kernel. The round task runs only while a footer is alive."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._shown: dict[int, _Shown] = {}
        self._rounds: asyncio.Task[None] | None = None

    def open(self, cell: Cell, outputs: CellOutputs) -> None:
        """Show the footer of a cell that has just yielded, unless it has one already."""
        if cell.serial in self._shown:
            return
        footer = live_footer(cell, stop_hint=False)
        shown = _Shown(cell, outputs, footer)
        self._shown[cell.serial] = shown
        outputs.display(footer.bundle(), shown.display_id)
        if self._rounds is None:
            self._rounds = self._loop.create_task(self._run_rounds())

    def collected(
        self,
        cell: Cell,
        label: str | None,
        collector: CellOutputs | None,
        items: Sequence[ContentItem],
    ) -> None:
        """Write the last state of a footer.

        It goes out with the request of the `collector`, whose act it reports: clients that drop
        late output (nbclient) still hear it. Without one it belongs to the cell itself.
        """
        shown = self._shown.pop(cell.serial, None)
        if shown is not None:
            footer = collected_footer(cell, label, _left_over(items))
            (collector or shown.outputs).update(footer.bundle(), shown.display_id)

    def forgotten(self, cell: Cell) -> None:
        """Say that nobody can collect the cell any more."""
        if shown := self._shown.pop(cell.serial, None):
            shown.outputs.update(forgotten_footer(cell).bundle(), shown.display_id)

    def hint_how_to_end(self) -> None:
        """Answer a Stop that found nothing in the foreground, below the cells it left alone."""
        for shown in self._shown.values():
            shown.hint_until = self._loop.time() + HINT_S
        self._write_round()

    def changed(self, cell: Cell) -> None:
        """Write the footer of a cell that has ended without waiting for the next round."""
        if shown := self._shown.get(cell.serial):
            self._write(shown)

    async def close(self) -> None:
        """End the rounds; the footers stay as they are."""
        if self._rounds is not None:
            self._rounds.cancel()
            await asyncio.gather(self._rounds, return_exceptions=True)
            self._rounds = None

    async def _run_rounds(self) -> None:
        while self._shown:
            await asyncio.sleep(PERIOD_S)
            self._write_round()
        self._rounds = None

    def _write_round(self) -> None:
        written = 0
        for serial, shown in list(self._shown.items()):
            if self._write(shown):
                written += 1
                # To the back of the queue: with many footers each gets its turn.
                self._shown[serial] = self._shown.pop(serial)
            if written == ROUND:
                break

    def _write(self, shown: _Shown) -> bool:
        hint = self._loop.time() < shown.hint_until and shown.cell.state is CellState.RUNNING
        footer = live_footer(shown.cell, stop_hint=hint)
        if footer == shown.last:
            return False
        shown.last = footer
        shown.outputs.update(footer.bundle(), shown.display_id)
        return True


def _left_over(items: Sequence[ContentItem]) -> str:
    texts = [
        item.text.rstrip("\n") if isinstance(item, TextItem) else "[image or sound]"
        for item in items
    ]
    return "\n".join(texts)[-LEFT_OVER:]

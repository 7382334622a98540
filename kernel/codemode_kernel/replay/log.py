"""The newest run of each notebook cell, bounded.

Runs of clients that name no notebook cell (nbclient, a console) are not kept: nothing could be
given back to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codemode_kernel.messages.request import Request
from codemode_kernel.outputs.publisher import Send
from codemode_kernel.replay.output import display_id_of
from codemode_kernel.replay.run import CELL_BYTES, DISPLAYS, LoggedRun

ALL_BYTES = 16 * 1024 * 1024
"""Bytes kept of all runs together."""

RUNS = 2_000
"""Runs that are known; the oldest are forgotten past that."""


class OutputLog:
    """Sees each message as it is sent. The runs that were written to last are kept longest."""

    def __init__(self, cell_bytes: int = CELL_BYTES, all_bytes: int = ALL_BYTES) -> None:
        self._cell_bytes = cell_bytes
        self._all_bytes = all_bytes
        self._size = 0
        self._by_run: dict[str, LoggedRun] = {}
        """Longest untouched first."""
        self._by_cell: dict[str, LoggedRun] = {}
        self._by_display: dict[str, LoggedRun] = {}

    @property
    def size(self) -> int:
        """Bytes kept."""
        return self._size

    def begin(self, request: Request, execution_count: int) -> LoggedRun | None:
        """Keep the outputs of `request` from now on, instead of its notebook cell's last run.

        None for a request whose outputs nobody could ask for.
        """
        if request.silent or request.notebook_cell is None:
            return None
        if (last := self._by_cell.get(request.notebook_cell)) is not None:
            self._forget(last)
        client = str(request.message["header"].get("session", ""))
        run = LoggedRun(
            request.id, request.notebook_cell, client, execution_count, self._cell_bytes
        )
        self._by_run[run.run] = self._by_cell[run.notebook_cell] = run
        if len(self._by_run) > RUNS:
            self._forget(next(iter(self._by_run.values())))
        return run

    def replied(self, request: Request) -> None:
        """The reply of a request is due: the notebook cell is in the foreground no more."""
        if (run := self._by_run.get(request.id)) is not None:
            run.in_foreground = False

    def paged(self, request: Request, data: Mapping[str, str]) -> None:
        """The reply of a request carries a page, which a front end shows as one more output."""
        self._keep("display_data", {"data": data, "metadata": {}}, request.id)

    def newest_run_of(self, notebook_cell: str) -> LoggedRun | None:
        """The newest run of a notebook cell, if it is kept."""
        return self._by_cell.get(notebook_cell)

    def tee(self, send: Send) -> Send:
        """A `send` whose messages are kept here as well."""

        def send_and_keep(kind: str, content: Mapping[str, Any], parent: Mapping[str, Any]) -> None:
            send(kind, content, parent)
            self._keep(kind, content, parent["header"]["msg_id"])

        return send_and_keep

    def _keep(self, kind: str, content: Mapping[str, Any], request_id: str) -> None:
        run = self._run_shown(kind, content, request_id)
        if run is None:
            return
        before = run.size
        if kind == "update_display_data":
            run.update(content)
        else:
            run.record(kind, content)
            self._note_display(kind, content, run)
        self._size += run.size - before
        self._by_run[run.run] = self._by_run.pop(run.run)
        self._fit()

    def _run_shown(
        self, kind: str, content: Mapping[str, Any], request_id: str
    ) -> LoggedRun | None:
        """The run whose outputs a message changes. An update may come from another request."""
        if kind != "update_display_data":
            return self._by_run.get(request_id)
        display_id = display_id_of(content)
        return None if display_id is None else self._by_display.get(display_id)

    def _note_display(self, kind: str, content: Mapping[str, Any], run: LoggedRun) -> None:
        if kind in DISPLAYS and (display_id := display_id_of(content)) is not None:
            self._by_display[display_id] = run

    def _fit(self) -> None:
        if self._size <= self._all_bytes:
            return
        for run in list(self._by_run.values()):
            if not run.in_foreground and not run.was_given_up:
                self._drop_displays(run)
                before = run.size
                run.give_up()
                self._size += run.size - before
            if self._size <= self._all_bytes:
                return

    def _forget(self, run: LoggedRun) -> None:
        self._drop_displays(run)
        self._size -= run.size
        del self._by_run[run.run]
        del self._by_cell[run.notebook_cell]

    def _drop_displays(self, run: LoggedRun) -> None:
        for display_id in run.display_ids:
            if self._by_display.get(display_id) is run:
                del self._by_display[display_id]

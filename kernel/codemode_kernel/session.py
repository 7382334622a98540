"""A session: cells that share stored values, on one host, for one principal.

No Jupyter in here. Every method is called on the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from codemode_kernel.cells import Cell, Origin
from codemode_kernel.events import SessionEvent
from codemode_kernel.observation import ModelOutput, NoSink, Observation, Sink


@dataclass(frozen=True)
class SessionSettings:
    """What a user can set about sessions."""

    host_command: Sequence[str]
    """Program and arguments of a host that speaks protocol V1 on its stdin and stdout."""
    exec_yield_time_ms: int = 10_000
    """Default deadline of an exec, milliseconds; one second of grace is added from 10 s up."""
    wait_yield_time_ms: int = 10_000
    """Default deadline of a wait, likewise."""
    max_output_tokens: int = 10_000
    """Default output budget of an exec and of a wait, in tokens of 4 bytes."""
    max_uncollected_cells: int = 256
    """Ended cells that may wait to be collected; the session collects the oldest past that."""


class Session:
    """Starts cells, observes them and ends them."""

    def __init__(
        self,
        settings: SessionSettings,
        *,
        on_event: Callable[[SessionEvent], None] = lambda event: None,
        principal: str | None = None,
    ) -> None:
        """Nothing runs before `start` or the first cell.

        toolbox: what scripts can call (`toolbridge.Toolbox`), and
        process: a host that was spawned before the event loop was there, follow as arguments.
        """
        raise NotImplementedError

    # Life

    async def start(self) -> None:
        """Bring the host up ahead of the first cell; `HostUnavailable` when it does not come up."""
        raise NotImplementedError

    async def close(self) -> None:
        """End every cell, the host and its process; returns when the process is reaped."""
        raise NotImplementedError

    async def reset(self) -> None:
        """End all cells, clear the stored values, number cells from 1 again (`%reset`)."""
        raise NotImplementedError

    # Cells

    def new_cell(
        self,
        code: str,
        *,
        origin: Origin | None = None,
        tool_call_id: str | None = None,
        asker: object | None = None,
        late_sink: Sink | None = None,
    ) -> Cell:
        """A cell in state STARTING. Pass it to `run`; `stop` works on it from now on.

        `asker` (`toolbridge.Asker`) is who its nested calls may ask; None: nobody.
        """
        raise NotImplementedError

    async def run(
        self,
        cell: Cell,
        sink: Sink,
        *,
        yield_time_ms: int | None = None,
        max_output_tokens: int | None = None,
        hold: bool = False,
    ) -> Observation:
        """Start a new cell and observe it until it ends, yields or reaches the deadline.

        None takes the settings' default; `hold` sets the default deadline aside (for clients
        that would drop late output), an explicit `yield_time_ms` holds all the same.

        Raises `HostUnavailable` when the host dies or cannot be started, `CellRefused` with the host's
        words when it did not start the cell.
        """
        raise NotImplementedError

    async def wait(
        self,
        cell_id: str,
        sink: Sink,
        *,
        yield_time_ms: int | None = None,
        max_tokens: int | None = None,
        terminate: bool = False,
        collector: str = "",
    ) -> Observation:
        """Observe a yielded cell: what waits goes to `sink` at once, then what comes.

        `collector` labels the notebook cell that waits. An unknown cell is an observation with
        `missing` set (contract 3.2). Raises `CellBusy` when it is being observed already,
        `CellTerminating` for a second terminate, `StaleCell` for a cell of an earlier host, and
        `HostUnavailable` when the host died under the cell.
        """
        raise NotImplementedError

    def stop(self, cell: Cell) -> None:
        """Wish for the cell's end. Returns at once; the observation in progress then ends.

        While the cell is still starting the wish is kept and sent as soon as it has an id. A
        cell that has ended is left alone.
        """
        raise NotImplementedError

    def yield_now(self, cell: Cell) -> bool:
        """End the observation in progress as RUNNING; False when nobody observes the cell."""
        raise NotImplementedError

    @property
    def cells(self) -> Sequence[Cell]:
        """Cells that start, run or wait to be collected, oldest first."""
        raise NotImplementedError

    def collectable(self) -> Sequence[Cell]:
        """Cells that nobody observes, oldest first: what `%wait --all` collects."""
        raise NotImplementedError

    def newest_collectable(self) -> Cell | None:
        """What a bare `%wait` waits for: the newest unobserved cell that has ended or has output
        waiting, else the newest that runs."""
        raise NotImplementedError

    def find(self, cell_id: str) -> Cell | None:
        """The cell of that public id; raises `StaleCell` for an id of an earlier host."""
        raise NotImplementedError

    # Stored values

    async def stored_values(self) -> Mapping[str, str]:
        """Key to JSON text of every stored value; `NotOffered` where the host cannot list."""
        raise NotImplementedError

    async def clear_stored_values(self) -> None:
        """Forget every stored value; `NotOffered` where the host cannot."""
        raise NotImplementedError

    # As a model calls it

    async def exec_text(
        self, source: str, *, tool_call_id: str | None = None, sink: Sink | None = None
    ) -> list[ModelOutput]:
        """The `exec` tool: raw source with or without a pragma; gives what a model gets.

        The result comes first, then each notification as an output of its own. Errors found
        before anything ran are a bare string (model view 2).
        """
        raise NotImplementedError

    async def wait_json(self, arguments: str, *, sink: Sink | None = None) -> list[ModelOutput]:
        """The `wait` tool: its arguments as JSON text; gives what a model gets."""
        raise NotImplementedError


__all__ = ["NoSink", "Session", "SessionSettings"]

"""What completion knows of the session beside the text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from codemode_kernel.errors import SessionError
from codemode_kernel.session.cells import Cell
from codemode_kernel.session.session import Session
from toolbridge import Catalog

PATIENCE_S = 0.010
"""How long the host may take to say what is stored, in seconds; an older answer is used then."""


@dataclass(frozen=True)
class Surroundings:
    """A session at one moment."""

    catalog: Catalog = field(default_factory=lambda: Catalog(()))
    stored: Mapping[str, str] = field(default_factory=dict)
    """Key to JSON text of the stored values."""
    cells: Sequence[Cell] = ()
    """Cells that can be waited for, newest first."""
    servers: Sequence[str] = ()
    """Names of the MCP servers, in alphabetical order."""

    @property
    def sources(self) -> Sequence[str]:
        """Ids of the sources of tools."""
        return list(dict.fromkeys(tool.source for tool in self.catalog.tools))


class Lookout:
    """Looks at a session without ever waiting for it."""

    def __init__(
        self,
        session: Session,
        catalog: Callable[[], Catalog],
        servers: Callable[[], Sequence[str]],
    ) -> None:
        """`servers` gives the names of the MCP servers."""
        self._session = session
        self._catalog = catalog
        self._servers = servers
        self._stored: Mapping[str, str] = {}
        self._asking: asyncio.Task[None] | None = None

    async def look(self, *, stored: bool, servers: bool = False) -> Surroundings:
        """The session now.

        Only with `stored` is the host asked for the stored values, and only with `servers` are
        their names looked up.
        """
        if stored:
            await self._ask_for_a_moment()
        cells = self._session.collectable()[::-1]
        names = self._servers() if servers else ()
        return Surroundings(self._catalog(), self._stored, cells, names)

    def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()

    async def _ask_for_a_moment(self) -> None:
        if self._session.host_pid is None:
            self._stored = {}  # and no host is started for a question
            return
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        await asyncio.wait({self._asking}, timeout=PATIENCE_S)

    async def _ask(self) -> None:
        try:
            self._stored = await self._session.stored_values()
        except SessionError:
            self._stored = {}  # a host that cannot tell, or is just ending

"""A page that is gone without a word is given up. No kernel."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from codemode_kernel.control import fronts as fronts_module
from codemode_kernel.control.front import Message
from codemode_kernel.control.fronts import Fronts


class SilentComm:
    """The kernel's end of a comm whose page says nothing."""

    def __init__(self) -> None:
        self.closed = asyncio.Event()

    def send(self, data: dict[str, Any]) -> None:
        pass

    def close(self) -> None:
        self.closed.set()

    def on_msg(self, callback: Callable[[Message], None] | None) -> None:
        pass

    def on_close(self, callback: Callable[[Message], None] | None) -> None:
        pass


async def test_a_silent_page_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fronts_module, "LEASE_S", 0.0)
    monkeypatch.setattr(fronts_module, "IDLE_ROUND_S", 0.01)
    rooms: Any = SimpleNamespace(shell=SimpleNamespace(shells=lambda: []))
    fronts = Fronts(rooms)
    comm = SilentComm()
    fronts.admit(comm, {"header": {"session": "gone"}, "content": {}}, [])
    async with asyncio.timeout(15):
        await comm.closed.wait()
    assert not fronts.attached
    await fronts.close()

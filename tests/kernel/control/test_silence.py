"""A page that is gone without a word is given up, whatever became of its comm. No kernel."""

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


class ForgottenComm(SilentComm):
    """One whose id another comm took, and was closed: the comm manager knows it no more."""

    def close(self) -> None:
        super().close()
        raise KeyError("its id")


def fronts_without_a_kernel() -> Fronts:
    rooms: Any = SimpleNamespace(shell=SimpleNamespace(shells=lambda: []))
    return Fronts(rooms)


OPENED: Message = {"header": {"session": "gone"}, "content": {}}


async def test_a_forgotten_comm_keeps_no_other_page_from_being_closed() -> None:
    fronts = fronts_without_a_kernel()
    forgotten, other = ForgottenComm(), SilentComm()
    fronts.admit(forgotten, OPENED, [])
    fronts.admit(other, OPENED, [])
    await fronts.close()
    assert forgotten.closed.is_set()
    assert other.closed.is_set()


async def test_a_silent_page_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fronts_module, "LEASE_S", 0.0)
    monkeypatch.setattr(fronts_module, "IDLE_ROUND_S", 0.01)
    fronts = fronts_without_a_kernel()
    comm = SilentComm()
    fronts.admit(comm, OPENED, [])
    async with asyncio.timeout(15):
        await comm.closed.wait()
    assert not fronts.attached
    await fronts.close()

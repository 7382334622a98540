"""Sync functions run in threads, in the caller's context, and can be interrupted."""

import asyncio
import contextvars
import threading

import pytest
from toolbridge.child.threads import in_thread

colour = contextvars.ContextVar("colour", default="none")


async def test_value_and_context() -> None:
    colour.set("red")

    assert await in_thread(lambda: (colour.get(), threading.current_thread().daemon)) == (
        "red",
        True,
    )


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3), KeyboardInterrupt()])
async def test_whatever_is_raised_reaches_the_caller(error: BaseException) -> None:
    def fail() -> None:
        raise error

    caught = None
    try:
        await in_thread(fail)
    except BaseException as raised:  # noqa: BLE001
        caught = raised
    assert caught is error


async def test_cancellation_interrupts_and_waits_for_the_cleaning_up() -> None:
    loop = asyncio.get_running_loop()
    begun = asyncio.Event()
    steps = []

    def stay() -> None:
        pause = threading.Event()
        try:
            loop.call_soon_threadsafe(begun.set)
            while True:
                pause.wait(0.01)
        except KeyboardInterrupt:
            steps.append("interrupted")
            raise

    call = asyncio.create_task(in_thread(stay))
    await begun.wait()
    call.cancel()
    await asyncio.wait({call})

    assert call.cancelled()
    assert steps == ["interrupted"]

"""Stream text is gathered into few messages, and never held back for long."""

import asyncio

import pytest
from codemode_kernel.outputs.coalescer import SIZE, Coalescer


class Published(list[str]):
    """Collects messages; `grown` waits for the next one."""

    def __init__(self) -> None:
        super().__init__()
        self._news = asyncio.Event()

    def __call__(self, text: str) -> None:
        self.append(text)
        self._news.set()

    async def grown(self) -> None:
        await self._news.wait()
        self._news.clear()


@pytest.fixture
def published() -> Published:
    return Published()


@pytest.fixture
async def coalescer(published: Published) -> Coalescer:
    return Coalescer(published, asyncio.get_running_loop())


async def test_the_first_piece_goes_out_at_once(coalescer: Coalescer, published: Published) -> None:
    coalescer.write("a\n")
    assert published == ["a\n"]


async def test_what_follows_is_gathered_for_one_interval(
    coalescer: Coalescer, published: Published
) -> None:
    coalescer.write("a\n")
    await published.grown()
    for piece in ("b\n", "c\n", "d\n"):
        coalescer.write(piece)
    assert published == ["a\n"]
    await published.grown()
    assert published == ["a\n", "b\nc\nd\n"]


async def test_a_large_piece_does_not_wait(coalescer: Coalescer, published: Published) -> None:
    coalescer.write("a\n")
    coalescer.write("b" * SIZE)
    assert published == ["a\n", "b" * SIZE]


async def test_flushing_publishes_what_is_held_back_once(
    coalescer: Coalescer, published: Published
) -> None:
    coalescer.write("a\n")
    coalescer.write("b\n")
    coalescer.flush()
    coalescer.flush()
    assert published == ["a\n", "b\n"]
    coalescer.write("c\n")
    await published.grown()
    await published.grown()
    assert published == ["a\n", "b\n", "c\n"]

"""Runs a few decoder processes: each takes one image at a time, and is replaced when it dies."""

from __future__ import annotations

import asyncio
import binascii
import os
import sys
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from codemode_rules.image_header import read_image_header
from codemode_rules.image_size import ImageLimits

from toolbridge.media import decoder

PROGRAM = (sys.executable, "-I", str(Path(decoder.__file__)))

MOST = 2
"""Processes at a time."""

DECODE_S = 30.0
"""How long one image may take, the start of a process included, in seconds."""

LARGE_PIXELS = 16_000_000
"""An image of more pixels, or of who knows how many, is decoded while no other one is."""

HEADER_CHARACTERS = 64 * 1024
"""Base64 in which the size of an image is looked for."""

PIPE_BYTES = 4 * 1024 * 1024
"""What is read at a time of an answer, at most."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """An image that can be shown."""

    media_type: str
    payload: str | None
    """Base64 of another image; None: the bytes stay as they are."""
    sha256: str
    """Of the image as it came, in hex."""
    size: int
    """Bytes of it."""


class Decoders:
    """The decoder processes of one kernel. Nothing runs before the first image."""

    def __init__(self, most: int = MOST, decode_s: float = DECODE_S) -> None:
        self._decode_s = decode_s
        self._idle: list[asyncio.subprocess.Process] = []
        self._most = max(1, min(most, os.cpu_count() or 1))
        self._places = asyncio.Semaphore(self._most)
        self._one_large = asyncio.Lock()
        self._starting = asyncio.Lock()
        self._closed = False

    async def decode(self, payload: str, limits: ImageLimits) -> Decoded | None:
        """Look into the image that `payload` holds as base64; None: it cannot be processed."""
        async with self._room_for(payload):
            if self._closed:
                return None
            try:
                async with asyncio.timeout(self._decode_s), self._process() as process:
                    return await _ask(process, payload, limits)
            except (TimeoutError, OSError, EOFError):
                return None

    @asynccontextmanager
    async def _room_for(self, payload: str) -> AsyncIterator[None]:
        """A place among the processes; all of them for a large image, which takes much memory."""
        if not _is_large(payload):
            async with self._places:
                yield
            return
        async with self._one_large, AsyncExitStack() as places:
            for _ in range(self._most):
                await places.enter_async_context(self._places)
            yield

    @asynccontextmanager
    async def _process(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """A process for one image; one that did not get through it is ended."""
        process = self._living() or await self._start_in_turn()
        try:
            yield process
        except BaseException:
            _kill(process)
            raise
        if self._closed:
            _kill(process)
        else:
            self._idle.append(process)

    def _living(self) -> asyncio.subprocess.Process | None:
        """One that is idle; what ended it meanwhile, such as a lack of memory, costs no image."""
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        return None

    async def _start_in_turn(self) -> asyncio.subprocess.Process:
        """Start one process: that holds the loop up for some milliseconds, so never two at a time."""
        async with self._starting:
            await asyncio.sleep(0)
            return await _start()

    async def close(self) -> None:
        """End the processes."""
        self._closed = True
        idle, self._idle = self._idle, []
        for process in idle:
            _kill(process)
        await asyncio.gather(*(process.wait() for process in idle))


def _is_large(payload: str) -> bool:
    try:
        header = read_image_header(b64decode(payload[:HEADER_CHARACTERS] + "==="))
    except (binascii.Error, ValueError):
        return False  # it will not be decoded either
    if header is None or header.size is None:
        return header is not None
    width, height = header.size
    return width * height > LARGE_PIXELS


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
        limit=PIPE_BYTES,
    )


async def _ask(
    process: asyncio.subprocess.Process, payload: str, limits: ImageLimits
) -> Decoded | None:
    assert process.stdin is not None
    assert process.stdout is not None
    data = payload.encode("ascii", "replace")
    process.stdin.write(decoder.REQUEST.pack(limits.max_dimension, limits.max_patches, len(data)))
    process.stdin.write(data)
    await process.stdin.drain()
    header = await process.stdout.readexactly(decoder.ANSWER.size)
    verdict, length, digest, size = decoder.ANSWER.unpack(header)
    text = (await process.stdout.readexactly(length)).decode("ascii")
    if verdict == decoder.REFUSED:
        return None
    media_type, _, remade = text.partition(";base64,")
    return Decoded(media_type, remade if verdict == decoder.REMADE else None, digest.hex(), size)


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()

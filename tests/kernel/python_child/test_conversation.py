"""How a process is met: no output is missed, whatever it says first."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from typing import Any

import pytest
from codemode_kernel.python_child.conversation import Conversation
from codemode_kernel.python_child.process import CHANNELS
from codemode_kernel.python_child.run import Run

from tests.patience import PATIENCE_S

SILENT_KERNEL = """
import sys
from ipykernel.iostream import IOPubThread
from ipykernel.kernelapp import launch_new_instance
IOPubThread._setup_xpub_listener = lambda self: None  # it never hears of a subscription
launch_new_instance(["-f", sys.argv[1]])
"""


@pytest.fixture
async def silent_kernel(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Any]:
    """The connection of an ipykernel that welcomes nobody."""
    folder = tmp_path_factory.mktemp("k")
    ports = {f"{channel}_port": port for port, channel in enumerate(CHANNELS, 1)}
    connection = {"transport": "ipc", "ip": str(folder / "z"), **ports, "key": "k"}
    connection["signature_scheme"] = "hmac-sha256"
    file = folder / "c.json"
    file.write_text(json.dumps(connection))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SILENT_KERNEL, str(file)), stdout=DEVNULL, stderr=DEVNULL
    )
    yield connection
    process.kill()
    await process.wait()


async def test_output_is_heard_of_a_process_that_sends_no_welcome(silent_kernel: Any) -> None:
    heard: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        conversation = await Conversation.open(silent_kernel)
        run = Run(lambda message: heard.append(str(message.content)), None, lambda: None)
        conversation.execute(run, "print('hello')", None)
        await run.finished()
    await conversation.close()
    assert any("hello" in content for content in heard)

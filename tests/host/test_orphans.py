"""Whatever ends the host, or its client, no process is left behind."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import psutil
import pytest
from codemode_host.framing import frame
from codemode_host.wire import Hello, encode

from tests.host.raw_host import RawHost
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

SITUATIONS = {
    "at rest": None,
    "in a cell": "while (true) {}",
    "in a tool call": "await tools.t()",
    "with output on its way": "for (;;) text('x'.repeat(1000))",
    "yielded": "yield_control(); await new Promise(() => {})",
}


@pytest.fixture(params=SITUATIONS)
async def host(
    host_command: Sequence[str], request: pytest.FixtureRequest
) -> AsyncIterator[RawHost]:
    """A host in each of the situations."""
    async with RawHost(host_command) as host:
        await host.open()
        host.execute("text('warm')")
        await host.until_type("cell/closed")
        source = SITUATIONS[request.param]
        if source is not None:
            host.execute(source)
            await host.until_type("operation/response")
        if request.param == "in a tool call":
            await host.until_type("delegate/request")
        yield host


def assert_all_end(session: int) -> None:
    """The session that a host led loses its last process; zombies are somebody else's to reap."""
    deadline = time.monotonic() + PATIENCE_S
    while running := [process for process in psutil.process_iter() if runs_in(process, session)]:
        assert time.monotonic() < deadline, running
        psutil.wait_procs(running, timeout=0.1)


def runs_in(process: psutil.Process, session: int) -> bool:
    try:
        in_session = os.getsid(process.pid) == session
        return in_session and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


async def test_the_host_is_killed(host: RawHost) -> None:
    assert len(psutil.Process(host.process.pid).children(recursive=True)) >= 2
    host.process.kill()
    await host.end()
    assert_all_end(host.process.pid)


async def test_the_client_hangs_up(host: RawHost) -> None:
    host.close_stdin()
    assert (await host.end())[0] == 0
    assert_all_end(host.process.pid)


async def test_the_client_breaks_the_protocol(host: RawHost) -> None:
    host.send_bytes(frame(b"nonsense"))
    assert (await host.end())[0] == 1
    assert_all_end(host.process.pid)


def test_the_client_dies_while_its_end_of_the_pipe_lives_on(host_command: Sequence[str]) -> None:
    ours, theirs = socket.socketpair()
    script = Path(__file__).with_name("doomed_client.py")
    with (
        ours,
        subprocess.Popen(
            [sys.executable, script, str(theirs.fileno()), *host_command],
            stdout=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        ) as client,
    ):
        theirs.close()
        assert client.stdout is not None
        client.stdout.readline()
        ours.settimeout(PATIENCE_S)
        ours.sendall(frame(encode(Hello([1], [], []))))
        assert ours.recv(4096)
        client.kill()
        client.wait()
        assert_all_end(client.pid)

"""A host that is killed leaves nothing running, whatever its cells were doing."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from codemode_host.engine.interpreter import command

from tests.host.engine.conftest import MODES
from tests.patience import PATIENCE_S

HOST = """
import asyncio
from codemode_host.engine.workers import Workers, make_launcher
from codemode_host.engine.zygote import fork_zygote
from tests.host.engine.stage import Engine

async def main(zygote):
    engine = Engine(Workers(make_launcher("MODE", zygote)))
    await engine.workers.start()
    for rest in ("for (;;);", "await new Promise(() => {})", "for (;;) text('flood')"):
        cell = await engine.start(f"text('begun'); {rest}")
        await cell.until(lambda run: run.texts)
    print("running", flush=True)
    await asyncio.Event().wait()

asyncio.run(main(fork_zygote() if "MODE" == "fork" else None))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's parent-death signal")
@pytest.mark.parametrize("mode", MODES)
def test_a_killed_host_leaves_no_process(mode: str) -> None:
    program = HOST.replace("MODE", mode)
    # The program sees the path of this interpreter, whose first entry is the tests' root.
    statement = f"exec({program!r}, {{'__name__': 'host'}})"
    with subprocess.Popen(
        command(statement), stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"running\n"
        family = psutil.Process(host.pid).children(recursive=True)
        assert len(family) >= 3
        host.kill()
    _, alive = psutil.wait_procs(family, timeout=PATIENCE_S)
    assert alive == []

"""What a worker cannot do any more, tried from inside."""

import json
import os
import subprocess
import sys

import pytest
from codemode_host.engine.hardening.layers import ACTIVE
from codemode_host.engine.hardening.seccomp import filter_code
from codemode_host.engine.interpreter import command, environment

from tests.host.engine.stage import Engine
from tests.patience import PATIENCE_S

LINUX = sys.platform == "linux"

# Run as a program: hardens itself as a worker does, then tries what is forbidden.
PROBE = """
import ctypes, json, os, signal, socket, subprocess, sys
from codemode_host.engine.hardening import layers
libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()
results = {"layers": {**layers.harden_for_good(), **layers.harden_worker(parent)}}
attempts = {
    "read a file": lambda: os.open("/etc/passwd", os.O_RDONLY),
    "write a file": lambda: os.open("/tmp/codemode-probe", os.O_WRONLY | os.O_CREAT),
    "list a folder": lambda: os.listdir("/"),
    "open a socket": lambda: socket.socket(),
    "start a process": os.fork,
    "run a program": lambda: os.execv("/bin/true", ["true"]),
    "signal the parent": lambda: os.kill(parent, signal.SIGTERM),
    "duplicate a descriptor": lambda: os.dup(1),
    "trace the parent": lambda: libc.ptrace(16, parent, 0, 0) == 0 or 1 / 0,
}
for name, attempt in attempts.items():
    try:
        attempt()
    except (OSError, ZeroDivisionError):
        results[name] = "refused"
    else:
        results[name] = "done"
results["environment"] = sorted(os.environ)
results["memory"] = len(bytearray(1 << 24))
os.write(1, json.dumps(results).encode())
os._exit(0)
"""


@pytest.fixture(scope="module")
def probe() -> dict[str, object]:
    secrets = {**environment(), "TOKEN": "secret", "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        command(PROBE), env=secrets, capture_output=True, check=True, timeout=PATIENCE_S
    )
    result: dict[str, object] = json.loads(done.stdout)
    return result


@pytest.mark.skipif(not LINUX, reason="the locks are Linux's")
@pytest.mark.parametrize(
    "deed",
    [
        "read a file",
        "write a file",
        "list a folder",
        "open a socket",
        "start a process",
        "run a program",
        "signal the parent",
        "duplicate a descriptor",
        "trace the parent",
    ],
)
def test_a_worker_cannot(probe: dict[str, object], deed: str) -> None:
    assert probe[deed] == "refused"


def test_a_worker_can_still_work(probe: dict[str, object]) -> None:
    assert probe["memory"] == 1 << 24


def test_a_worker_knows_the_time_zone_and_no_other_variable(probe: dict[str, object]) -> None:
    assert probe["environment"] == ["TZ"]


async def test_a_worker_reports_its_layers(engine_in_each_mode: Engine) -> None:
    await engine_in_each_mode.workers.take()
    layers = engine_in_each_mode.workers.layers
    assert {"niceness", "parent-death", "environment", "limits"} <= set(layers)
    assert layers["environment"] == layers["limits"] == ACTIVE


async def test_the_users_time_zone_holds_in_cells(
    engine_in_new_york: Engine,
) -> None:
    run = await engine_in_new_york.run("""
        const winter = new Date('2024-01-15T12:00:00Z'), summer = new Date('2024-07-15T12:00:00Z');
        text([winter.getHours(), summer.getHours(), winter.getTimezoneOffset()]);
    """)
    assert run.texts == ["[7,8,300]"]


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_allowed_call_jumps_to_the_same_end(machine: str) -> None:
    code = filter_code(machine)
    instructions = [code[i : i + 8] for i in range(0, len(code), 8)]
    allow = len(instructions) - 1
    tests = [(i, row) for i, row in enumerate(instructions) if row[0] == 0x15 and i > 1]
    assert len(tests) > 20
    assert {i + 1 + row[2] for i, row in tests} == {allow}


def test_an_unknown_machine_is_said_to_be_unknown() -> None:
    with pytest.raises(OSError, match="no system call table for riscv64"):
        filter_code("riscv64")


def test_only_the_time_zone_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Rome")
    monkeypatch.setenv("SECRET", os.urandom(4).hex())
    assert environment() == {"TZ": "Europe/Rome"}

"""What shell commands print is kept in all, whoever reads how much of it."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from codemode_kernel.captures.capture import Capture
from codemode_kernel.captures.folder import CaptureFolder
from codemode_kernel.captures.shells import ShellCaptures
from codemode_kernel.captures.writer import Writer
from codemode_kernel.record import CaptureState

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook
from tests.patience import PATIENCE_S

LAST = 3_000_000
"""`seq` to it prints 22 MiB, of which 16 MiB are kept between two reads."""


@pytest.fixture(scope="module")
def shells(start_kernel: StartKernel, runtime: Path) -> Notebook:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_RUNTIME_DIR", str(runtime))
        return start_kernel(gate_rules=[{"decision": "allow"}])


def tables(notebook: Notebook) -> str:
    shown = notebook.run("%cells").of("display_data")
    return "\n".join(content["data"]["text/plain"] for content in shown)


def test_a_small_output_needs_no_file_and_no_tool(shells: Notebook, runtime: Path) -> None:
    cell = shells.run(
        "await tools.exec_command({cmd: 'echo small'}); text(typeof tools.read_capture)"
    )
    assert cell.text() == "undefined\n"
    assert list(runtime.rglob("shell-*")) == []
    assert shells.run("%view shell-1 --full").text() == "small\n"


def test_polls_that_are_cut_lose_nothing(shells: Notebook) -> None:
    begun = shells.run(
        "const c = await tools.exec_command({cmd: 'seq 500; read line; seq $line', "
        "yield_time_ms: 300, max_output_tokens: 5});"
        "store('id', c.session_id); text(c.session_id)"
    )
    session_id = begun.text().strip()
    row = next(line for line in tables(shells).splitlines() if line.startswith(session_id))
    assert re.search(r"\d (bytes|kB)", row)
    ended = shells.run(
        "const r = await tools.write_stdin({session_id: load('id'), chars: '3\\n', "
        "yield_time_ms: 30000, max_output_tokens: 1});"
        "text(r.exit_code); "
        "text('read: ' + JSON.stringify(await tools.read_capture({session_id: load('id')})))"
    )
    code, read = ended.text().splitlines()
    assert code == "0"
    piece = json.loads(read.removeprefix("read: "))
    printed = "".join(f"{n}\n" for n in (*range(1, 501), 1, 2, 3))
    assert piece == {
        "state": "complete",
        "bytes": len(printed),
        "captured_bytes": len(printed),
        "text": printed,
    }


@pytest.mark.slow
def test_what_a_flood_pushes_out_between_two_reads_is_kept(shells: Notebook, runtime: Path) -> None:
    cell = shells.run(
        f"const r = await tools.exec_command({{cmd: 'seq {LAST}', yield_time_ms: 30000}});"
        "text(r.output.includes('bytes of output left out'))"
    )
    assert cell.text() == "true\n"
    printed = "".join(f"{n}\n" for n in range(1, LAST + 1)).encode()
    kept = tables(shells).splitlines()[-1].split()
    assert kept[0].startswith("shell-")
    assert "lost" not in kept
    (path,) = runtime.rglob(f"{kept[0]}.txt")
    assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(printed).digest()
    offset = len(printed) // 2
    middle = shells.run(
        f"const p = await tools.read_capture({{cell_id: '{kept[0]}', offset: {offset}, limit: 40}});"
        "text(p.text)"
    )
    assert middle.text() == printed[offset : offset + 40].decode() + "\n" * (
        printed[offset + 39] != 10
    )


def test_one_that_is_not_kept_is_told(shells: Notebook) -> None:
    cell = shells.run(
        "for (const which of [{session_id: 1}, {cell_id: 'shell-99'}, {}]) "
        "await tools.read_capture(which).catch(text)"
    )
    assert cell.text().splitlines() == [
        "no output of shell session 1 is kept",
        "no output of shell-99 is kept",
        "give the cell_id of a cell or the session_id of a shell session",
    ]


async def test_what_is_too_much_is_counted_and_said_to_be_lost(tmp_path: Path) -> None:
    folder, writer = CaptureFolder(tmp_path / "captures"), Writer()
    files: list[str] = []
    captures = ShellCaptures(
        lambda name: Capture(name, folder, writer, stream_bytes=10), lambda: files.append("told")
    )
    shell = captures.begin("yes", "3")
    for piece in ("a", "b", "c\n"):
        shell.take(piece)
    assert files == []
    shell.shorten()
    shell.take("1234567890")
    shell.take("z")
    shell.finish()
    await shell.capture.settled(PATIENCE_S)
    snapshot = shell.snapshot()
    assert (snapshot.state, snapshot.bytes, snapshot.captured_bytes) == (
        CaptureState.PARTIAL,
        15,
        4,
    )
    assert shell.capture.read(0, 100) == b"abc\n"
    assert files
    assert captures.in_files() == [shell]
    captures.reset()
    assert captures.of("shell-1") is None
    folder.remove()
    writer.close()

"""What shell commands print is kept in all, whoever reads how much of it."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from codemode_kernel.captures.capture import Capture
from codemode_kernel.captures.folder import CaptureFolder
from codemode_kernel.captures.shells import ShellCaptures
from codemode_kernel.captures.writer import Writer
from codemode_kernel.record import CaptureState
from toolbridge.shell.streams import Stream

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Execution, Notebook
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
    (path,) = runtime.rglob(f"{kept[0]}.stdout.txt")
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
        "for (const which of [{session_id: 1}, {cell_id: 'shell-99'}, {}, "
        "{cell_id: 'shell-1.stdin'}, {cell_id: 'shell-99', stream: 'stderr'}]) "
        "await tools.read_capture(which).catch(text)"
    )
    assert cell.text().splitlines() == [
        "no output of shell session 1 is kept",
        "no output of shell-99 is kept",
        "give the cell_id of a cell or the session_id of a shell session",
        "no output of shell-1.stdin is kept",
        "no output of shell-99.stderr is kept",
    ]


def test_each_stream_can_be_read_by_itself_and_both_together(shells: Notebook) -> None:
    shells.run(
        "const c = await tools.exec_command({yield_time_ms: 0, "
        "cmd: 'read x; seq 30; read x; seq 5 >&2; read x; seq 100 500'}); store('id', c.session_id)"
    )
    ended = shells.run(
        "const session_id = load('id');"
        "for (const end of ['30\\n', '5\\n']) {"
        "  let seen = '', chars = '\\n';"
        "  while (!seen.endsWith(end)) {"
        "    seen += (await tools.write_stdin({session_id, chars, yield_time_ms: 50})).output;"
        "    chars = '';"
        "  }"
        "}"
        "await tools.write_stdin({session_id, chars: '\\n', yield_time_ms: 30000, "
        "max_output_tokens: 1});"
        "for (const which of [{}, {stream: 'stdout'}, {stream: 'stderr'}]) "
        "text('read: ' + JSON.stringify(await tools.read_capture({session_id, ...which})))"
    )
    begin, middle, end = (
        "".join(f"{n}\n" for n in numbers)
        for numbers in (range(1, 31), range(1, 6), range(100, 501))
    )
    pieces = read_pieces(ended)
    assert [piece["text"] for piece in pieces] == [begin + middle + end, begin + end, middle]
    assert [piece["state"] for piece in pieces] == ["complete"] * 3
    assert pieces[0]["bytes"] == pieces[1]["bytes"] + pieces[2]["bytes"]


def read_pieces(cell: Execution) -> list[dict[str, Any]]:
    """What a cell has printed of `read_capture`, a line a call."""
    return [json.loads(line.removeprefix("read: ")) for line in cell.text().splitlines()]


def newest(notebook: Notebook) -> str:
    """The name of the newest output that is kept in files."""
    return tables(notebook).splitlines()[-1].split()[0]


def test_a_person_sees_each_stream_or_both(shells: Notebook, runtime: Path) -> None:
    shells.run(
        "await tools.exec_command({cmd: 'seq 300; echo oh no >&2', max_output_tokens: 1}); text(1)"
    )
    name = newest(shells)
    row = tables(shells).splitlines()[-1]
    assert re.search(r"cell \d+ +1 kB +6 bytes +%view", row)
    whole = shells.run(f"%view {name} --full")
    assert sorted(whole.text().split()) == sorted([*map(str, range(1, 301)), "oh", "no"])
    lines = [content["data"]["text/plain"] for content in whole.of("display_data")]
    assert [line.partition(" · ")[0] for line in lines] == [
        f"[Output of {name}.stdout: 1,092 bytes, complete",
        f"[Output of {name}.stderr: 6 bytes, complete",
    ]
    one = shells.run(f"%view {name}.stderr --full")
    assert one.text() == "oh no\n"
    (line,) = one.of("display_data")
    assert line["data"]["text/plain"].startswith(f"[Output of {name}.stderr: 6 bytes, complete · ")
    assert sorted(path.name for path in runtime.rglob(f"{name}.*")) == [
        f"{name}.stderr.txt",
        f"{name}.stdout.txt",
    ]


def test_a_stream_that_printed_nothing_makes_no_file(shells: Notebook, runtime: Path) -> None:
    shells.run("await tools.exec_command({cmd: 'seq 300 >&2', max_output_tokens: 1}); text(1)")
    name = newest(shells)
    assert [path.name for path in runtime.rglob(f"{name}.*")] == [f"{name}.stderr.txt"]
    nothing = shells.run(f"%view {name}.stdout --full")
    assert nothing.text() == ""
    (line,) = nothing.of("display_data")
    assert line["data"]["text/plain"] == f"[Output of {name}.stdout: 0 bytes, complete]"
    (line,) = shells.run(f"%view {name} --full").of("display_data")
    assert line["data"]["text/plain"].startswith(f"[Output of {name}.stderr: ")
    cell = shells.run(
        f"for (const cell_id of ['{name}.stdout', '{name}.stderr', '{name}']) "
        "text('read: ' + JSON.stringify(await tools.read_capture({cell_id, limit: 4})));"
        "text('read: ' + JSON.stringify(await tools.read_capture("
        f"{{cell_id: '{name}', stream: 'stderr', limit: 4}})))"
    )
    assert [piece["text"] for piece in read_pieces(cell)] == ["", "1\n2\n", "1\n2\n", "1\n2\n"]


async def test_what_is_too_much_is_counted_and_said_to_be_lost(tmp_path: Path) -> None:
    folder, writer = CaptureFolder(tmp_path / "captures"), Writer()
    files: list[str] = []
    captures = ShellCaptures(
        lambda name: Capture(name, folder, writer, stream_bytes=10), lambda: files.append("told")
    )
    shell = captures.begin("yes", "3")
    for piece in ("a", "b", "c\n"):
        shell.take(piece, Stream.STDOUT)
    assert files == []
    shell.shorten()
    shell.take("whole\n", Stream.STDERR)
    shell.take("1234567890", Stream.STDOUT)
    shell.take("z", Stream.STDOUT)
    shell.finish()
    await shell.merged.settled(PATIENCE_S)
    snapshots = [shell.streams[stream].snapshot() for stream in Stream] + [shell.merged.snapshot()]
    assert [(one.state, one.bytes, one.captured_bytes) for one in snapshots] == [
        (CaptureState.PARTIAL, 15, 4),
        (CaptureState.COMPLETE, 6, 6),
        (CaptureState.PARTIAL, 21, 10),
    ]
    assert shell.streams[Stream.STDOUT].read(0, 100) == b"abc\n"
    assert shell.merged.read(0, 100) == b"abc\nwhole\n"
    assert files
    assert captures.in_files() == [shell]
    captures.reset()
    assert captures.named("shell-1") is None
    assert captures.named("shell-1.stderr") is None
    folder.remove()
    writer.close()

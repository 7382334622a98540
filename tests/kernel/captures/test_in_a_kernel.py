"""What a budget cuts is found again: by the person, by a later cell, and in the record."""

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from codemode_kernel.outputs.outputs import MAX_DISPLAYS

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook

TRUNCATED = "// @exec: {\"max_output_tokens\": 5}\ntext('é' + 'x'.repeat(4000)); text('end')"


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime folder of its own, in which the kernels of a test leave their captures."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    return tmp_path / "codemode-captures"


def captures(runtime: Path) -> list[Path]:
    return sorted(runtime.glob("*/cell-*"))


def plain(notebook: Notebook, line: str) -> str:
    (shown,) = notebook.run(line).of("display_data")
    return str(shown["data"]["text/plain"])


def capture_status(notebook: Notebook) -> str:
    """What `%status` says of captures."""
    (line,) = re.findall(r"^capture .*", plain(notebook, "%status"), re.MULTILINE)
    return str(line)


def test_what_was_cut_is_there_until_the_session_ends(
    runtime: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel()
    notebook.run("text('small')")
    assert not runtime.exists()
    run = notebook.run(TRUNCATED)
    capture = run.record["capture"]
    assert capture["state"] == "complete"
    assert capture["bytes"] == capture["captured_bytes"] == 4007
    (path,) = captures(runtime)
    assert runtime.parent / capture["path"] == path
    cell_id = run.record["cell_id"]
    assert f"`%view {cell_id} --full` shows all of it]" in (run.quiet_line or "")

    full = notebook.run(f"%view {cell_id} --full")
    assert full.text() == "é" + "x" * 4000 + "\nend\n"
    assert str(path) in full.of("display_data")[0]["data"]["text/plain"]

    assert read_by_a_cell(notebook, cell_id) == "é" + "x" * 4000 + "\nend\n"
    notebook.run("%reset")
    assert captures(runtime) == []
    notebook.run(TRUNCATED)
    assert captures(runtime) != []
    notebook.manager.shutdown_kernel()
    assert list(runtime.iterdir()) == []


def read_by_a_cell(notebook: Notebook, cell_id: str) -> str:
    """Piece by piece, so small that one ends inside a character."""
    run = notebook.run(
        f"""
        let offset = 0, whole = "";
        while (offset !== undefined) {{
          const piece = await tools.read_capture({{cell_id: "{cell_id}", offset, limit: 997}});
          whole += piece.text;
          offset = piece.next_offset;
        }}
        text(whole)
        """
    )
    return run.text()


def test_small_outputs_are_shown_whole_from_memory(notebook: Notebook) -> None:
    notebook.run("text('one'); text('two')")
    full = notebook.run("%view --full")
    assert full.text() == "one\ntwo\n"
    assert "8 bytes, complete" in full.of("display_data")[0]["data"]["text/plain"]


def test_the_tool_is_there_once_it_can_read_something(
    runtime: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel()
    asks = "text(String(typeof tools.read_capture))"
    assert notebook.run(asks).text() == "undefined\n"
    notebook.run(TRUNCATED)
    assert notebook.run(asks).text() == "function\n"
    missing = notebook.run("await tools.read_capture({cell_id: '99'}).catch(text)")
    assert missing.text() == "no output of cell 99 is kept\n"


def test_a_disk_that_fails_changes_nothing_but_the_capture(
    runtime: Path, start_kernel: StartKernel
) -> None:
    runtime.parent.mkdir(exist_ok=True)
    runtime.write_text("in the way")
    notebook = start_kernel()
    run = notebook.run(TRUNCATED)
    assert run.status == "ok"
    assert run.text().endswith("end\n")
    assert run.record["capture"]["state"] == "unavailable"
    assert (run.quiet_line or "").endswith("; all of it could not be written to a file]")
    view = notebook.run("%view --full")
    (error,) = view.of("error")
    assert error["evalue"] == "The output cannot be read: nothing was captured."
    (line,) = view.of("display_data")
    assert "0 of 4,007 bytes, it could not be written and is lost" in line["data"]["text/plain"]
    status = capture_status(notebook)
    assert "unavailable" in status
    assert status.endswith(f"the last write below {runtime} failed: File exists")
    runtime.unlink()
    notebook.run(TRUNCATED)
    assert "active" in capture_status(notebook)


def test_a_notification_that_is_shown_in_part_is_there_whole(
    runtime: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel()
    run = notebook.run("text('before'); notify('é'.repeat(16385)); notify('short'); text('after')")
    first = run.of("display_data")[0]["data"]["text/plain"]
    assert first.endswith("1 more characters (%view 1 --full shows them)")
    assert notebook.run("%view 1 --full").text() == (
        "before\nNotification:\n" + "é" * 16385 + "\nafter\n"
    )
    assert run.record["capture"]["state"] == "complete"
    assert run.record["capture"]["bytes"] == 2 * 16385 + len("before\nNotification:\n\nafter\n")


def test_notifications_that_are_not_shown_are_there(
    runtime: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel()
    run = notebook.run(f"for (let n = 0; n < {MAX_DISPLAYS + 2}; n++) notify(`n${{n}}`)")
    assert len(run.of("display_data")) == MAX_DISPLAYS
    last = (f"Notification:\nn{MAX_DISPLAYS + n}\n" for n in range(2))
    assert notebook.run("%view --full").text() == "".join(last)


def test_a_view_too_long_to_be_shown_as_json_is_there_whole(
    runtime: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel()
    notebook.run(
        "// @exec: {\"max_output_tokens\": 5}\nfor (let n = 0; n < 60; n++) notify('x'.repeat(48000))"
    )
    view = notebook.run("%view --json")
    assert "the rest is not shown" in view.text("stderr")
    (line,) = view.of("display_data")
    (path,) = runtime.glob("*/view-*")
    assert str(path) in line["data"]["text/plain"]
    result, *notes = json.loads(path.read_text())
    assert result["type"] == "custom_tool_call_output"
    assert [note["output"] for note in notes] == ["x" * 48000] * 60
    notebook.run("%reset")
    assert not path.exists()


def test_what_a_killed_kernel_left_is_swept_by_the_next(
    runtime: Path, start_kernel: StartKernel
) -> None:
    killed = start_kernel()
    killed.run(TRUNCATED)
    os.kill(killed.pid, signal.SIGKILL)
    (left,) = captures(runtime)
    notebook = start_kernel()
    notebook.run("text(1)")
    notebook.until(lambda: not left.exists())


def test_a_cell_that_goes_on_is_captured_across_its_waits(
    runtime: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel()
    run = notebook.run(
        '// @exec: {"max_output_tokens": 5}\n'
        "text('a'.repeat(100)); yield_control(); await new Promise(r => setTimeout(r, 300));"
        "text('b'); throw new Error('boom')"
    )
    assert run.first_record["capture"]["state"] == "capturing"
    cell_id = run.first_record["cell_id"]
    waited: Any = notebook.run(f"%wait {cell_id}").record
    assert waited["capture"]["state"] == "complete"
    (path,) = captures(runtime)
    first, *rest = path.read_text().split("\n")
    assert first == "a" * 100
    assert rest[:2] == ["b", "Script error:"]
    assert json.dumps(rest).count("boom") == 1

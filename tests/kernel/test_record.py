"""The record of each exec and wait."""

import hashlib
from base64 import b64decode
from typing import Any

import pytest
from codemode_kernel.record import (
    MIME,
    ApprovalDecision,
    CallApproval,
    Capture,
    LeftOut,
    ModelImage,
    Record,
    RecordKind,
)
from codemode_kernel.recording.records import LONGEST_ID
from codemode_kernel.session.calls import CallOutcome
from codemode_kernel.session.observation import Status
from msgspec import UNSET

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Execution, Notebook
from tests.kernel.record_check import checked
from tests.kernel.test_cells import PIXEL

ENDLESS = "text('on'); await new Promise(() => {})"
YIELDS = "yield_control(); await new Promise(r => setTimeout(r, 100)); text('late')"
RUN = 'await tools.exec_command({cmd: "echo hi"})'


def record_of(cell: Execution) -> Record:
    """The one record of a cell that is done, checked."""
    return checked(cell.done().record)


@pytest.mark.parametrize(
    "code, status",
    [
        ("text('a')", Status.COMPLETED),
        ("", Status.FAILED),
        ("1", Status.COMPLETED),
        ("text({a: 1}); notify('n'); exit()", Status.COMPLETED),
        ("text('a'); throw new Error('no')", Status.FAILED),
        ("let = ;", Status.FAILED),
        ("// @exec: {\"yield\": 1}\ntext('a')", Status.FAILED),
        (f"image('{PIXEL}'); text('a')", Status.COMPLETED),
        ("store('k', 1); text(load('k'))", Status.COMPLETED),
        ("text('a'); yield_control(); await new Promise(() => {})", Status.RUNNING),
    ],
)
def test_it_is_the_last_output_before_the_reply(
    notebook: Notebook, code: str, status: Status
) -> None:
    cell = notebook.run(code)
    record = record_of(cell)
    assert (record.kind, record.status) == (RecordKind.EXEC, status)
    kinds = [
        "record" if MIME in message["content"].get("data", {}) else message["msg_type"]
        for message in cell.every_message
    ]
    errors = ["error"] * (status is Status.FAILED)
    assert kinds[len(kinds) - 1 - len(errors) :] == ["record", *errors]
    assert kinds.count("error") == len(errors)


def test_an_ordinary_cell_has_nothing_beside_it(notebook: Notebook) -> None:
    cell = notebook.run("text('a')")
    assert list(cell.records[0]["data"]) == [MIME]
    assert cell.records[0]["transient"] == {}


def test_it_says_where_and_when_it_ran(notebook: Notebook) -> None:
    record = record_of(notebook.run("text('a')"))
    assert record.started.endswith("Z")
    assert 0 <= record.wall_time_s < 20
    assert (record.tokens, record.truncated, record.emitted_tokens) == (1, False, UNSET)
    assert "quickjs" in record.engine.lower()
    assert (record.host, record.profile) == ("codemode-host", "codex")


def test_a_stopped_cell_leaves_one(notebook: Notebook) -> None:
    cell = notebook.send(ENDLESS)
    cell.until(lambda: cell.text() == "on\n")
    notebook.stop()
    assert record_of(cell).status is Status.TERMINATED
    assert cell.of("error")[0]["ename"] == "Stopped"


def test_media_are_named_by_the_hash_of_an_output_of_the_cell(notebook: Notebook) -> None:
    cell = notebook.run(f"image('{PIXEL}')")
    (shown,) = cell.of("display_data")
    view = record_of(cell).model_view
    assert isinstance(view, tuple)
    assert isinstance(view[1], ModelImage)
    data = b64decode(shown["data"]["image/png"])
    assert view[1].image.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("code", ["%cells", "%%python\n1", "%store", "%wait", "%wait --nonsense"])
def test_magics_and_waits_for_nothing_leave_none(notebook: Notebook, code: str) -> None:
    assert notebook.run(code).records == []


def test_a_silent_request_leaves_none(notebook: Notebook) -> None:
    assert notebook.run("text('a')", silent=True).records == []


# Yields and waits


def test_a_wait_leaves_its_own(notebook: Notebook) -> None:
    notebook.run(YIELDS)
    wait = record_of(notebook.run("%wait"))
    assert (wait.kind, wait.status, wait.calls) == (RecordKind.WAIT, Status.COMPLETED, ())
    assert isinstance(wait.model_view, tuple)
    assert wait.model_view[1].text == "late"  # type: ignore[union-attr]


@pytest.mark.parametrize("code", ["%wait 999", "%wait {}", '%wait {"cell_id": "999"}'])
def test_so_does_one_that_is_refused(notebook: Notebook, code: str) -> None:
    record = record_of(notebook.run(code))
    assert (record.kind, record.status) == (RecordKind.WAIT, Status.FAILED)


def test_a_cell_id_of_any_length_leaves_one(notebook: Notebook) -> None:
    record = record_of(notebook.run("%wait " + "x" * 100_000))
    assert (record.kind, len(record.cell_id)) == (RecordKind.WAIT, LONGEST_ID + 1)


def test_each_wait_of_several_leaves_one(notebook: Notebook) -> None:
    cells = [notebook.run(YIELDS) for _ in range(3)]
    wait = notebook.run("%wait --all")
    waited = [checked(content["data"][MIME]).cell_id for content in wait.records]
    assert waited == [checked(cell.records[0]["data"][MIME]).cell_id for cell in cells]


def test_a_magic_that_waits_leaves_none(notebook: Notebook) -> None:
    cell = notebook.run(f"yield_control(); {ENDLESS}")
    terminate = notebook.run("%terminate")
    assert terminate.records == []
    cell.until(lambda: len(cell.records) == 2)
    assert final(cell).status is Status.TERMINATED


def final(cell: Execution, among: Execution | None = None) -> Record:
    """The update of a yielded cell's record, in the messages of `cell` or of another request."""
    first = cell.records[0]
    (update,) = [
        content
        for content in (among or cell).records[0 if among else 1 :]
        if content["transient"] == first["transient"]
    ]
    assert first["transient"]["display_id"]
    return checked(update["data"][MIME])


def test_the_record_of_a_yielded_cell_is_brought_up_to_date_once(notebook: Notebook) -> None:
    cell = notebook.run(f"{YIELDS}; throw new Error('no')")
    first = checked(cell.records[0]["data"][MIME])
    assert first.status is Status.RUNNING
    cell.until(lambda: len(cell.records) == 2)
    notebook.run("%wait")
    last = final(cell)
    assert (last.status, last.cell_id) == (Status.FAILED, first.cell_id)
    assert last.wall_time_s >= 0.1
    assert last.model_view == first.model_view


def test_a_client_that_drops_late_output_gets_it_with_the_wait(notebook: Notebook) -> None:
    cell = notebook.run(YIELDS, allow_stdin=False)
    wait = notebook.run("%wait", allow_stdin=False)
    assert len(cell.records) == 1
    assert final(cell, wait).status is Status.COMPLETED


def test_a_cell_that_a_reset_ends_has_a_final_record(notebook: Notebook) -> None:
    cell = notebook.run(f"yield_control(); {ENDLESS}")
    notebook.run("%reset")
    cell.until(lambda: len(cell.records) == 2)
    assert final(cell).status is Status.TERMINATED


def test_calls_after_the_yield_are_late(notebook: Notebook) -> None:
    cell = notebook.send(
        f"{RUN}; yield_control(); await new Promise(r => setTimeout(r, 50)); {RUN}"
    )
    notebook.answer("s")
    cell.until(lambda: len(cell.records) == 2)
    first, last = checked(cell.records[0]["data"][MIME]), final(cell)
    assert [call.late for call in first.calls] == [False]
    assert [(call.id, call.late) for call in last.calls] == [("tool-1", False), ("tool-2", True)]


# Nested calls


def test_a_call_has_its_arguments_and_result(notebook: Notebook) -> None:
    cell = notebook.send(RUN)
    notebook.answer("o")
    (call,) = record_of(cell).calls
    assert (call.id, call.tool, call.source) == ("tool-1", "exec_command", "shell")
    assert call.arguments == {"cmd": "echo hi"}
    assert call.result["output"] == "hi\n"
    assert (call.outcome, call.error, call.cut) == (CallOutcome.OK, UNSET, False)
    assert isinstance(call.approval, CallApproval)
    assert call.approval.decision is ApprovalDecision.ONCE
    assert call.approval.asked_s > 0


def test_a_refused_call_says_so(notebook: Notebook) -> None:
    cell = notebook.run(f"try {{ {RUN} }} catch (e) {{ text(e) }}", allow_stdin=False)
    (call,) = record_of(cell).calls
    assert call.outcome is CallOutcome.ERROR
    assert str(call.error).startswith("policy refused `exec_command`")
    assert call.approval == CallApproval(ApprovalDecision.REFUSED)


def test_a_call_that_nobody_awaited_was_cancelled(notebook: Notebook) -> None:
    cell = notebook.run(
        "tools.exec_command({cmd: 'sleep 60'}); await tools.write_stdin({}).catch(() => {})"
    )
    first, second = record_of(cell).calls
    assert (first.outcome, first.result) == (CallOutcome.CANCELLED, UNSET)
    assert second.outcome is CallOutcome.ERROR


@pytest.mark.slow
def test_calls_are_kept_as_the_setting_says(start_kernel: StartKernel) -> None:
    names = start_kernel(record_calls="names")
    code = "await tools.write_stdin({session_id: 1}).catch(e => text(e))"
    (call,) = record_of(names.run(code)).calls
    assert (call.tool, call.outcome) == ("write_stdin", CallOutcome.ERROR)
    assert (call.arguments, call.error) == (UNSET, UNSET)
    assert 'record_calls="names"' in str(names.run("%status").messages)
    assert record_of(start_kernel(record_calls="none").run(code)).calls == ()


def test_secrets_are_left_out(notebook: Notebook) -> None:
    cell = notebook.run("await tools.write_stdin({session_id: 1, token: 'xyz'}).catch(() => {})")
    (call,) = record_of(cell).calls
    assert call.arguments["session_id"] == 1
    assert "xyz" not in str(cell.record)
    assert call.secret_fields == ("/arguments/token",)


# Bounds


def test_ten_megabytes_of_text_leave_a_small_record(notebook: Notebook) -> None:
    cell = notebook.run("for (let i = 0; i < 10; i++) text('0123456789\\n'.repeat(100000))")
    record = record_of(cell)
    assert record.truncated
    assert (record.tokens, record.emitted_tokens) == (10_000, 2_750_003)
    assert record.left_out is UNSET
    assert cell.quiet_line == (
        "[A model got 10,000 of 2,750,003 tokens of this; "
        f"`%view {record.cell_id} --full` shows all of it]"
    )
    assert isinstance(record.capture, Capture)
    assert record.capture.bytes == record.capture.captured_bytes == 11_000_000


def test_a_large_budget_does_not_make_a_large_record(notebook: Notebook) -> None:
    cell = notebook.run(
        '// @exec: {"max_output_tokens": 1000000}\n'
        "for (let i = 0; i < 20000; i++) text('\\u0001'); notify('n'.repeat(1000000))"
    )
    record = record_of(cell)
    assert isinstance(record.left_out, LeftOut)
    assert record.left_out.model_view_items > 0
    assert record.left_out.notification_characters > 0


@pytest.mark.slow
def test_thousands_of_calls_do_not_make_a_large_record(notebook: Notebook) -> None:
    cell = notebook.run(
        "const junk = 'x'.repeat(1000);\n"
        "for (let i = 0; i < 2000; i++) await tools.write_stdin(junk).catch(() => {})"
    )
    record = record_of(cell)
    assert isinstance(record.left_out, LeftOut)
    assert len(record.calls) + record.left_out.calls == 2000
    assert record.calls[0].arguments == "x" * 1000


# The quiet line


def test_a_truncated_output_is_told_of(notebook: Notebook) -> None:
    cell = notebook.run("// @exec: {\"max_output_tokens\": 20}\ntext('x'.repeat(5000))")
    assert (cell.quiet_line or "").startswith("[A model got 20 of 1,250 tokens of this; ")
    assert "1,250" in cell.records[0]["data"]["text/html"]
    assert record_of(cell).truncated


@pytest.mark.slow
def test_an_error_that_the_script_swallowed_is_told_of(start_kernel: StartKernel) -> None:
    notebook = start_kernel(hints=False)
    cell = notebook.run("await tools.write_stdin({}).catch(() => {}); text('done')")
    assert cell.quiet_line == (
        "[1 tool call (`write_stdin`) failed, and the cell shows nothing of it]"
    )


def notifications_of(record: Record) -> list[Any]:
    return [note.text for note in record.notifications]


def test_notifications_are_in_the_record_of_the_call_they_follow(notebook: Notebook) -> None:
    assert notifications_of(record_of(notebook.run("notify('a'); notify('b')"))) == ["a", "b"]
    assert notifications_of(record_of(notebook.run("text('c')"))) == []

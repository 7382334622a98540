"""What an exec cell shows, and how it ends."""

import re
from typing import Any

from tests.kernel.notebook import Execution, Notebook

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_text_is_streamed(notebook: Notebook) -> None:
    cell = notebook.run('text("hi")')
    assert cell.text() == "hi\n"
    assert cell.kinds == ["stream"]
    assert cell.reply is not None
    assert cell.reply["status"] == "ok"


def test_half_an_emoji_that_was_pasted_is_replaced(notebook: Notebook) -> None:
    content: Any = rb'{"code": "text(\"a\ud83db\")", "silent": false}'  # as a browser writes it
    request = notebook.client.session.msg("execute_request", content)
    notebook.client.shell_channel.send(request)
    cell = Execution(notebook, request["header"]["msg_id"])
    assert (cell.status, cell.text()) == ("ok", "a\ufffdb\n")


def test_values_and_images_are_displayed_in_their_order(notebook: Notebook) -> None:
    cell = notebook.run(f'text("a"); text({{a: 1}}); image("{PIXEL}"); text("b")')
    tree, image = cell.of("display_data")
    assert tree["data"]["application/json"] == {"a": 1}
    assert image["data"]["text/plain"] == "[image/png 1x1, 70 bytes]"
    assert cell.kinds == ["stream", "display_data", "display_data", "stream"]


def test_a_notification_is_displayed_at_once(notebook: Notebook) -> None:
    cell = notebook.send('notify("half way"); await new Promise(() => {})')
    cell.until(lambda: cell.kinds == ["display_data"])
    shown = cell.of("display_data")[0]["data"]["text/plain"]
    assert re.fullmatch(r"Notification from cell \S+: half way", shown)
    notebook.stop()
    assert cell.status == "error"


def test_a_notification_stands_between_what_was_shown_before_it_and_after(
    notebook: Notebook,
) -> None:
    cell = notebook.run('text("a"); notify("b"); text("c"); notify("d"); text("e")')
    assert cell.kinds == ["stream", "display_data", "stream", "display_data", "stream"]


def test_of_the_last_value_a_hint_is_shown(notebook: Notebook) -> None:
    cell = notebook.run("6 * 7")
    assert cell.kinds == ["display_data"]
    assert cell.of("display_data")[0]["data"]["text/plain"].startswith("Hint: ")


def test_output_comes_while_the_cell_runs(notebook: Notebook) -> None:
    cell = notebook.send('text("first"); await new Promise(() => {})')
    cell.until(lambda: cell.text() == "first\n")
    assert cell.reply is None
    notebook.stop()
    assert cell.status == "error"


def test_ten_thousand_lines_come_complete_in_few_messages(notebook: Notebook) -> None:
    cell = notebook.run("for (let i = 0; i < 10000; i++) text('line ' + i)")
    assert cell.text() == "".join(f"line {i}\n" for i in range(10_000))
    assert len(cell.messages) < 200


def test_an_error_is_shown_in_the_lines_of_the_notebook_cell(notebook: Notebook) -> None:
    cell = notebook.run('// @exec: {"yield_time_ms": 5000}\ntext(1);\nthrow new TypeError("no");')
    (error,) = cell.of("error")
    assert (error["ename"], error["evalue"]) == ("TypeError", "no")
    assert "cell:3:" in re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error["traceback"]))
    assert cell.text() == "1\n"
    assert cell.reply is not None
    assert cell.reply["status"] == "error"
    assert cell.reply["traceback"] == error["traceback"]


def test_an_error_aborts_what_is_queued(notebook: Notebook) -> None:
    failing = notebook.send("await new Promise(r => setTimeout(r, 100)); throw 1")
    queued = notebook.send("text(2)")
    assert failing.status == "error"
    assert queued.status == "aborted"
    assert queued.text() == ""


def test_a_bad_pragma_is_refused_with_the_words_of_the_contract(notebook: Notebook) -> None:
    cell = notebook.run('// @exec: {"foo": 1}\ntext(1)')
    (error,) = cell.of("error")
    assert error["evalue"] == (
        "exec pragma only supports `yield_time_ms` and `max_output_tokens`; got `foo`"
    )


def test_a_silent_cell_shows_nothing_and_counts_nothing(notebook: Notebook) -> None:
    before = notebook.run("text(1)").reply
    silent = notebook.run('text("secret"); store("k", 5)', silent=True)
    assert silent.messages == []
    assert silent.status == "ok"
    after = notebook.run('text(load("k"))')
    assert after.text() == "5\n"
    assert before is not None
    assert after.reply is not None
    assert after.reply["execution_count"] == before["execution_count"] + 1


def test_stored_values_last_and_variables_do_not(notebook: Notebook) -> None:
    notebook.run('const kept = 1; store("kept", kept)')
    cell = notebook.run('const kept = load("kept"); text(kept)')
    assert cell.text() == "1\n"

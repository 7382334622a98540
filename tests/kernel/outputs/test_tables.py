"""Tables in both forms."""

from codemode_kernel.outputs.tables import table


def test_a_column_in_which_no_row_says_anything_is_left_out() -> None:
    shown = table(("server", "state", "last error"), [("git", "ready", ""), ("time", "idle", "")])
    assert shown.data["text/plain"] == "server  state\ngit     ready\ntime    idle"
    assert "last error" not in shown.data["text/html"]


def test_one_that_some_row_fills_stays_and_so_do_all_of_a_table_without_rows() -> None:
    shown = table(("server", "last error"), [("git", ""), ("time", "it ended")])
    assert shown.data["text/plain"] == "server  last error\ngit\ntime    it ended"
    assert table(("key", "bytes"), []).data["text/plain"] == "key  bytes"


def test_what_a_tool_says_of_itself_is_text_and_no_markup() -> None:
    assert "<td>&lt;b&gt;</td>" in table(("about",), [("<b>",)]).data["text/html"]


def test_sentences_are_told_from_names_whatever_their_length() -> None:
    row = ("mcp__time__get_current_time", "List branches", "Lists the branches of a repository")
    shown = table(("tool", "in short", "about"), [row]).data["text/html"]
    assert f"<td>{row[0]}</td><td>{row[1]}</td>" in shown
    assert f'<td class="codemode-sentence">{row[2]}</td>' in shown

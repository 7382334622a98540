"""MCP servers in a real kernel: who starts them, what a cell and a person see of them."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.control.page import Page
from tests.kernel.notebook import Execution, Notebook
from tests.mcp_servers import heard, scripted_command

pytestmark = pytest.mark.slow

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGM4IScHRww4OQD1xwwxB+utmQAAAABJRU5Erk"
    "Jggg=="
)
ASKS = {
    "message": "Who are you?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Your name"},
            "age": {"type": "integer"},
            "nice": {"type": "boolean", "default": True},
        },
        "required": ["name", "age"],
    },
}
SCRIPT = {
    "instructions": "A server for tests.",
    "resources": [{"uri": "note://a", "text": "A"}],
    "tools": [
        {"name": "ping", "behaviour": {"stderr": "pinged"}},
        {"name": "boom", "behaviour": {"crash": True}},
        {"name": "hang", "behaviour": {"hang": True}},
        {"name": "work", "behaviour": {"progress": [[1, 4, "begun"], [4, 4, "done"]]}},
        {"name": "greet", "behaviour": {"elicit": ASKS}},
        {
            "name": "shot",
            "behaviour": {
                "mcp_result": {"content": [{"type": "image", "data": PNG, "mimeType": "image/png"}]}
            },
        },
        {
            "name": "count",
            "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
            "behaviour": {"mcp_result": {"content": [], "structuredContent": {"n": "many"}}},
        },
        {
            "name": "peek",
            "annotations": {"readOnlyHint": True},
            "behaviour": {"mcp_result": {"content": [{"type": "text", "text": "seen"}]}},
        },
    ],
}


@pytest.fixture(scope="module", autouse=True)
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nobody's agreements and nobody's servers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))
        patch.setenv("JUPYTER_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the shared server's script and log are."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def served(start_kernel: StartKernel, folder: Path) -> Notebook:
    """A kernel in which everything is allowed, with the scripted server `s` and a dead one."""
    program, *args = scripted_command("s", SCRIPT, folder)
    servers: dict[str, Any] = {
        "s": {"command": program, "args": args},
        "dead": {"command": "/no/such/program"},
    }
    return start_kernel(gate_rules=[{"decision": "allow"}], mcp_servers=servers)


def table_of(cell: Execution) -> dict[str, str]:
    """The plain rows of a table by their first word."""
    (shown,) = cell.of("display_data")
    lines = shown["data"]["text/plain"].split("\n")[1:]
    return {line.split()[0]: " ".join(line.split()[1:]) for line in lines}


def tree_of(cell: Execution) -> Any:
    """The one value that a cell shows as a tree."""
    trees = [content["data"].get("application/json") for content in cell.of("display_data")]
    (tree,) = [tree for tree in trees if tree is not None]
    return tree


def bars_of(cell: Execution) -> list[dict[str, Any]]:
    """Every state of its progress bars."""
    shown = cell.of("display_data") + cell.of("update_display_data")
    return [one for one in shown if "codemode-progress" in one["data"].get("text/html", "")]


# Calls


def test_the_first_cell_that_names_a_server_can_call_it(served: Notebook) -> None:
    cell = served.run("text((await tools.mcp__s__ping({})).content[0].text)")
    assert cell.text() == "ok\n"
    (call,) = cell.record["calls"]
    assert (call["tool"], call["source"], call["outcome"]) == ("mcp__s__ping", "mcp:s", "ok")


def test_the_tools_are_listed_with_the_servers_words(served: Notebook) -> None:
    cell = served.run(
        "text(ALL_TOOLS.map(t => t.name).filter(n => n.startsWith('mcp__')).join());"
        "text(ALL_TOOLS.find(t => t.name === 'mcp__s__ping').description.split('\\n')[0])"
    )
    names = ["boom", "count", "greet", "hang", "peek", "ping", "shot", "work"]
    assert cell.text() == ",".join(f"mcp__s__{name}" for name in names) + "\nA server for tests.\n"


def test_a_call_whose_server_dies_is_unknown_and_not_sent_again(
    served: Notebook, folder: Path
) -> None:
    before = len(heard("s", folder, "tools/call"))
    cell = served.run("try { await tools.mcp__s__boom({}) } catch (e) { text(e) }")
    assert cell.text().startswith("MCP server `s` was lost while tool `boom` ran")
    assert served.run("text((await tools.mcp__s__ping({})).content[0].text)").text() == "ok\n"
    assert len(heard("s", folder, "tools/call")) == before + 2


def test_an_image_of_a_server_is_an_image_of_the_notebook(served: Notebook) -> None:
    cell = served.run("image((await tools.mcp__s__shot({})).content[0])")
    (shown,) = cell.of("display_data")
    assert shown["data"]["image/png"].strip() == PNG


def test_wrong_structured_content_is_told_below_the_cell(served: Notebook) -> None:
    cell = served.run("text((await tools.mcp__s__count({})).structuredContent.n)")
    assert cell.text() == "many\n"
    assert "`mcp__s__count` does not fit its output schema: n: " in cell.text("stderr")


def test_progress_is_a_bar_below_the_cell(served: Notebook) -> None:
    cell = served.run("await tools.mcp__s__work({})")
    states = bars_of(cell)
    assert len({content["transient"]["display_id"] for content in states}) == 1
    last = states[-1]["data"]
    assert last["text/plain"].startswith("[####################] mcp__s__work · 4 of 4")
    assert '<progress value="4" max="4">' in last["text/html"]


def test_progress_of_a_python_tool_is_a_bar_too(served: Notebook) -> None:
    defined = served.run(
        "%%python\nfrom toolbridge import progress, tool\n\n@tool\ndef dig():\n"
        "    progress(1, 2, 'sand')\n    progress(2, 2, 'clay')\n"
    )
    assert defined.status == "ok"
    cell = served.run("await tools.dig()")
    assert (
        bars_of(cell)[-1]["data"]["text/plain"]
        == "[####################] dig · 2 of 2 · clay · done"
    )


def test_a_question_of_a_server_is_put_below_the_cell(served: Notebook) -> None:
    cell = served.send("text((await tools.mcp__s__greet({})).content[0].text)")
    served.until(lambda: bool(served.questions))
    prompt = served.questions[0]["content"]["prompt"]
    assert re.match(r"In \[\d+\]: MCP server s asks:\n    Who are you\?\n", prompt)
    for typed in ("Ada", "old", "36", ""):
        served.answer(typed)
    answer = {"action": "accept", "content": {"name": "Ada", "age": 36, "nice": True}}
    assert tree_of(cell.done()) == answer


def test_without_a_person_a_question_is_declined(served: Notebook) -> None:
    cell = served.run("text((await tools.mcp__s__greet({})).content[0].text)", allow_stdin=False)
    assert tree_of(cell) == {"action": "decline"}


def test_stop_cancels_the_call_at_the_server(served: Notebook, folder: Path) -> None:
    before = len(heard("s", folder, "tools/call"))
    cell = served.send("await tools.mcp__s__hang({})")
    cell.until(lambda: len(heard("s", folder, "tools/call")) > before)
    served.stop()
    assert cell.status == "error"
    cell.until(lambda: len(heard("s", folder, "notifications/cancelled")) > 0)
    assert served.run("text((await tools.mcp__s__ping({})).content[0].text)").text() == "ok\n"


def test_resources_are_read_from_a_cell(served: Notebook) -> None:
    cell = served.run(
        "await tools.mcp__s__ping({});"
        "text((await tools.read_mcp_resource({server: 's', uri: 'note://a'})).contents[0].text)"
    )
    assert cell.text() == "A\n"


# %mcp


def test_mcp_shows_every_server_and_what_is_wrong(served: Notebook) -> None:
    served.run("await tools.mcp__s__ping({})")
    shown = table_of(served.run("%mcp"))
    assert shown["s"].startswith("ready 8 stdio: ")
    assert shown["s"].endswith("pinged")
    assert shown["dead"].startswith("failed 0 stdio: /no/such/program mcp_servers ")
    status = table_of(served.run("%status"))
    assert status["servers"].startswith("active dead (failed), s (ready)")


def test_servers_are_offered_by_their_names(served: Notebook) -> None:
    line = "%mcp restart "
    reply = served.ask("complete", code=line, cursor_pos=len(line))
    assert reply["matches"] == ["dead", "s"]


def test_what_a_server_wrote_to_stderr_is_shown_whole(served: Notebook) -> None:
    served.run("await tools.mcp__s__ping({})")
    assert served.run("%mcp stderr s").text().endswith("pinged\n")


def test_a_server_is_switched_off_and_on_and_started_anew(served: Notebook) -> None:
    there = "text(typeof tools.mcp__s__ping)"
    served.run("%mcp disable s")
    assert served.run(there).text() == "undefined\n"
    assert table_of(served.run("%mcp"))["s"].startswith("off - ")
    assert served.run("%mcp enable s").text() == "MCP server s is ready with 8 tools.\n"
    assert served.run(there).text() == "function\n"
    assert served.run("%mcp restart s").text() == "MCP server s is ready with 8 tools.\n"


def test_a_server_is_added_and_removed(served: Notebook, folder: Path) -> None:
    command = scripted_command("other", SCRIPT, folder)
    added = served.run(f"%mcp add other -- {' '.join(command)}")
    assert added.text() == "MCP server other is ready with 8 tools.\n"
    assert served.run("text((await tools.mcp__other__peek({})).content[0].text)").text() == "seen\n"
    served.run("%mcp remove other")
    assert served.run("text(typeof tools.mcp__other__peek)").text() == "undefined\n"
    assert "other" not in table_of(served.run("%mcp"))


def test_a_server_that_does_not_come_up_is_an_error_with_its_words(
    served: Notebook, folder: Path
) -> None:
    command = scripted_command("dying", {"initialize": "die"}, folder)
    cell = served.run(f"%mcp add dying -- {' '.join(command)}")
    (error,) = cell.of("error")
    assert error["evalue"].startswith(
        "MCP server dying did not come up: it ended before it answered"
    )
    assert "Its stderr ends with: the config is missing" in error["evalue"]
    served.run("%mcp remove dying")


def test_stop_ends_the_wait_for_a_server_that_hangs(served: Notebook, folder: Path) -> None:
    command = scripted_command("stuck", {"initialize": "hang"}, folder)
    cell = served.send(f"%mcp add stuck -- {' '.join(command)}")
    cell.until(lambda: len(heard("stuck", folder, "initialize")) == 1)
    served.stop()
    assert cell.status == "error"
    assert served.run("text(1)").text() == "1\n"
    waiting = served.send("text(typeof tools.mcp__stuck__x)")
    served.run_for(0.2)
    assert waiting.reply is None
    served.stop()
    assert waiting.status == "error"
    served.run("%mcp remove stuck")


@pytest.mark.parametrize("words", ["add", "add x", "nonsense", "restart", "restart a b"])
def test_a_wrong_use_says_how_it_is_right(served: Notebook, words: str) -> None:
    (error,) = served.run(f"%mcp {words}").of("error")
    assert error["evalue"].startswith("Usage: %mcp")


# A file beside the notebook


@pytest.fixture
def beside(kernel_folder: Path, folder: Path) -> Iterator[Path]:
    """The file beside the notebook; it names the scripted server `p`."""
    program, *args = scripted_command("p", SCRIPT, folder)
    file = kernel_folder / ".mcp.json"
    file.write_text(json.dumps({"mcpServers": {"p": {"command": program, "args": args}}}))
    yield file
    file.unlink()


CALL_P = "text((await tools.mcp__p__peek({})).content[0].text)"


def test_a_server_that_came_with_a_notebook_starts_once_agreed(
    start_kernel: StartKernel, beside: Path, folder: Path
) -> None:
    notebook = start_kernel()
    assert notebook.run("text(1)").text() == "1\n"
    assert notebook.run(CALL_P, allow_stdin=False).status == "error"
    assert heard("p", folder, "initialize") == []
    assert table_of(notebook.run("%mcp"))["p"].startswith("not agreed to - ")

    cell = notebook.send(CALL_P)
    notebook.until(lambda: bool(notebook.questions))
    prompt = notebook.questions[0]["content"]["prompt"]
    assert prompt.startswith(".mcp.json beside this notebook wants to start MCP servers:")
    assert json.dumps(sys.executable) in prompt
    notebook.answer("n")
    assert cell.status == "error"
    assert notebook.run(CALL_P).status == "error"  # and is not asked again
    assert heard("p", folder, "initialize") == []

    page = Page(notebook.manager)
    page.attach()
    enabled = notebook.send("%mcp enable p")
    (question,) = page.hear("questions")["questions"]
    assert question["title"] == ".mcp.json beside this notebook wants to start MCP servers"
    assert json.dumps(sys.executable) in question["text"]
    assert [choice["label"] for choice in question["choices"]] == ["Start them", "No"]
    page.order("1", "answer_question", question_id=question["question_id"], choice="yes")
    assert enabled.done().text() == "MCP server p is ready with 8 tools.\n"
    assert notebook.run(CALL_P).text() == "seen\n"
    page.leave()
    page.close()

    after = start_kernel()
    assert after.run(CALL_P, allow_stdin=False).text() == "seen\n"

    beside.write_text(beside.read_text() + " ")  # another content, another question
    assert after.run(CALL_P, allow_stdin=False).status == "error"


def test_a_file_that_is_no_json_is_told_once_and_breaks_nothing(
    start_kernel: StartKernel, kernel_folder: Path
) -> None:
    file = kernel_folder / ".mcp.json"
    file.write_text('{"mcpServers": {"a": }}')
    notebook = start_kernel()
    cell = notebook.run("text(1)")
    assert cell.text() == "1\n"
    assert cell.text("stderr") == (
        ".mcp.json beside this notebook is not used: it is not JSON: Expecting value "
        "(line 1, column 22)\n"
    )
    assert notebook.run("text(2)").text("stderr") == ""
    file.write_text('{"mcpServers": {"a": {"command": "x", "args": "y"}}}')
    assert notebook.run("text(3)").text("stderr") == (
        ".mcp.json beside this notebook: mcpServers.a.args: Expected `array`, got `str`\n"
    )
    assert "mcpServers.a.args" in notebook.run("%mcp").text("stderr")
    file.unlink()


def test_a_script_of_a_model_that_hears_nothing_gets_a_notice_for_a_sound(
    start_kernel: StartKernel, folder: Path
) -> None:
    sound = {"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]}
    sing = {"name": "sing", "annotations": {"readOnlyHint": True}}
    script = {"tools": [{**sing, "behaviour": {"mcp_result": sound}}]}
    program, *args = scripted_command("choir", script, folder)
    notebook = start_kernel(
        audio_input=False, mcp_servers={"choir": {"command": program, "args": args}}
    )
    cell = notebook.run("text((await tools.mcp__choir__sing({})).content[0].text)")
    assert cell.text() == "<audio content omitted because you do not support audio input>\n"


# Servers that others wrote


SQLITE = Path(__file__).parents[2] / "notebooks" / "servers" / "sqlite_server.py"


@pytest.fixture(scope="module")
def real(start_kernel: StartKernel, tmp_path_factory: pytest.TempPathFactory) -> Notebook:
    """A kernel with the servers for time, git and SQLite, and the rules it begins with."""
    database = tmp_path_factory.mktemp("database") / "shop.db"
    servers = {
        "time": {"command": sys.executable, "args": ["-m", "mcp_server_time"]},
        "git": {"command": sys.executable, "args": ["-m", "mcp_server_git"]},
        "shop": {"command": sys.executable, "args": [str(SQLITE), str(database)]},
    }
    return start_kernel(mcp_servers=servers)


def test_the_time_server_tells_the_time(real: Notebook) -> None:
    cell = real.run(
        "const r = await tools.mcp__time__convert_time({source_timezone: 'Europe/Oslo', "
        "time: '12:00', target_timezone: 'Asia/Tokyo'});"
        "text(r.structuredContent.target.timezone); text(r.isError)"
    )
    assert cell.text() == "Asia/Tokyo\nfalse\n"


def test_the_git_server_reads_without_asking_and_asks_before_it_writes(
    real: Notebook, tmp_path: Path
) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "new.txt").write_text("new")
    status = f"await tools.mcp__git__git_status({{repo_path: {json.dumps(str(tmp_path))}}})"
    assert "new.txt" in real.run(f"text(({status}).content[0].text)").text()
    add = f"{{repo_path: {json.dumps(str(tmp_path))}, files: ['new.txt']}}"
    cell = real.send(f"await tools.mcp__git__git_add({add}); text(({status}).content[0].text)")
    real.until(lambda: bool(real.questions))
    assert "wants to call mcp__git__git_add" in real.questions[0]["content"]["prompt"]
    real.answer("o")
    assert "Changes to be committed" in cell.done().text()


def test_the_sqlite_server_writes_once_allowed_and_reads_always(real: Notebook) -> None:
    cell = real.send(
        "await tools.mcp__shop__execute({sql: 'CREATE TABLE fruit (name, price)'});"
        "await tools.mcp__shop__insert_many({table: 'fruit', rows: [['fig', 3], ['plum', 2]]});"
        "const r = await tools.mcp__shop__query({sql: 'SELECT * FROM fruit ORDER BY price'});"
        "text(r.structuredContent.rows)"
    )
    real.answer("o")
    real.answer("o")
    assert tree_of(cell.done()) == [["plum", 2], ["fig", 3]]
    assert "mcp__shop__insert_many · 2 of 2" in bars_of(cell)[-1]["data"]["text/plain"]


def test_a_read_only_tool_of_it_cannot_write(real: Notebook) -> None:
    cell = real.run(
        "const r = await tools.mcp__shop__query({sql: 'DROP TABLE fruit'});"
        "text(r.isError); text(r.content[0].text)"
    )
    assert cell.text().startswith("true\n")
    assert "readonly database" in cell.text()

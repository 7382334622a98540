"""Deferred tools in a real kernel: loaders, what they have loaded, and a frozen set of tools."""

from pathlib import Path

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.control.page import Page
from tests.kernel.notebook import Notebook

DEFERRED_SHELL = "{'shell': 'deferred'}"

NEW_TOOL = '''%%python
from toolbridge import tool

@tool(read_only=True)
def late() -> int:
    """Came late."""
    return 1
'''


def shown(notebook: Notebook, magic: str) -> str:
    """All plain texts that a magic shows."""
    contents = notebook.run(magic).of("display_data")
    return "\n".join(content["data"]["text/plain"] for content in contents)


@pytest.fixture
def named_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Kernels from here on belong to one notebook; gives the folder of their data."""
    monkeypatch.setenv("JPY_SESSION_NAME", "/notebooks/one.ipynb")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_what_tool_search_loads_is_declared_and_outlives_a_restart(
    named_notebook: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel(tool_route="local", deferral_sources=DEFERRED_SHELL)
    assert "loader: ToolSearch" in shown(notebook, "%deferral")
    called = notebook.run('%call ToolSearch {"query": "select:exec_command"}')
    assert called.text().startswith("Loaded 1 tool. They are available from your next call:\n")
    told = shown(notebook, "%deferral")
    assert "declared: loaded" in told
    assert "`exec_command` was loaded" in told
    (kept,) = (named_notebook / "codemode" / "loaded-tools").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    notebook.restart()
    assert "declared: loaded" in shown(notebook, "%deferral")
    assert "Callable already: exec_command" in (
        notebook.run('%call ToolSearch {"query": "select:exec_command"}').text()
    )
    notebook.run("%reset")
    assert "loaded" not in shown(notebook, "%tools exec_command")
    assert not kept.exists()


@pytest.mark.slow
def test_a_page_says_which_notebook_it_is(
    named_notebook: Path, monkeypatch: pytest.MonkeyPatch, start_kernel: StartKernel
) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME")
    first = start_kernel(tool_route="local", deferral_sources=DEFERRED_SHELL)
    page = Page(first.manager)
    page.attach(notebook="folder/one.ipynb")
    first.run('%call ToolSearch {"query": "select:exec_command"}')
    page.close()
    second = start_kernel(tool_route="local", deferral_sources=DEFERRED_SHELL)
    assert "loaded" not in shown(second, "%tools exec_command")
    page = Page(second.manager)
    page.attach(notebook="folder/one.ipynb")
    page.close()
    assert "loaded" in shown(second, "%tools exec_command")


@pytest.mark.slow
def test_find_tools_looks_loads_exact_names_and_starts_hidden(
    named_notebook: Path, start_kernel: StartKernel
) -> None:
    notebook = start_kernel(tool_loader="find_tools", deferral_sources=DEFERRED_SHELL)
    assert "exec_command" not in shown(notebook, "%describe exec")
    (found,) = notebook.run('%call find_tools {"query": "run a command"}').of("display_data")
    (match, _) = found["data"]["application/json"]["matches"]
    assert (match["name"], match["state"]) == ("exec_command", "eligible")
    call = '%call find_tools {"load": ["exec_command", "apply_patch"]}'
    (loaded,) = notebook.run(call).of("display_data")
    answer = loaded["data"]["application/json"]
    assert answer["loaded"] == ["exec_command"]
    assert answer["rejected"] == [{"name": "apply_patch", "reason": "it is not managed here"}]
    assert "### `exec_command`" in shown(notebook, "%describe exec")
    assert "### `write_stdin`" not in shown(notebook, "%describe exec")
    notebook.restart()
    assert "exec_command" not in shown(notebook, "%describe exec")


@pytest.mark.slow
def test_a_deferred_tool_is_no_less_callable_and_code_mode_has_no_tool_search(
    start_kernel: StartKernel,
) -> None:
    notebook = start_kernel(
        deferral_sources=DEFERRED_SHELL, gate_rules='[{"decision": "allow"}]', freeze_tools=True
    )
    assert "### `exec_command`" not in shown(notebook, "%describe exec")
    ran = notebook.run("text((await tools.exec_command({cmd: 'echo hi'})).output)")
    assert ran.text() == "hi\n"
    assert notebook.run("%call ToolSearch {}").status == "error"
    told = shown(notebook, "%deferral")
    assert "chosen for all tools of shell" in told
    assert "loader: none" in told
    assert "Break-even at" in told
    _the_set_is_frozen_until_reset(notebook)


def _the_set_is_frozen_until_reset(notebook: Notebook) -> None:
    notebook.run(NEW_TOOL)
    assert notebook.run("text(typeof tools.late)").text() == "undefined\n"
    assert "frozen" in shown(notebook, "%describe exec")
    notebook.run("%reset")
    notebook.run(NEW_TOOL)
    assert notebook.run("text(typeof tools.late)").text() == "function\n"


@pytest.mark.slow
def test_deferral_is_chosen_for_a_session_and_reset_takes_it_back(notebook: Notebook) -> None:
    before = shown(notebook, "%deferral")
    chosen = shown(notebook, "%deferral --profile seed --threshold 3 --route local")
    assert "4 undecided tools are more than 3" in chosen
    assert "loader: ToolSearch" in chosen
    assert "has not changed since the session began" in chosen
    assert "- view_image: Reads an image file" in notebook.run("%deferral block").text()
    notebook.run('%call ToolSearch {"query": "select:view_image"}')
    assert "declared: loaded" in shown(notebook, "%deferral")
    other = shown(notebook, "%deferral --threshold none --defer shell --loader find_tools")
    assert "chosen for all tools of shell" in other
    assert "loader: find_tools" in other
    assert "loaded" not in other
    assert notebook.run("%deferral block").text().startswith("There is no block: ")
    notebook.run("%reset")
    assert shown(notebook, "%deferral") == before
    assert notebook.run("%call find_tools {}").status == "error"


@pytest.mark.slow
def test_a_choice_stands_over_the_kernels_own_options_and_a_bad_one_changes_nothing(
    start_kernel: StartKernel,
) -> None:
    notebook = start_kernel(tool_route="local", deferral_sources=DEFERRED_SHELL)
    told = shown(notebook, "%deferral --threshold 5")
    assert "chosen for all tools of shell" in told
    assert "2 undecided tools are not more than 5" in told
    assert notebook.run("%deferral --route train").status == "error"
    assert shown(notebook, "%deferral") == told

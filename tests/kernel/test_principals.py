"""A kernel that several people share: what is whose, and who is refused."""

from collections.abc import Iterator

import pytest
from codemode_kernel.messages.sender import MAX_LENGTH, STAMP, principal_in

from tests.kernel.conftest import StartKernel
from tests.kernel.control.page import Page
from tests.kernel.notebook import Notebook

AMY, BEN = "jupyter:amy", "jupyter:ben"

OWN_TOOL = '''%%python
from toolbridge import tool

@tool(read_only=True)
def vault() -> str:
    """Opens the vault."""
    return "gold"
'''


def answer(notebook: Notebook, principal: str, text: str) -> None:
    """Type into the input box, as the server passes it on."""
    reply = notebook.client.session.msg("input_reply", {"value": text}, metadata={STAMP: principal})
    notebook.client.stdin_channel.send(reply)


@pytest.fixture(scope="module")
def shared_notebook(start_kernel: StartKernel) -> Notebook:
    return start_kernel(shared_kernel=True, gate_rules='[{"decision": "allow"}]')


@pytest.fixture
def shared(shared_notebook: Notebook) -> Iterator[Notebook]:
    """A shared kernel in which nobody has anything."""
    yield shared_notebook
    for principal in (AMY, BEN):
        shared_notebook.run("%reset", principal=principal)


def test_stored_values_are_their_writers_own(shared: Notebook) -> None:
    shared.run("store('k', 'hers')", principal=AMY)
    assert shared.run("text(load('k'))", principal=AMY).text() == "hers\n"
    assert shared.run("text(String(load('k')))", principal=BEN).text() == "undefined\n"
    assert shared.run("%store", principal=BEN).text() == "No values are stored.\n"


def test_a_notification_goes_to_its_writers_model_alone(shared: Notebook) -> None:
    begun = shared.run(
        "yield_control(); notify('hers'); await new Promise(r => setTimeout(r, 600000))",
        principal=AMY,
    )
    begun.until(lambda: "hers" in str(begun.of("display_data")))
    assert shared.run("text(1)", principal=BEN).record.get("notifications") is None
    assert "hers" not in shared.run("%view --json", principal=BEN).text()
    # The yield may have been a moment earlier or later than the notification.
    runs = begun, shared.run("text(1)", principal=AMY)
    (text,) = (note["text"] for run in runs for note in run.record.get("notifications", []))
    assert text == "hers"


def test_a_cell_of_another_person_is_not_found(shared: Notebook) -> None:
    shared.run("yield_control(); await new Promise(() => {})", principal=AMY)
    (waited,) = shared.run('%wait {"cell_id": "1"}', principal=BEN).of("error")
    assert "exec cell 1 not found" in waited["evalue"]
    assert shared.run("%cells", principal=BEN).text().startswith("No cell runs")
    assert shared.run("%terminate 1", principal=BEN).status == "error"
    (cells,) = shared.run("%cells", principal=AMY).of("display_data")
    assert "running" in cells["data"]["text/plain"]


@pytest.mark.slow
def test_a_tool_of_another_person_does_not_exist_whatever_the_gate_allows(shared: Notebook) -> None:
    shared.run(OWN_TOOL, principal=AMY)
    assert shared.run("text(await tools.vault())", principal=AMY).text() == "gold\n"
    assert shared.run("text(typeof tools.vault)", principal=BEN).text() == "undefined\n"
    (error,) = shared.run("%call vault", principal=BEN).of("error")
    assert error["evalue"].startswith("There is no tool vault.")
    assert "vault" not in str(shared.run("%tools vault", principal=BEN).messages)


@pytest.mark.parametrize("code", ["text(1)", "%store", "%help", "%%python\n1", "%cells"])
def test_who_is_not_named_is_refused(shared: Notebook, code: str) -> None:
    (error,) = shared.run(code).of("error")
    assert error["ename"] == "SenderUnknown"
    assert "does not say who sends it" in error["evalue"]


def test_a_page_sees_and_ends_its_users_cells_alone(shared: Notebook) -> None:
    page = Page(shared.manager)
    page.principal = AMY
    shared.run("yield_control(); await new Promise(() => {})", principal=AMY)
    shared.run("yield_control(); await new Promise(() => {})", principal=BEN)
    try:
        (cell,) = page.attach()["cells"]
        page.principal = BEN
        page.say("terminate", id="not-his", cell_id=cell["cell_id"])
        page.leave()
        page.principal = AMY
        assert page.order("hers", "terminate", cell_id=cell["cell_id"])["type"] == "done"
        assert all(message.get("id") != "not-his" for message in page.all_told)
    finally:
        page.close()


def test_a_page_of_nobody_in_particular_is_turned_away(shared: Notebook) -> None:
    page = Page(shared.manager)
    page.open(type="attach", version=1, cells=[])
    page.until(lambda: page.is_closed)
    page.close()


def test_only_who_is_asked_can_answer(start_kernel: StartKernel) -> None:
    notebook = start_kernel(shared_kernel=True)
    call = notebook.send('%call exec_command {"cmd": "echo hi"}', principal=AMY)
    notebook.until(lambda: bool(notebook.questions))
    answer(notebook, BEN, "o")
    answer(notebook, AMY, "n")
    (error,) = call.done().of("error")
    assert "said no" in error["evalue"]


def test_nobody_waits_for_another_persons_answer(start_kernel: StartKernel) -> None:
    notebook = start_kernel(shared_kernel=True)
    code = "yield_control(); text((await tools.exec_command({cmd: 'echo ran'})).output)"
    notebook.run(code, principal=AMY)
    notebook.until(lambda: len(notebook.questions) == 1)
    notebook.run(code, principal=BEN)
    notebook.until(lambda: len(notebook.questions) == 2)
    for principal in (BEN, AMY):
        answer(notebook, principal, "o")
        collected = notebook.run('%wait {"cell_id": "1"}', principal=principal)
        assert collected.text() == "ran\n"


def test_a_person_sees_their_own_refusals_explained(start_kernel: StartKernel) -> None:
    notebook = start_kernel(shared_kernel=True, gate_rules='[{"decision": "deny"}]')
    notebook.run('%call exec_command {"cmd": "ls"}', principal=AMY)
    (hers,) = notebook.run("%gate explain", principal=AMY).of("display_data")
    assert "exec_command of shell" in hers["data"]["text/plain"]
    assert notebook.run("%gate explain", principal=BEN).text().startswith("No call was asked")
    notebook.run("%gate allow exec_command --principal jupyter:a*", principal=AMY)
    (told,) = notebook.run('%gate explain exec_command {"cmd": "ls"}', principal=AMY).of(
        "display_data"
    )
    assert "a rule allows it" in told["data"]["text/plain"]


def test_status_says_who_one_is(shared: Notebook) -> None:
    (status,) = shared.run("%status", principal=AMY).of("display_data")
    assert f"several; you are {AMY}" in status["data"]["text/plain"]


def test_completion_knows_what_is_the_askers_own(shared: Notebook) -> None:
    shared.run("store('hers', 1)", principal=AMY)
    code = 'load("'
    assert shared.ask("complete", code=code, cursor_pos=len(code))["matches"] == []


def test_history_is_each_persons_own(shared: Notebook) -> None:
    def last_input(principal: str | None) -> list[str]:
        request = {"hist_access_type": "tail", "n": 1, "output": False, "raw": True}
        history = shared.ask("history", principal=principal, **request)["history"]
        return [text for _, _, text in history]

    shared.run("text('hers')", principal=AMY)
    shared.run("text('nobodys')")
    shared.run("text('his')", principal=BEN)
    assert last_input(AMY) == ["text('hers')"]
    assert last_input(BEN) == ["text('his')"]
    assert last_input(None) == []


def test_a_kernel_of_one_writer_asks_for_no_name(notebook: Notebook) -> None:
    notebook.run("store('k', 1)", principal=AMY)
    assert notebook.run("text(load('k'))").text() == "1\n"


@pytest.mark.parametrize("stamp", [None, "", 1, ["a"], "x" * (MAX_LENGTH + 1)])
def test_what_is_no_name_names_nobody(stamp: object) -> None:
    assert principal_in({"metadata": {STAMP: stamp}}) is None
    assert principal_in({"metadata": None}) is None
    assert principal_in({"metadata": {STAMP: AMY}}) == AMY

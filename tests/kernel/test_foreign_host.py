"""The kernel on the Codex CLI's own host: the same cells, output at each observation."""

import shlex
from collections.abc import Sequence

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook


@pytest.fixture(scope="module")
def foreign(start_kernel: StartKernel, codex_command: Sequence[str]) -> Notebook:
    rules = [{"decision": "allow", "tool": "exec_command"}]
    return start_kernel(host_command=shlex.join(codex_command), gate_rules=rules)


def test_text_values_and_tools(foreign: Notebook) -> None:
    cell = foreign.run(
        'text("hi"); text({a: 1}); text((await tools.exec_command({cmd: "echo tool"})).output)'
    )
    assert cell.text() == "hi\ntool\n"
    assert cell.of("display_data")[0]["data"]["application/json"] == {"a": 1}


def test_store_and_load(foreign: Notebook) -> None:
    foreign.run('store("k", [1])')
    assert foreign.run('text(load("k").length)').text() == "1\n"


def test_errors(foreign: Notebook) -> None:
    (error,) = foreign.run("// @exec: {}\nthrow new RangeError('no')").of("error")
    assert (error["ename"], error["evalue"]) == ("RangeError", "no")


def test_yield_wait_and_terminate(foreign: Notebook) -> None:
    first = foreign.run(
        "text(1); yield_control(); await new Promise(r => setTimeout(r, 50)); text(2)"
    )
    assert first.text() == "1\n"
    assert foreign.run("%wait").text() == "2\n"
    foreign.run("yield_control(); while (true) {}")
    assert foreign.run("%terminate").status == "ok"


@pytest.mark.parametrize("code", ["while (true) {}", "await new Promise(() => {})"])
def test_stop(foreign: Notebook, code: str) -> None:
    cell = foreign.send(f"notify('on'); {code}")
    cell.until(lambda: cell.kinds == ["display_data"])
    foreign.stop()
    assert cell.status == "error"


def test_what_it_does_not_offer_is_said(foreign: Notebook) -> None:
    (error,) = foreign.run("%store").of("error")
    assert error["ename"] == "NotOffered"


def test_it_cannot_make_exit_catchable(
    start_kernel: StartKernel, codex_command: Sequence[str]
) -> None:
    notebook = start_kernel(host_command=shlex.join(codex_command), exit_is_catchable=True)
    (error,) = notebook.run("text(1)").of("error")
    assert error["ename"] == "HostUnavailable"

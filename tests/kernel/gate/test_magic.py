"""`%gate` in a real kernel."""

import re

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Execution, Notebook

ECHO = 'text((await tools.exec_command({cmd: "echo hi"})).output)'
CAUGHT = f"try {{ {ECHO} }} catch (error) {{ text(error) }}"


def rows(cell: Execution) -> list[list[str]]:
    """The lines of every table, headings included."""
    tables = [shown["data"]["text/plain"] for shown in cell.of("display_data")]
    return [re.split(r"  +", line) for plain in tables for line in plain.split("\n")]


def explained(cell: Execution) -> dict[str, str]:
    return {row[0]: row[-1] for row in rows(cell)[1:]}


def test_the_gate_is_shown_with_its_defaults(notebook: Notebook) -> None:
    shown = notebook.run("%gate")
    assert shown.text() == "Mode: ask (default).\n"
    assert "<table>" in shown.of("display_data")[0]["data"]["text/html"]
    headings, *defaults = rows(shown)
    assert headings[:5] == ["rule", "decision", "tool", "source", "annotation"]
    assert headings[5:] == ["reason", "comes from"]
    assert [row[1] for row in defaults] == ["allow", "ask"]


def test_the_rule_that_was_added_last_counts_until_it_is_removed(notebook: Notebook) -> None:
    notebook.run("%gate deny exec_command --reason 'not now'")
    assert notebook.run(CAUGHT).text() == "policy refused `exec_command`: not now\n"
    shown = notebook.run('%gate allow exec_command cmd="echo h?"')
    assert [row[:3] for row in rows(shown)[1:3]] == [
        ["1", "allow", "exec_command"],
        ["2", "deny", "exec_command"],
    ]
    assert "cmd: glob echo h?" in rows(shown)[1]
    assert rows(shown)[1][-1] == "%gate"
    assert notebook.run(ECHO, allow_stdin=False).text() == "hi\n"
    notebook.run("%gate remove 1")
    assert notebook.run(CAUGHT).text() == "policy refused `exec_command`: not now\n"
    notebook.run("%gate remove 1")
    assert "no rule" in str(rows(notebook.run("%gate")))
    assert notebook.run("%gate remove 1").status == "error"


def test_mode_plan_refuses_what_can_change_anything(notebook: Notebook) -> None:
    notebook.run("%gate allow exec_command")
    assert notebook.run("%gate mode plan").text() == "Mode: plan (%gate).\n"
    assert "the gate is in mode plan" in notebook.run(CAUGHT).text()
    notebook.run("%gate mode ask")
    assert notebook.run(ECHO).text() == "hi\n"


def test_mode_allow_all_asks_nobody_and_denies_what_is_denied(notebook: Notebook) -> None:
    notebook.run("%gate mode allow-all")
    assert notebook.run(ECHO, allow_stdin=False).text() == "hi\n"
    notebook.run("%gate deny exec_command")
    assert "a rule denies it" in notebook.run(CAUGHT).text()


def test_reset_takes_back_what_the_magic_said(notebook: Notebook) -> None:
    notebook.run("%gate mode allow-all")
    notebook.run("%gate deny exec_command")
    notebook.run("%reset")
    shown = notebook.run("%gate")
    assert shown.text() == "Mode: ask (default).\n"
    assert len(rows(shown)) == 3


def test_why_was_this_asked(notebook: Notebook) -> None:
    assert notebook.run("%gate explain").text().startswith("No call was asked about")
    cell = notebook.send(ECHO)
    notebook.answer("a")
    cell.done()
    told = explained(notebook.run("%gate explain"))
    assert told["tool"] == "exec_command of shell"
    assert told["made by"] == "cell 1, tool-1"
    assert told["arguments"] == '{"cmd": "echo hi"}'
    assert told["decision"] == "ask"
    assert told["why"] == "no rule allows it"
    assert told["you said"] == "yes, with these arguments"
    assert told["what came of it"] == "asked: same"
    notebook.run(told["to allow it"])
    assert explained(notebook.run('%gate explain exec_command {"cmd": "echo hi"}'))["rule"] == (
        "1, from %gate"
    )


def test_a_call_is_explained_without_being_made(notebook: Notebook) -> None:
    told = explained(notebook.run("%gate explain write_stdin"))
    assert (told["decision"], told["its source says"]) == ("ask", "nothing about effects")
    told = explained(notebook.run('%gate explain write_stdin {"session_id": 1}'))
    assert (told["decision"], told["its source says"]) == ("allow", "read-only")
    assert notebook.run("%gate explain nothing").of("error")[0]["evalue"] == (
        "There is no tool nothing."
    )
    refused = notebook.run('%gate explain exec_command {"cmd": 5}').of("error")[0]["evalue"]
    assert refused.startswith("The gate is not reached: ")


PATCH = "*** Begin Patch\n*** Add File: note.md\n+one\n*** End Patch"


def test_the_line_that_would_allow_a_patch_does(notebook: Notebook) -> None:
    assert notebook.run(f"%call apply_patch\n{PATCH}", allow_stdin=False).status == "error"
    notebook.run(explained(notebook.run("%gate explain"))["to allow it"])
    assert notebook.run(f"%call apply_patch\n{PATCH}", allow_stdin=False).status == "ok"


def test_approvals_are_shown_and_forgotten(notebook: Notebook) -> None:
    cell = notebook.send(ECHO)
    notebook.answer("s")
    cell.done()
    assert ["yes, for the session", "exec_command", "shell", "any"] in rows(notebook.run("%gate"))
    assert "yes, for the session" not in str(rows(notebook.run("%gate forget")))
    asked = notebook.send(ECHO)
    notebook.answer("n")
    assert asked.status == "error"


@pytest.mark.parametrize(
    "line, said",
    [
        ("deny exec_comand", "there is no tool exec_comand so far."),
        ("deny exec_command --source mcp:x", "there is no tool exec_command of source mcp:x"),
        ('deny exec_command command="rm*"', "no argument `command`; rules know it as `cmd`."),
        ("deny apply_patch patch=*", "apply_patch has no argument `patch`."),
        ("ask * x=1", "no tool that it names has an argument `x`."),
    ],
)
def test_a_rule_that_nothing_matches_is_told_and_added(
    notebook: Notebook, line: str, said: str
) -> None:
    shown = notebook.run(f"%gate {line}")
    assert shown.text("stderr").startswith("Nothing matches this rule: ")
    assert said in shown.text("stderr")
    assert len(rows(shown)) == 4


def test_of_a_rule_that_something_matches_nothing_is_said(notebook: Notebook) -> None:
    for line in ("deny *", "deny exec_* cmd=*", "allow apply_patch input=*"):
        assert not notebook.run(f"%gate {line}").text("stderr"), line


@pytest.mark.slow
def test_configured_rules_and_mode_are_named_as_such(start_kernel: StartKernel) -> None:
    rule = '{"decision": "deny", "tool": "exec_*", "reason": "exam"}'
    notebook = start_kernel(gate_rules=f"[{rule}]", gate_mode="plan", ask_user=True)
    shown = notebook.run("%gate")
    assert shown.text() == "Mode: plan (configuration).\n"
    assert rows(shown)[1] == ["1", "deny", "exec_*", "*", "exam", "configuration"]
    assert "exam" in notebook.run(CAUGHT).text()
    # A tool that asks the person changes nothing, and no script reaches it.
    assert explained(notebook.run("%gate explain ask_user"))["decision"] == "allow"
    assert notebook.run("text(typeof tools.ask_user)").text() == "undefined\n"


LOGIN = """%%python
from toolbridge import tool

@tool
def login(user: str, password: str, more: dict[str, str] | None = None) -> str:
    return user
"""


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", ', "more": {"api_key": "k"}'])
def test_the_line_that_would_allow_a_call_with_a_secret_does_and_does_not_tell_it(
    notebook: Notebook, more: str
) -> None:
    notebook.run(LOGIN)
    call = f'%call login {{"user": "amy", "password": "hunter2"{more}}}'
    assert notebook.run(call, allow_stdin=False).status == "error"
    told = explained(notebook.run("%gate explain"))
    assert "hunter2" not in str(told)
    notebook.run(told["to allow it"])
    assert notebook.run(call, allow_stdin=False).status == "ok"

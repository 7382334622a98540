"""Rules that come with a folder hold only after the person agreed to them."""

import json
import os
from pathlib import Path

import pytest
from codemode_kernel.errors import ConfigurationError
from codemode_kernel.gate.policy import Policy
from codemode_kernel.gate.project_rules import FILE_NAME, ProjectRules

from tests.kernel.conftest import StartKernel
from toolbridge import GateMode, Toolbox, parse_rules

ALLOW_ECHO = {
    "decision": "allow",
    "tool": "exec_command",
    "arguments": {"cmd": "echo hi"},
}
ECHO = 'text((await tools.exec_command({cmd: "echo hi"})).output)'


def propose(folder: Path, *rules: object) -> None:
    (folder / FILE_NAME).write_text(json.dumps({"CodeModeKernel": {"gate_rules": list(rules)}}))


@pytest.fixture
def project(tmp_path: Path) -> ProjectRules:
    return ProjectRules(tmp_path, tmp_path / "data" / "agreed.json")


@pytest.fixture
def fresh_folder(kernel_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the kernels, with nothing agreed to yet."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    return kernel_folder


def test_without_a_file_nothing_is_proposed(project: ProjectRules) -> None:
    assert project.open_proposal() is None
    assert project.in_force() == ()


def test_a_proposal_holds_once_agreed_and_until_it_changes(
    project: ProjectRules, tmp_path: Path
) -> None:
    propose(tmp_path, ALLOW_ECHO)
    proposal = project.open_proposal()
    assert proposal is not None
    assert json.loads(proposal.text) == ALLOW_ECHO
    assert project.in_force() == ()
    project.agree(proposal)
    assert project.in_force() == proposal.rules
    assert project.open_proposal() is None
    propose(tmp_path, ALLOW_ECHO, {"decision": "allow"})
    assert project.in_force() == ()
    assert project.open_proposal() is not None


def test_an_agreement_outlives_the_kernel_and_a_no_does_not(tmp_path: Path) -> None:
    propose(tmp_path, ALLOW_ECHO)
    first, second, third = (ProjectRules(tmp_path, tmp_path / "agreed.json") for _ in range(3))
    proposal = first.open_proposal()
    assert proposal is not None
    first.decline(proposal)
    assert first.open_proposal() is None
    assert second.open_proposal() == proposal
    second.agree(proposal)
    assert third.in_force() == proposal.rules


@pytest.mark.parametrize(
    "content",
    ["{", "[]", "3", "{}", '{"CodeModeKernel": 3}', '{"CodeModeKernel": {"gate_rules": []}}'],
)
def test_a_file_without_rules_proposes_nothing(
    project: ProjectRules, tmp_path: Path, content: str
) -> None:
    (tmp_path / FILE_NAME).write_text(content)
    if content in ("{", "[]", "3"):
        with pytest.raises(ConfigurationError):
            project.open_proposal()
    assert project.open_proposal() is None


def test_an_unusable_rule_is_told_once(project: ProjectRules, tmp_path: Path) -> None:
    propose(tmp_path, {"decision": "perhaps"})
    assert project.in_force() == ()
    with pytest.raises(ConfigurationError, match="beside this notebook is not used"):
        project.open_proposal()
    assert project.open_proposal() is None


def test_a_named_pipe_in_the_files_place_keeps_nobody_waiting(
    project: ProjectRules, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / FILE_NAME)
    with pytest.raises(ConfigurationError, match="is not used: it is not a regular file"):
        project.open_proposal()
    assert project.in_force() == ()


def test_a_file_without_end_is_not_read_to_its_end(project: ProjectRules, tmp_path: Path) -> None:
    with (tmp_path / FILE_NAME).open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ConfigurationError, match="is not used: it is larger than 1 MiB"):
        project.open_proposal()


@pytest.mark.slow
def test_the_person_is_asked_about_the_rules_before_the_call(
    start_kernel: StartKernel, fresh_folder: Path
) -> None:
    propose(fresh_folder, ALLOW_ECHO)
    notebook = start_kernel()
    cell = notebook.send(ECHO)
    notebook.until(lambda: bool(notebook.questions))
    assert FILE_NAME in notebook.questions[0]["content"]["prompt"]
    notebook.answer("y")
    assert cell.done().text() == "hi\n"
    # Agreed for good: also a client that nobody answers may call it now, in any kernel.
    assert notebook.run(ECHO, allow_stdin=False).text() == "hi\n"
    assert start_kernel().run(ECHO, allow_stdin=False).text() == "hi\n"


@pytest.mark.slow
def test_a_call_that_the_agreed_rules_deny_is_no_question(
    start_kernel: StartKernel, fresh_folder: Path
) -> None:
    propose(fresh_folder, {"decision": "deny", "tool": "exec_command", "reason": "not here"})
    notebook = start_kernel()
    cell = notebook.send(ECHO)
    notebook.answer("y")
    assert "not here" in cell.done().of("error")[0]["evalue"]
    assert notebook.questions == []


def test_rules_that_are_the_users_own_already_are_not_proposed(
    project: ProjectRules, tmp_path: Path
) -> None:
    propose(tmp_path, ALLOW_ECHO)
    assert Policy(Toolbox(), (), project).open_proposal() is not None
    assert Policy(Toolbox(), parse_rules([ALLOW_ECHO]), project).open_proposal() is None


@pytest.mark.slow
def test_rules_that_nobody_agreed_to_do_nothing(
    start_kernel: StartKernel, fresh_folder: Path
) -> None:
    propose(fresh_folder, ALLOW_ECHO)
    notebook = start_kernel()
    assert notebook.run(ECHO, allow_stdin=False).status == "error"
    cell = notebook.send(ECHO)
    notebook.answer("n")
    notebook.until(lambda: bool(notebook.questions))
    assert "wants to call exec_command" in notebook.questions[0]["content"]["prompt"]
    notebook.answer("n")
    assert cell.status == "error"


def propose_mode(folder: Path, mode: str, *rules: object) -> None:
    section = {"gate_mode": mode, "gate_rules": list(rules)}
    (folder / FILE_NAME).write_text(json.dumps({"CodeModeKernel": section}))


@pytest.mark.parametrize(
    "own, proposed, at_once, agreed",
    [
        ("ask", "plan", "plan", "plan"),
        ("ask", "allow-all", "ask", "allow-all"),
        ("allow-all", "ask", "ask", "ask"),
        ("allow-all", "plan", "plan", "plan"),
        ("plan", "ask", "plan", "plan"),
        ("plan", "allow-all", "plan", "plan"),
    ],
)
def test_a_stricter_mode_holds_at_once_and_a_laxer_one_once_agreed(
    project: ProjectRules, tmp_path: Path, own: str, proposed: str, at_once: str, agreed: str
) -> None:
    propose_mode(tmp_path, proposed)
    policy = Policy(Toolbox(), (), project, GateMode(own))
    assert policy.mode == at_once
    proposal = policy.open_proposal()
    assert (proposal is None) is (GateMode(proposed).strictness >= GateMode(own).strictness)
    if proposal is not None:
        assert proposal.text == f"gate mode {proposed}"
        policy.settle(proposal, agreed=True)
    assert policy.mode == agreed


def test_a_no_to_the_rules_does_not_loosen_the_mode(project: ProjectRules, tmp_path: Path) -> None:
    propose_mode(tmp_path, "plan", ALLOW_ECHO)
    policy = Policy(Toolbox(), (), project)
    proposal = policy.open_proposal()
    assert proposal is not None
    policy.settle(proposal, agreed=False)
    assert (policy.mode, policy.rules) == (GateMode.PLAN, ())
    assert policy.mode_origin == "this folder"


def test_the_persons_own_word_goes_before_the_folders_mode(
    project: ProjectRules, tmp_path: Path
) -> None:
    propose_mode(tmp_path, "plan")
    policy = Policy(Toolbox(), (), project)
    policy.set_mode(GateMode.ASK)
    assert (policy.mode, policy.mode_origin) == (GateMode.ASK, "%gate")
    policy.forget()
    assert policy.mode is GateMode.PLAN


def test_a_mode_that_is_none_is_told(project: ProjectRules, tmp_path: Path) -> None:
    propose_mode(tmp_path, "lax")
    assert Policy(Toolbox(), (), project).mode is GateMode.ASK
    with pytest.raises(ConfigurationError, match="gate_mode 'lax' is none of ask, plan, allow-all"):
        project.open_proposal()


def test_a_rule_of_the_configuration_can_be_removed_for_the_session(project: ProjectRules) -> None:
    rules = parse_rules([{"decision": "deny"}, ALLOW_ECHO], "configuration")
    policy = Policy(Toolbox(), rules, project)
    assert policy.remove(1) is rules[0]
    assert policy.rules == rules[1:]
    policy.forget()
    assert policy.rules == rules

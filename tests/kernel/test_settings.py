"""Options, from the command line and from configuration files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from codemode_kernel.host_command import OWN_HOST, command_line, start_early
from codemode_kernel.settings import KernelSettings
from traitlets.config import Config

from tests.kernel.conftest import StartKernel


def test_every_option_explains_itself() -> None:
    for name, trait in KernelSettings.class_traits(config=True).items():
        assert len(trait.help) > 60, name


@pytest.mark.parametrize(
    "value", ["host --listen stdio", ["host", "--listen", "stdio"], ("host", "--listen", "stdio")]
)
def test_a_command_is_words_or_one_string(value: object) -> None:
    config = Config({"KernelSettings": {"host_command": value}})
    assert KernelSettings(config=config).host_command == ["host", "--listen", "stdio"]


@pytest.mark.parametrize(
    "options, catchable",
    [
        ({}, False),
        ({"profile": "seed"}, True),
        ({"profile": "seed", "exit_is_catchable": False}, False),
        ({"exit_is_catchable": True}, True),
    ],
)
def test_the_profile_decides_unless_an_option_of_its_own_does(
    options: dict[str, object], catchable: bool
) -> None:
    assert KernelSettings(**options).exit_is_catchable is catchable


def test_the_host_is_ours_unless_named() -> None:
    assert command_line((), False) == OWN_HOST
    assert command_line((), True) == (*OWN_HOST, "--catchable-exit")
    assert command_line(("other", "-x"), False) == ("other", "-x")


def test_no_host_is_started_early_when_another_is_asked_for() -> None:
    assert start_early(["-f", "file", "--CodeModeKernel.host_command=x"]) is None


@pytest.mark.slow
def test_a_configuration_file_of_jupyter_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_kernel: StartKernel
) -> None:
    options = {"CodeModeKernel": {"exec_yield_time_ms": 20}}
    (tmp_path / "codemode_config.json").write_text(json.dumps(options))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path))
    notebook = start_kernel()
    assert "running" in notebook.run("await new Promise(() => {})").footer


@pytest.mark.slow
def test_a_file_in_the_notebooks_folder_is_not_read(
    kernel_folder: Path, start_kernel: StartKernel
) -> None:
    file = kernel_folder / "codemode_config.py"
    file.write_text("raise SystemExit('must not run')")
    (kernel_folder / "msgspec.py").write_text("raise SystemExit('must not be imported')")
    assert start_kernel().run("text(1)").text() == "1\n"


@pytest.mark.slow
def test_an_unusable_rule_is_named_in_every_cell(start_kernel: StartKernel) -> None:
    notebook = start_kernel(gate_rules=[{"decision": "perhaps"}])
    (error,) = notebook.run("text(1)").of("error")
    assert error["ename"] == "ConfigurationError"
    assert "gate_rules" in error["evalue"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "file, text, words",
    [
        ("codemode_config.json", "{bad", "cannot be read: JSONDecodeError"),
        ("codemode_config.py", "1 / 0", "cannot be read: ZeroDivisionError"),
        (
            "codemode_config.json",
            '{"CodeModeKernel": {"gate_rule": []}}',
            "There is no option CodeModeKernel.gate_rule. Is CodeModeKernel.gate_rules meant?",
        ),
        (
            "codemode_config.json",
            '{"CodeModeKernel": {"exec_yield_time_ms": -5}}',
            "CodeModeKernel.exec_yield_time_ms cannot be used",
        ),
        (
            "codemode_config.json",
            '{"CodeModeKernel": {"gate_rules": {"decision": "deny"}}}',
            "CodeModeKernel.gate_rules cannot be used",
        ),
    ],
)
def test_no_cell_runs_while_the_configuration_is_wrong(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    start_kernel: StartKernel,
    file: str,
    text: str,
    words: str,
) -> None:
    (tmp_path / file).write_text(text)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path))
    notebook = start_kernel()
    for code in ("text(1)", "%%python\n1"):
        (error,) = notebook.run(code).of("error")
        assert error["ename"] == "ConfigurationError"
        assert words in error["evalue"]


@pytest.mark.slow
def test_an_option_on_the_command_line_that_does_not_fit_is_named(
    start_kernel: StartKernel,
) -> None:
    (error,) = start_kernel(profile="zzz").run("text(1)").of("error")
    assert error["evalue"].startswith("CodeModeKernel.profile cannot be used")


@pytest.mark.slow
def test_a_host_that_cannot_be_started_is_named(start_kernel: StartKernel) -> None:
    notebook = start_kernel(host_command="no-such-host --listen stdio")
    (error,) = notebook.run("text(1)").of("error")
    assert error["ename"] == "HostUnavailable"
    assert "no-such-host" in error["evalue"]


@pytest.mark.slow
def test_the_command_line_explains_the_options() -> None:
    command = [sys.executable, "-m", "codemode_kernel", "--help-all"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for name in KernelSettings.class_trait_names(config=True):
        assert f"--CodeModeKernel.{name}=" in told

"""Logs hold ids, counts, durations and error classes, nothing that a person or a script wrote."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from codemode_kernel.fault_log import fault_of

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    source
    for package in ("kernel/codemode_kernel", "toolbridge/toolbridge")
    for source in (ROOT / package).rglob("*.py")
)
METHODS = {"debug", "info", "warning", "error", "critical", "exception", "log"}

HARMLESS = {
    "SHUTDOWN_S",
    "cell.id",
    "cell_run.run.label",
    "fault_of(error)",
    "function.__qualname__",
    "run.label",
    "self._name",  # of a capture: `cell-3`
}
"""What is logged. Add ids, counts, durations and classes; nothing else."""


def log_calls(source: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in METHODS
            and ast.unparse(node.func.value) in ("log", "logger", "self.log", "logging")
        ):
            yield node


def test_there_are_log_calls_to_look_at() -> None:
    assert sum(1 for source in SOURCES for _ in log_calls(source)) >= 5


@pytest.mark.parametrize(
    "source", SOURCES, ids=[str(source.relative_to(ROOT)) for source in SOURCES]
)
def test_nothing_but_ids_counts_durations_and_classes_is_logged(source: Path) -> None:
    for call in log_calls(source):
        place = f"{source}:{call.lineno}"
        assert isinstance(call.func, ast.Attribute)
        assert call.func.attr != "exception", f"{place} logs an exception's text"
        assert not call.keywords, f"{place} logs {ast.unparse(call)}"
        message, *values = call.args
        assert isinstance(message, ast.Constant), f"{place} logs a text that is made"
        assert {ast.unparse(value) for value in values} <= HARMLESS, place


def test_a_fault_is_its_class_and_its_places() -> None:
    def fail() -> None:
        raise KeyError("hunter2")

    with pytest.raises(KeyError) as raised:
        fail()
    told = fault_of(raised.value)
    assert told.startswith("KeyError at test_logs.py:")
    assert "hunter2" not in told
    assert fault_of(ValueError("hunter2")) == "ValueError"

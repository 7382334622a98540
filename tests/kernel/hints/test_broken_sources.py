"""Rules never fail, whatever the source is and however it ended."""

from codemode_kernel.hints.call_log import CallLog
from codemode_kernel.hints.earlier_cells import EarlierCells
from codemode_kernel.hints.facts import Facts
from codemode_kernel.hints.rules import AFTER_ERROR, AFTER_SUCCESS, LONGEST, hint_for
from codemode_kernel.session.calls import Call, CallOutcome
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.hints.examples import SAID
from toolbridge import Tool

ERRORS = [
    None,
    "SyntaxError: x",
    "SyntaxError: malformed escape sequence in string literal",
    "SyntaxError: invalid redefinition of lexical identifier",
    "ReferenceError: e is not defined\n    at exec_main.mjs:1:1",
    "Error",
]
SOURCES = ["\n".join((example,) if isinstance(example, str) else example) for example, _ in SAID]


def log_of_everything() -> CallLog:
    log = CallLog()
    for tool, outcome in (
        ("exec_command", CallOutcome.OK),
        ("apply_patch", CallOutcome.ERROR),
        ("hang", CallOutcome.CANCELLED),
    ):
        call = Call("tool-1", tool, None, 0.0, Tool(tool, "test"), error="no")
        log.started(call)
        call.outcome = outcome
        log.ended(call)
    return log


@st.composite
def broken_sources(draw: st.DrawFn) -> str:
    """A piece of one example, a piece of another, and maybe anything between."""
    first, second = draw(st.sampled_from(SOURCES)), draw(st.sampled_from(SOURCES))
    start, end = draw(st.integers(0, len(first))), draw(st.integers(0, len(second)))
    return first[:start] + draw(st.text(max_size=5)) + second[end:]


@settings(max_examples=300, deadline=None)
@given(broken_sources(), st.sampled_from(ERRORS), st.booleans())
def test_every_rule_answers(source: str, error_text: str | None, silent: bool) -> None:
    earlier = EarlierCells()
    earlier.add("In [1]", source)
    facts = Facts(
        code=source,
        error_text=error_text,
        silent=silent,
        calls=log_of_everything(),
        declared_earlier=lambda name: earlier.declaration_of(name, before="In [2]"),
    )
    for rule in (*AFTER_ERROR, *AFTER_SUCCESS):
        assert rule(facts) is None or isinstance(rule(facts), str)


def test_a_very_deep_source_is_looked_at() -> None:
    deep = "[" * 15_000
    assert hint_for(Facts(deep, "SyntaxError: x")) is not None


def test_a_very_long_source_is_not() -> None:
    assert hint_for(Facts("6 * 7;" + " " * LONGEST, silent=True)) is None

"""What a `%gate` line says."""

import pytest
from codemode_kernel.errors import MagicError
from codemode_kernel.gate.line import (
    Add,
    Explain,
    Forget,
    Order,
    Remove,
    SetMode,
    Show,
    read_gate_line,
)

from toolbridge import GateMode, parse_rules


@pytest.mark.parametrize(
    "line, order",
    [
        ("", Show()),
        ("remove 2", Remove(2)),
        ("mode plan", SetMode(GateMode.PLAN)),
        ("mode allow-all", SetMode(GateMode.ALLOW_ALL)),
        ("forget", Forget()),
        ("explain", Explain(None)),
        ("explain exec_command", Explain("exec_command")),
        ('explain exec_command {"cmd": "ls"}', Explain("exec_command", {"cmd": "ls"})),
    ],
)
def test_an_order(line: str, order: Order) -> None:
    assert read_gate_line(line) == order


@pytest.mark.parametrize(
    "line, written",
    [
        ("allow echo", {"decision": "allow", "tool": "echo"}),
        ("deny * --destructive", {"decision": "deny", "tool": "*", "destructive": True}),
        (
            "ask mcp__* --source=mcp:git --read-only",
            {"decision": "ask", "tool": "mcp__*", "source": "mcp:git", "read_only": True},
        ),
        (
            'allow exec_command cmd="git log*" n:=[1,true] --reason "for class" --principal amy',
            {
                "decision": "allow",
                "tool": "exec_command",
                "arguments": {"cmd": {"glob": "git log*"}, "n": [1, True]},
                "reason": "for class",
                "principal": "amy",
            },
        ),
        (
            "allow t x=a=b",
            {"decision": "allow", "tool": "t", "arguments": {"x": {"glob": "a=b"}}},
        ),
    ],
)
def test_a_rule(line: str, written: dict[str, object]) -> None:
    assert read_gate_line(line) == Add(parse_rules([written])[0])


@pytest.mark.parametrize(
    "line, said",
    [
        ("perhaps", "Usage: %gate"),
        ("mode lax", "Usage: %gate"),
        ("remove first", "Usage: %gate"),
        ("forget me", "Usage: %gate"),
        ("allow", "Name the tool, or * for all of them."),
        ("allow a b", "Usage: %gate"),
        ("allow 'a", "This cannot be read: No closing quotation."),
        ("allow a --all", "Unknown option --all."),
        ("allow a --reason", "--reason takes a value."),
        ("allow a n:=x", "x after n:= is no JSON."),
        ("allow a n:=NaN", "NaN after n:= is no JSON."),
        ("explain a {", "The arguments are no JSON: Expecting property name"),
        ('explain a {"n": NaN}', "The arguments are no JSON: NaN is no JSON."),
        (
            f"explain a {'1' * 9000}",
            "The arguments are no JSON: it holds a number that is too long.",
        ),
        (f"explain a {'[' * 9000}", "The arguments are no JSON: it is nested too deeply."),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_usage(line: str, said: str) -> None:
    with pytest.raises(MagicError) as refused:
        read_gate_line(line)
    assert str(refused.value).startswith(said)
    assert "Usage: %gate" in str(refused.value)

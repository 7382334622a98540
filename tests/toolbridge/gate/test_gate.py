"""The gate as a table: which rules say what about which call."""

from typing import Any

import pytest
from toolbridge.errors import RuleError

from toolbridge import Annotations, Decision, Gate, GateMode, Kind, Tool, parse_rules

EXEC = Tool("exec_command", "shell", inert_arguments=frozenset({"yield_time_ms"}))
READ = Tool("read", "files", annotations=Annotations(read_only=True))
MCP = Tool("list-issues.v2", "mcp:git-hub", namespace="mcp__git-hub")
PATCH = Tool("apply_patch", "patch", kind=Kind.FREEFORM)
WIPE = Tool("wipe", "files", annotations=Annotations(destructive=True))

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
STATUS = [{"decision": "allow", "tool": "exec_command", "arguments": {"cmd": "git status"}}]
GLOB = [{"decision": "allow", "arguments": {"cmd": {"glob": "git log*"}}}]
REGEX = [{"decision": "allow", "arguments": {"cmd": {"regex": "git (log|diff)"}}}]
NO_RM: list[dict[str, Any]] = [
    {"decision": "deny", "arguments": {"cmd": {"glob": "*rm *"}}},
    {"decision": "allow"},
]
NAMED = [{"decision": "allow", "principal": "a*"}]

TABLE: list[tuple[list[dict[str, Any]], Tool, Any, str | None, Decision]] = [
    # Without a rule
    ([], EXEC, {"cmd": "ls"}, None, ASK),
    ([], READ, {}, None, ALLOW),
    ([], WIPE, {}, None, ASK),
    # Names
    ([{"decision": "deny", "tool": "exec_*"}], EXEC, {}, None, DENY),
    ([{"decision": "deny", "tool": "Exec_*"}], EXEC, {}, None, ASK),
    ([{"decision": "deny", "tool": "exec"}], EXEC, {}, None, ASK),
    ([{"decision": "allow", "source": "mcp:*"}], MCP, {}, None, ALLOW),
    ([{"decision": "allow", "source": "mcp:*"}], EXEC, {}, None, ASK),
    ([{"decision": "allow", "tool": "mcp__git-hub__list-issues.v2"}], MCP, {}, None, ALLOW),
    ([{"decision": "allow", "tool": "list-issues.v2"}], MCP, {}, None, ASK),
    # Effects
    ([{"decision": "ask", "read_only": True}], READ, {}, None, ASK),
    ([{"decision": "allow", "read_only": False}], EXEC, {}, None, ASK),
    ([{"decision": "deny", "destructive": True}], WIPE, {}, None, DENY),
    ([{"decision": "deny", "destructive": True}], EXEC, {}, None, ASK),
    # Order
    ([{"decision": "ask"}, {"decision": "allow"}], EXEC, {}, None, ASK),
    ([{"decision": "allow"}, {"decision": "deny"}], EXEC, {}, None, ALLOW),
    # Principals
    (NAMED, EXEC, {}, "amy", ALLOW),
    (NAMED, EXEC, {}, "bob", ASK),
    (NAMED, EXEC, {}, None, ASK),
    # Exactly one command
    (STATUS, EXEC, {"cmd": "git status"}, None, ALLOW),
    (STATUS, EXEC, {"cmd": "git status", "yield_time_ms": 5}, None, ALLOW),
    (STATUS, EXEC, {"cmd": "git status; rm x"}, None, ASK),
    (STATUS, EXEC, {"cmd": "git status\n"}, None, ASK),
    (STATUS, EXEC, {"cmd": "git status", "shell": "/tmp/evil"}, None, ASK),
    (STATUS, EXEC, {"cmd": "git status", "workdir": "/elsewhere"}, None, ASK),
    (STATUS, EXEC, {}, None, ASK),
    # Shapes
    (GLOB, EXEC, {"cmd": "git log -3"}, None, ALLOW),
    (GLOB, EXEC, {"cmd": "cat git log"}, None, ASK),
    (GLOB, EXEC, {"cmd": 5}, None, ASK),
    (REGEX, EXEC, {"cmd": "git diff"}, None, ALLOW),
    (REGEX, EXEC, {"cmd": "git diff; ls"}, None, ASK),
    # A denial holds whatever else is passed
    (NO_RM, EXEC, {"cmd": "rm -r x", "shell": "zsh"}, None, DENY),
    (NO_RM, EXEC, {"cmd": "ls"}, None, ALLOW),
    # JSON's own equality
    ([{"decision": "allow", "arguments": {"n": 1}}], EXEC, {"n": True}, None, ASK),
    ([{"decision": "allow", "arguments": {"n": 1}}], EXEC, {"n": 1.0}, None, ALLOW),
    ([{"decision": "allow", "arguments": {"n": [{"a": 1}]}}], EXEC, {"n": [{"a": 1}]}, None, ALLOW),
    ([{"decision": "allow", "arguments": {"n": [{"a": 1}]}}], EXEC, {"n": [{"a": 0}]}, None, ASK),
    ([{"decision": "allow", "arguments": {"n": [{"a": 1}]}}], EXEC, {"n": [1, 2]}, None, ASK),
    # Freeform tools
    ([{"decision": "deny", "arguments": {"input": {"glob": "*x*"}}}], PATCH, "axb", None, DENY),
    ([{"decision": "allow", "arguments": {"input": "ab"}}], PATCH, "ab", None, ALLOW),
]


@pytest.mark.parametrize("rules, tool, arguments, principal, decision", TABLE)
def test_decision(
    rules: list[dict[str, Any]],
    tool: Tool,
    arguments: Any,
    principal: str | None,
    decision: Decision,
) -> None:
    verdict = Gate(parse_rules(rules)).decide(tool, tool.annotations, arguments, principal)
    assert verdict.decision is decision


PLAN, LAX = GateMode.PLAN, GateMode.ALLOW_ALL
LOADER = Tool("ToolSearch", "builtin")
ALLOWED = [{"decision": "allow"}]
DENIED = [{"decision": "deny"}]
ASKED = [{"decision": "ask"}]
POLL = Annotations(read_only=True)


@pytest.mark.parametrize(
    "mode, rules, tool, effects, decision",
    [
        # Plan: nothing that can change anything, whatever a rule allows
        (PLAN, [], EXEC, None, DENY),
        (PLAN, ALLOWED, EXEC, None, DENY),
        (PLAN, ALLOWED, WIPE, None, DENY),
        (PLAN, [], READ, None, ALLOW),
        (PLAN, ASKED, READ, None, ASK),
        (PLAN, DENIED, READ, None, DENY),
        (PLAN, [], EXEC, POLL, ALLOW),
        (PLAN, ALLOWED, READ, Annotations(read_only=False), DENY),
        (PLAN, ALLOWED, LOADER, None, ALLOW),
        # Allow all: asks nobody, and what is denied stays denied
        (LAX, [], EXEC, None, ALLOW),
        (LAX, [], WIPE, None, ALLOW),
        (LAX, ASKED, READ, None, ALLOW),
        (LAX, DENIED, READ, None, DENY),
    ],
)
def test_a_mode_stands_around_the_rules(
    mode: GateMode,
    rules: list[dict[str, Any]],
    tool: Tool,
    effects: Annotations | None,
    decision: Decision,
) -> None:
    verdict = Gate(parse_rules(rules), mode).decide(tool, effects or tool.annotations, {})
    assert verdict.decision is decision


@pytest.mark.parametrize("mode", GateMode)
def test_another_persons_tool_is_denied_in_every_mode_and_by_every_rule(mode: GateMode) -> None:
    vault = Tool("vault", "s", owners=frozenset({"amy"}), annotations=Annotations(read_only=True))
    gate = Gate(parse_rules(ALLOWED), mode)
    for stranger in ("bob", None):
        verdict = gate.decide(vault, vault.annotations, {}, stranger)
        assert (verdict.decision, verdict.reason) == (DENY, "it is another person's tool")
    assert gate.decide(vault, vault.annotations, {}, "amy").decision is ALLOW


def test_modes_are_ordered_by_what_they_allow() -> None:
    assert sorted(GateMode, key=lambda mode: mode.strictness) == [LAX, GateMode.ASK, PLAN]


def test_patterns_are_shown_as_they_are_written() -> None:
    arguments = {"a": {"glob": "x*"}, "b": {"regex": "y+"}, "c": "z", "d": {"k": 1}}
    (rule,) = parse_rules([{"decision": "ask", "arguments": arguments}], "somewhere")
    assert [str(pattern) for pattern in rule.arguments.values()] == [
        "glob x*",
        "regex y+",
        '"z"',
        '{"k": 1}',
    ]
    assert rule.origin == "somewhere"


def test_a_verdict_tells_the_rule_and_its_reason() -> None:
    rules = parse_rules([{"decision": "deny", "reason": "not in class"}])
    verdict = Gate(rules).decide(EXEC, EXEC.annotations, {})
    assert (verdict.reason, verdict.rule) == ("not in class", rules[0])


def test_what_a_source_says_of_one_call_counts() -> None:
    verdict = Gate().decide(EXEC, Annotations(read_only=True), {})
    assert verdict.decision is ALLOW


@pytest.mark.parametrize(
    "written, message",
    [
        ([{}], "gate rule 1 lacks `decision`: allow, ask or deny"),
        (["allow"], "gate rule 1 is no object"),
        (
            [{"decision": "allow"}, {"decision": "maybe"}],
            "gate rule 2, `decision`: 'maybe' is none of allow, ask, deny",
        ),
        ([{"decision": "allow", "tool": 5}], "gate rule 1, `tool`: 5 is no string"),
        (
            [{"decision": "allow", "read_only": "yes"}],
            "gate rule 1, `read_only`: 'yes' is neither true nor false",
        ),
        (
            [{"decision": "allow", "arguments": ["cmd"]}],
            "gate rule 1, `arguments`: ['cmd'] is no object of argument names and patterns",
        ),
    ],
)
def test_a_rule_that_cannot_be_read_is_named(written: Any, message: str) -> None:
    with pytest.raises(RuleError) as refused:
        parse_rules(written)
    assert str(refused.value) == message


def test_an_unknown_field_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RuleError, match="rule 1 has an unknown field `args`; there are `decision`"):
        parse_rules([{"decision": "allow", "args": {}}])


def test_an_expression_that_does_not_compile_is_refused() -> None:
    rule = {"decision": "allow", "arguments": {"cmd": {"regex": "("}}}
    with pytest.raises(RuleError, match=r"rule 1, `arguments`: the regex '\(' does not compile"):
        parse_rules([rule])

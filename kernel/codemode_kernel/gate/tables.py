"""The gate as tables: its rules, what the person said, and why a call was decided as it was."""

from __future__ import annotations

import glob
import json
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from toolbridge.gate.gate import FREEFORM_ARGUMENT
from toolbridge.masking import SECRET

from codemode_kernel.gate.policy import DEFAULT
from codemode_kernel.outputs.bundles import Bundle
from codemode_kernel.outputs.shortened import shortened
from codemode_kernel.outputs.tables import table
from toolbridge import Answer, Decision, Explanation, Grant, JsonValue, Kind, Rule

RULE_HEADINGS = (
    "rule",
    "decision",
    "tool",
    "source",
    "annotation",
    "principal",
    "arguments",
    "reason",
    "comes from",
)
GRANT_HEADINGS = ("you said", "tool", "source", "arguments")
EXPLANATION_HEADINGS = ("about the call", "")

LONGEST = 120
"""Characters of arguments that are shown."""

_DEFAULTS = (
    (
        "-",
        Decision.ALLOW,
        "*",
        "*",
        "read-only",
        "",
        "",
        "it says that it changes nothing",
        DEFAULT,
    ),
    ("-", Decision.ASK, "*", "*", "", "", "", "no rule allows it", DEFAULT),
)
_SAID = {
    Answer.SESSION: "yes, for the session",
    Answer.SAME: "yes, with these arguments",
    Answer.NEVER: "no, for the session",
}


def rule_table(rules: Sequence[Rule]) -> Bundle:
    """The rules in order, and what holds where none matches."""
    rows = [_rule_row(number, rule) for number, rule in enumerate(rules, start=1)]
    return table(RULE_HEADINGS, [*rows, *_DEFAULTS])


def grant_table(grants: Sequence[Grant]) -> Bundle:
    """What the person said for the session."""
    return table(
        GRANT_HEADINGS,
        [
            (
                _SAID[grant.answer],
                grant.tool,
                grant.source,
                "any" if grant.arguments is None else _json(grant.arguments),
            )
            for grant in grants
        ],
    )


def explanation_table(explanation: Explanation, rules: Sequence[Rule], mode: str) -> Bundle:
    """Why the gate says what it says, and how to have it say something else."""
    return table(EXPLANATION_HEADINGS, list(_explanation_rows(explanation, rules, mode)))


def annotation_text(read_only: bool | None, destructive: bool | None) -> str:
    """What is said of effects, in words; empty where nothing is."""
    words = {
        "read-only": read_only,
        "destructive": destructive,
    }
    said = (word if value else f"not {word}" for word, value in words.items() if value is not None)
    return ", ".join(said)


def _rule_row(number: int, rule: Rule) -> tuple[str, ...]:
    return (
        str(number),
        rule.decision,
        rule.tool,
        rule.source,
        annotation_text(rule.read_only, rule.destructive),
        rule.principal or "",
        ", ".join(f"{name}: {pattern}" for name, pattern in rule.arguments.items()),
        rule.reason,
        rule.origin,
    )


def _explanation_rows(
    explanation: Explanation, rules: Sequence[Rule], mode: str
) -> Iterator[tuple[str, str]]:
    tool, verdict = explanation.tool, explanation.verdict
    yield "tool", f"{tool.raw_name} of {tool.source}"
    if explanation.cell_id is not None:
        yield "made by", f"cell {explanation.cell_id}, {explanation.call_id}"
    yield "arguments", _json(explanation.arguments)
    effects = explanation.effects
    said = annotation_text(effects.read_only, effects.destructive)
    yield "its source says", said or "nothing about effects"
    yield "mode", mode
    yield "decision", verdict.decision
    yield "why", verdict.reason
    if verdict.rule is not None:
        yield "rule", _place(verdict.rule, rules)
    if explanation.grant is not None:
        yield "you said", _SAID[explanation.grant.answer]
    if explanation.ending:
        yield "what came of it", explanation.ending
    if verdict.decision is not Decision.ALLOW:
        yield "to allow it", _allowing(explanation)


def _place(rule: Rule, rules: Sequence[Rule]) -> str:
    number = next((n for n, known in enumerate(rules, start=1) if known is rule), None)
    return f"{number}, from {rule.origin}" if number else f"one from {rule.origin}, removed since"


def _allowing(explanation: Explanation) -> str:
    """A line that allows this call and no more, as far as a line can say it."""
    tool, arguments = explanation.tool, explanation.arguments
    patterns: list[str | None]
    if tool.kind is Kind.FREEFORM:
        patterns = [f"{FREEFORM_ARGUMENT}=*"]
    else:
        named = arguments if isinstance(arguments, dict) else {}
        patterns = [_pattern(*one) for one in named.items() if one[0] not in tool.inert_arguments]
    words = [glob.escape(tool.raw_name), *filter(None, patterns)]
    if None in patterns:
        words = words[:1]  # of an argument that cannot be named no rule with arguments lets pass
    return f"%gate allow {shlex.join(words)} --source {shlex.quote(glob.escape(tool.source))}"


def _pattern(name: str, value: JsonValue) -> str | None:
    """What a `%gate` line says of an argument; None where it holds a secret deep inside."""
    if value == SECRET:
        return f"{name}=*"
    text = json.dumps(value, ensure_ascii=False)
    return None if SECRET in text else f"{name}:={text}"


def _json(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False), LONGEST)

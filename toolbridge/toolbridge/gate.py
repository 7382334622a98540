"""What may run: ordered rules over tool, source, effects, principal and arguments.

Sans-I/O. A gate is a value; `decide` looks at one call and answers allow, ask or deny. The first
rule that matches decides. Without one, a tool that says it is read-only runs and everything else
is asked about. Changing the rules means putting another gate in its place, which holds from the
next look on.

Arguments in a rule:

- a plain value matches what is equal to it, `{"glob": "git log*"}` a string of that shape,
  `{"regex": "git (log|diff)"}` a string that the expression matches from end to end;
- a rule that *allows* lets no argument through that it does not name, unless the tool declares the
  argument inert. So `{"cmd": "git status"}` allows that one command and not the same words in
  another shell or folder. Rules that ask or deny match whatever else is passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from toolbridge.json_values import JsonValue
from toolbridge.tools import Tool


class Decision(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a gate. Patterns are globs over the whole name, case-sensitive."""

    decision: Decision
    tool: str = "*"
    """Over the raw name."""
    source: str = "*"
    """Over the source's id."""
    principal: str | None = None
    """Over the principal; None matches everybody, nobody's name included."""
    read_only: bool | None = None
    """Only tools whose annotation says exactly this."""
    destructive: bool | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Argument name to pattern, as described above."""
    reason: str = ""
    """Shown to the person and, in a refusal, to the script."""

    def matches(self, tool: Tool, arguments: JsonValue, principal: str | None) -> bool:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a gate says about one call, and why."""

    decision: Decision
    reason: str
    rule: Rule | None = None
    """The rule that decided; None for the gate's own default."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Ordered rules."""

    rules: tuple[Rule, ...] = ()

    def decide(self, tool: Tool, arguments: JsonValue, principal: str | None = None) -> Verdict:
        """Look at one call. `arguments` is the object of a function, the string of a freeform."""
        raise NotImplementedError


def parse_rules(items: Sequence[Mapping[str, Any]]) -> tuple[Rule, ...]:
    """Read rules from configuration: a list of objects with the fields of `Rule`.

    Raises `RuleError` that names the rule (from 1) and the field.
    """
    raise NotImplementedError

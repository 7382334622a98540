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
  another shell or folder. Rules that ask or deny match whatever else is passed;
- what a freeform tool takes goes by the name `input`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase

from toolbridge.argument_pattern import ArgumentPattern
from toolbridge.json_values import JsonValue
from toolbridge.tools import Annotations, Tool

FREEFORM_ARGUMENT = "input"
"""The name under which a rule speaks of the one string of a freeform tool."""


class Decision(StrEnum):
    """What happens to a call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a gate. `tool`, `source` and `principal` are globs over the whole name."""

    decision: Decision
    tool: str = "*"
    """Over the raw name."""
    source: str = "*"
    """Over the source's id."""
    principal: str | None = None
    """None matches everybody, also where there is no principal."""
    read_only: bool | None = None
    """Only calls of which the source says exactly this."""
    destructive: bool | None = None
    arguments: Mapping[str, ArgumentPattern] = field(default_factory=dict)
    reason: str = ""
    """Shown to the person and, in a refusal, to the script."""

    def matches(
        self, tool: Tool, effects: Annotations, arguments: JsonValue, principal: str | None
    ) -> bool:
        """Whether the rule speaks of this call."""
        return (
            fnmatchcase(tool.raw_name, self.tool)
            and fnmatchcase(tool.source, self.source)
            and (self.principal is None or fnmatchcase(principal or "", self.principal))
            and (self.read_only is None or effects.read_only is self.read_only)
            and (self.destructive is None or effects.destructive is self.destructive)
            and (not self.arguments or self._matches_arguments(tool, arguments))
        )

    def _matches_arguments(self, tool: Tool, arguments: JsonValue) -> bool:
        passed = arguments if isinstance(arguments, dict) else {FREEFORM_ARGUMENT: arguments}
        if self.decision is Decision.ALLOW:
            unnamed = passed.keys() - self.arguments.keys() - tool.inert_arguments
            if unnamed:
                return False
        return all(
            name in passed and pattern.matches(passed[name])
            for name, pattern in self.arguments.items()
        )


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

    def decide(
        self,
        tool: Tool,
        effects: Annotations,
        arguments: JsonValue,
        principal: str | None = None,
    ) -> Verdict:
        """Look at one call.

        `effects` is what the source says about this very call, most often the tool's own
        annotations; `arguments` the object of a function, the string of a freeform tool.
        """
        for rule in self.rules:
            if rule.matches(tool, effects, arguments, principal):
                return Verdict(rule.decision, rule.reason or _GIVEN_REASONS[rule.decision], rule)
        if effects.read_only:
            return Verdict(Decision.ALLOW, "it says that it changes nothing")
        return Verdict(Decision.ASK, "no rule allows it")


_GIVEN_REASONS = {
    Decision.ALLOW: "a rule allows it",
    Decision.ASK: "a rule wants it asked",
    Decision.DENY: "a rule denies it",
}

"""What may run: ordered rules over tool, source, effects, principal and arguments.

Sans-I/O. A gate is a value; `decide` looks at one call and answers allow, ask or deny. The first
rule that matches decides. Without one, a tool that says it is read-only runs and everything else
is asked about. Changing the rules means putting another gate in its place, which holds from the
next look on.

The mode stands around the rules. In `plan` nothing runs that can change anything, whatever a rule
allows; in `allow-all` nothing is asked, but what a rule denies stays denied. Another person's tool
is refused before rules and mode are looked at.

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

from toolbridge.gate.argument_pattern import ArgumentPattern
from toolbridge.gate.plan_mode import is_admitted_to_plan
from toolbridge.json_values import JsonValue
from toolbridge.principals import belongs_to
from toolbridge.tools import Annotations, Tool

FREEFORM_ARGUMENT = "input"
"""The name under which a rule speaks of the one string of a freeform tool."""


class GateMode(StrEnum):
    """How a gate treats what its rules do not deny."""

    ASK = "ask"
    """As the rules say, and by asking."""
    PLAN = "plan"
    """Refuse whatever can change anything."""
    ALLOW_ALL = "allow-all"
    """Ask nobody."""

    @property
    def strictness(self) -> int:
        """A higher number allows less."""
        return _STRICTNESS.index(self)


_STRICTNESS = (GateMode.ALLOW_ALL, GateMode.ASK, GateMode.PLAN)


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
    origin: str = field(default="", compare=False)
    """Where the rule was written, for the person: `configuration`, `%gate`, ..."""

    def matches(
        self, tool: Tool, effects: Annotations, arguments: JsonValue, principal: str | None
    ) -> bool:
        """Whether the rule speaks of this call."""
        return (
            self.names(tool)
            and (self.principal is None or fnmatchcase(principal or "", self.principal))
            and (self.read_only is None or effects.read_only is self.read_only)
            and (self.destructive is None or effects.destructive is self.destructive)
            and (not self.arguments or self._matches_arguments(tool, arguments))
        )

    def names(self, tool: Tool) -> bool:
        """Whether the rule speaks of this tool, in some of its calls."""
        # Most rules name no source or no tool, and every call passes here.
        return (self.tool == "*" or fnmatchcase(tool.raw_name, self.tool)) and (
            self.source == "*" or fnmatchcase(tool.source, self.source)
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
    """The rule that decided; None for mode and default."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Ordered rules, in a mode."""

    rules: tuple[Rule, ...] = ()
    mode: GateMode = GateMode.ASK

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
        if not belongs_to(tool, principal):
            return Verdict(Decision.DENY, "it is another person's tool")
        verdict = self._by_rules(tool, effects, arguments, principal)
        if verdict.decision is Decision.DENY or self.mode is GateMode.ASK:
            return verdict
        if self.mode is GateMode.PLAN:
            return verdict if is_admitted_to_plan(tool, effects) else _NOT_PLANNING
        return verdict if verdict.decision is Decision.ALLOW else _NOTHING_ASKED

    def _by_rules(
        self, tool: Tool, effects: Annotations, arguments: JsonValue, principal: str | None
    ) -> Verdict:
        for rule in self.rules:
            if rule.matches(tool, effects, arguments, principal):
                return Verdict(rule.decision, rule.reason or _GIVEN_REASONS[rule.decision], rule)
        return _READ_ONLY if effects.read_only else _NO_RULE


_READ_ONLY = Verdict(Decision.ALLOW, "it says that it changes nothing")
_NO_RULE = Verdict(Decision.ASK, "no rule allows it")
_NOT_PLANNING = Verdict(
    Decision.DENY, "the gate is in mode plan, and this tool does not say that it changes nothing"
)
_NOTHING_ASKED = Verdict(Decision.ALLOW, "the gate is in mode allow-all")
_GIVEN_REASONS = {
    Decision.ALLOW: "a rule allows it",
    Decision.ASK: "a rule wants it asked",
    Decision.DENY: "a rule denies it",
}

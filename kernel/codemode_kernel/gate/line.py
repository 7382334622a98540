"""What a `%gate` line says. Sans-I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolbridge.errors import RuleError
from toolbridge.json_values import NotJsonError

from codemode_kernel.errors import MagicError
from codemode_kernel.gate.policy import MAGIC
from codemode_kernel.text_options import Option, read_words
from codemode_kernel.typed_json import read_typed_json
from toolbridge import Decision, GateMode, Rule, parse_rules

USAGE = (
    "%gate, %gate allow|ask|deny TOOL [ARG=GLOB | ARG:=JSON ...] [--source S] [--principal P] "
    "[--read-only] [--destructive] [--reason TEXT], %gate remove N, %gate mode ask|plan|allow-all, "
    "%gate forget, %gate explain [TOOL [JSON]]"
)

VERBS = (*Decision, "remove", "mode", "forget", "explain")
"""What can come after `%gate`."""

TEXTS = ("source", "principal", "reason")
"""Options with a value, each a field of a rule."""

FLAGS = ("read-only", "destructive")
"""Options without one."""


@dataclass(frozen=True)
class Show:
    """The whole gate as it is."""


@dataclass(frozen=True)
class Add:
    rule: Rule


@dataclass(frozen=True)
class Remove:
    number: int
    """Of the rule as it is shown, from 1."""


@dataclass(frozen=True)
class SetMode:
    mode: GateMode


@dataclass(frozen=True)
class Forget:
    """Forget the approvals of this session."""


@dataclass(frozen=True)
class Explain:
    tool: str | None
    """Its callable or raw name; None: the last call that was asked about or refused."""
    arguments: Any = None
    """As JSON has them; None without any."""


Order: TypeAlias = Show | Add | Remove | SetMode | Forget | Explain


def read_gate_line(line: str) -> Order:
    """The order in `line`, the text after `%gate`. Raises `MagicError` that says what is wrong."""
    verb, _, rest = line.partition(" ")
    rest = rest.strip()
    if not verb:
        return Show()
    if verb in tuple(Decision):
        return Add(_rule(Decision(verb), rest))
    if verb == "remove" and rest.isdecimal():
        return Remove(int(rest))
    if verb == "mode" and rest in tuple(GateMode):
        return SetMode(GateMode(rest))
    if verb == "forget" and not rest:
        return Forget()
    if verb == "explain":
        return _explain(rest)
    raise _misused()


def _rule(decision: Decision, text: str) -> Rule:
    item: dict[str, Any] = {"decision": decision}
    arguments: dict[str, Any] = {}
    for word in read_words(text, USAGE, TEXTS, FLAGS):
        if isinstance(word, Option):
            item[word.name.replace("-", "_")] = word.name in FLAGS or word.value
        elif "tool" not in item:
            item["tool"] = word
        elif "=" in word:
            arguments |= _argument(word)
        else:
            raise _misused()
    if "tool" not in item:
        raise MagicError(f"Name the tool, or * for all of them. Usage: {USAGE}")
    if arguments:
        item["arguments"] = arguments
    try:
        return parse_rules([item], MAGIC)[0]
    except RuleError as error:
        raise MagicError(str(error)) from None


def _argument(part: str) -> Mapping[str, Any]:
    name, _, value = part.partition("=")
    if not name.endswith(":"):
        return {name: {"glob": value}}
    try:
        return {name[:-1]: read_typed_json(value)}
    except NotJsonError:
        raise MagicError(f"{value} after {name}= is no JSON. Usage: {USAGE}") from None


def _explain(rest: str) -> Explain:
    tool, _, text = rest.partition(" ")
    if not text.strip():
        return Explain(tool or None)
    try:
        return Explain(tool, read_typed_json(text))
    except NotJsonError as error:
        raise MagicError(f"The arguments are no JSON: {error}. Usage: {USAGE}") from None


def _misused() -> MagicError:
    return MagicError(f"Usage: {USAGE}")

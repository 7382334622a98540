"""Gate rules as a configuration writes them.

A rule is an object with the fields of `gate.Rule`; only `decision` is required:

    {"decision": "allow", "tool": "exec_command", "source": "shell",
     "arguments": {"cmd": "git log --oneline | head -3"}, "reason": "the tour's one command"}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolbridge.errors import RuleError
from toolbridge.gate.argument_pattern import ArgumentPattern, parse_pattern
from toolbridge.gate.gate import Decision, Rule


def parse_rules(items: Sequence[Mapping[str, Any]], origin: str = "") -> tuple[Rule, ...]:
    """Read the rules of a configuration, in order; `origin` says where they were written.

    Raises `RuleError` that names the rule (from 1) and the field.
    """
    return tuple(_rule(number, item, origin) for number, item in enumerate(items, start=1))


def _rule(number: int, item: object, origin: str) -> Rule:
    if not isinstance(item, Mapping):
        raise RuleError(f"gate rule {number} is no object")
    unknown = sorted(str(key) for key in item.keys() - _READERS.keys())
    if unknown:
        raise RuleError(
            f"gate rule {number} has an unknown field `{unknown[0]}`; "
            f"there are {', '.join(f'`{name}`' for name in _READERS)}"
        )
    if "decision" not in item:
        raise RuleError(f"gate rule {number} lacks `decision`: allow, ask or deny")
    fields: dict[str, Any] = {}
    for name, value in item.items():
        try:
            fields[name] = _READERS[name](value)
        except RuleError as error:
            raise RuleError(f"gate rule {number}, `{name}`: {error}") from None
    return Rule(**fields, origin=origin)


def _decision(value: object) -> Decision:
    try:
        return Decision(str(value))
    except ValueError:
        raise RuleError(f"{value!r} is none of allow, ask, deny") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise RuleError(f"{value!r} is no string")
    return value


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise RuleError(f"{value!r} is neither true nor false")
    return value


def _patterns(value: object) -> dict[str, ArgumentPattern]:
    if not isinstance(value, Mapping):
        raise RuleError(f"{value!r} is no object of argument names and patterns")
    return {_text(name): parse_pattern(pattern) for name, pattern in value.items()}


_READERS: dict[str, Callable[[object], object]] = {
    "decision": _decision,
    "tool": _text,
    "source": _text,
    "principal": _text,
    "read_only": _boolean,
    "destructive": _boolean,
    "arguments": _patterns,
    "reason": _text,
}

"""Promises that nobody awaited: calls that the cell's end cut off, errors that nobody heard of.

A cell ends when its module does, whatever is still under way; the rejection of a promise that
nobody looks at is ignored (contract 2.7).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemode_kernel.hints.facts import Facts
from codemode_kernel.hints.script import FUNCTIONS, Script, is_async, unwrapped

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_CALL = 40
"""Longest call that a hint repeats, in characters."""

_HANDLERS = frozenset({"then", "catch", "finally"})
_MAKERS = frozenset(
    f"Promise.{name}" for name in ("all", "allSettled", "any", "race", "resolve", "reject", "try")
)
_TAKERS = frozenset({"text", "notify", "store", "image", "audio", "JSON.parse", "JSON.stringify"})
_ENDERS = ("Promise.race", "Promise.any", "stream_settled")
"""Calls after which it is meant that others are cut off."""


@dataclass(frozen=True)
class _Dropped:
    """A promise that a script lets go of."""

    what: str
    """How the script writes it, shortened."""
    tool: str | None
    """The tool that was called; None for another promise."""


def unawaited_call(facts: Facts) -> str | None:
    """A promise that was let go of, and what became of it."""
    if any(True for _ in facts.script.calls("exit")):
        return None
    for dropped in _dropped(facts.script):
        if dropped.tool is None:
            if facts.error_text is None and (facts.silent or facts.calls.stopped):
                return (
                    f"`{dropped.what}` is not awaited: the cell ended without it, and its errors "
                    f"are ignored. Write `await {dropped.what}`."
                )
        elif error := facts.calls.failed.get(dropped.tool):
            if facts.error_text is None:
                words = error.replace("`", "'")
                return f"`{dropped.what}` failed, and nobody awaited it: {words}"
        elif facts.calls.stopped[dropped.tool] or not facts.calls.returned[dropped.tool]:
            return (
                f"`{dropped.what}` is not awaited, so it was cut off when the cell ended: "
                f"write `await {dropped.what}`."
            )
        elif facts.silent and facts.error_text is None:
            return (
                f"`{dropped.what}` is not awaited, and its result is shown nowhere: "
                f"`text(await {dropped.what})` does both."
            )
    return None


def member_of_promise(facts: Facts) -> str | None:
    """`await tools.NAME(...).output`, which awaits a member of the promise."""
    script = facts.script
    for awaited in script.nodes("await_expression"):
        member = awaited.named_children[0] if awaited.named_children else None
        if member is None or member.type != "member_expression":
            continue
        tool = script.tool_of(member.child_by_field_name("object"))
        if tool is not None:
            written = f"(await tools.{tool}(...)).{script.field(member, 'property')}"
            return f"`await` goes with the call, before its result is looked into: `{written}`."
    return None


def async_for_each(facts: Facts) -> str | None:
    """`forEach` does not wait for an async callback."""
    if facts.error_text is not None or not (facts.silent or facts.calls.stopped):
        return None
    script = facts.script
    for call in script.nodes("call_expression"):
        callee, arguments = call.child_by_field_name("function"), script.arguments(call)
        if script.field(callee, "property") == "forEach" and arguments:
            callback = arguments[0]
            if callback.type in FUNCTIONS and is_async(callback):
                return (
                    "`forEach` does not wait for an async function: write "
                    "`for (const item of items) { await ... }` or `await Promise.all(items.map(...))`."
                )
    return None


def calls_cut_off(facts: Facts) -> str | None:
    """Calls that the end of the cell stopped, wherever they were made."""
    stopped = facts.calls.stopped
    if facts.error_text is not None or not stopped:
        return None
    if any(True for _ in facts.script.calls("exit", *_ENDERS)):
        return None
    count, names = stopped.total(), ", ".join(f"`{name}`" for name in sorted(stopped)[:3])
    if count == 1:
        return f"A call of {names} still ran when the cell ended, and was cut off: `await` it."
    return f"{count} calls still ran when the cell ended, and were cut off ({names}): `await` them."


def timer_cut_off(facts: Facts) -> str | None:
    """A timer that had no time to ring."""
    if facts.error_text is not None or not facts.silent:
        return None
    script = facts.script
    for statement in script.statements:
        if statement.type == "expression_statement" and _callee(script, statement) == "setTimeout":
            return (
                "A cell does not wait for its timers: "
                "`await new Promise(done => setTimeout(done, ms))` does."
            )
    return None


def _dropped(script: Script) -> Iterator[_Dropped]:
    asynchronous = set(_async_functions(script))
    for statement in script.nodes("expression_statement"):
        if statement.parent is not None and statement.parent.type == "arrow_function":
            continue
        yield from _promise(script, _first(statement), asynchronous)
    for declarator in script.nodes("variable_declarator"):
        value = declarator.child_by_field_name("value")
        promises = list(_promise(script, value, asynchronous))
        if promises and _is_used_as_value(script, script.field(declarator, "name"), declarator):
            yield from promises
    for call in script.calls(*_TAKERS):
        for argument in script.arguments(call):
            yield from _promise(script, argument, asynchronous)


def _promise(script: Script, node: Node | None, asynchronous: set[str]) -> Iterator[_Dropped]:
    """What is let go of with `node`, if that is a call that gives a promise."""
    call = unwrapped(node)
    if call is not None and script.field(call, "constructor") == "Promise":
        yield _Dropped("new Promise(...)", None)
    if call is None or call.type != "call_expression":
        return
    callee = unwrapped(call.child_by_field_name("function"))
    if callee is None:
        return
    if callee.type == "member_expression" and script.field(callee, "property") in _HANDLERS:
        yield from _promise(script, callee.child_by_field_name("object"), asynchronous)
    elif tool := script.tool_of(call):
        yield _Dropped(_short(script, call), tool)
    elif callee.type in FUNCTIONS and is_async(callee):
        yield _Dropped("(async () => {...})()", None)
    elif script.text(callee) in asynchronous | _MAKERS:
        yield _Dropped(_short(script, call), None)


def _async_functions(script: Script) -> Iterator[str]:
    for function in script.nodes("function_declaration"):
        if is_async(function):
            yield script.field(function, "name")
    for declarator in script.nodes("variable_declarator"):
        value = declarator.child_by_field_name("value")
        if value is not None and value.type in FUNCTIONS and is_async(value):
            yield script.field(declarator, "name")


def _is_used_as_value(script: Script, name: str, declarator: Node) -> bool:
    """Whether every use of the variable takes it for the result, not for a promise of it."""
    if not name.isidentifier():
        return False
    for use in script.uses(name):
        around = use.parent
        if around is None or around == declarator or around.type == "expression_statement":
            continue
        if around.type == "member_expression":
            if script.field(around, "property") in _HANDLERS:
                return False
        elif around.type != "arguments" or script.field(around.parent, "function") not in _TAKERS:
            return False
    return True


def _short(script: Script, call: Node) -> str:
    written = script.text(call)
    if len(written) <= LONGEST_CALL and "\n" not in written and "`" not in written:
        return written
    return f"{script.field(call, 'function')}(...)"


def _first(statement: Node) -> Node | None:
    return statement.named_children[0] if statement.named_children else None


def _callee(script: Script, statement: Node) -> str:
    return script.field(unwrapped(_first(statement)), "function")

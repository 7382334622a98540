"""Tools that are not there, and tools that were given the wrong thing."""

from __future__ import annotations

import re
from difflib import get_close_matches

from codemode_kernel.hints.facts import Facts
from toolbridge import Kind, Tool

_NOT_A_TOOL = re.compile(r'TypeError: tools(?:\.(\w+)|\["(\w+)"\]) is not a function')
_WANTS_STRING = re.compile(r"tool `(\S+)` expects a string input")
_WANTS_OBJECT = re.compile(r"tool `(\S+)` expects a JSON object for arguments")

_OWN_TOOLS = {
    "wait": "`wait` is a tool of the model, not of scripts: a cell with `%wait` waits for a cell, "
    "`await` for a call.",
    "exec": "`exec` is a tool of the model: a cell is one exec already.",
}
_HELPERS = frozenset({"text", "image", "audio", "notify", "store", "load", "exit", "yield_control"})
_ESCAPES = re.compile(r"\\\\[nr][\"'`]?$")


def unknown_tool(facts: Facts) -> str | None:
    """A call of a tool that the session does not have."""
    found = _NOT_A_TOOL.match(facts.error)
    if not found:
        return None
    name = found[1] or found[2]
    known = [tool.identifier for tool in facts.catalog.tools]
    if name in known:
        return None
    if name in _OWN_TOOLS:
        return _OWN_TOOLS[name]
    if name in _HELPERS:
        return f"`{name}` is a helper, not a tool: write `{name}(...)`."
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    or_this = f"did you mean {' or '.join(f'`{tool}`' for tool in near)}? " if near else ""
    return f"There is no tool `{name}`: {or_this}`text(ALL_TOOLS)` lists what there is."


def wrong_argument(facts: Facts) -> str | None:
    """A string where a tool takes an object, or the other way round (contract 8.3)."""
    if found := _WANTS_STRING.search(facts.error):
        name = _callable_name(facts, found[1])
        return f'`{name}` takes one string, not an object: `await tools.{name}("...")`.'
    if found := _WANTS_OBJECT.search(facts.error):
        tool = _spoken(facts, found[1])
        name = tool.identifier if tool else found[1]
        return f"`{name}` takes one object: `await tools.{name}({_example(tool)})`."
    return None


def literal_line_break(facts: Facts) -> str | None:
    """A backslash and an n where the Enter key was meant."""
    script = facts.script
    for call in script.calls("tools.write_stdin"):
        for pair in script.nodes("pair", under=call):
            if script.field(pair, "key").strip("\"'") != "chars":
                continue
            value = pair.child_by_field_name("value")
            if value is None or value.type not in ("string", "template_string"):
                continue
            if _ESCAPES.search(script.text(value)):
                return (
                    r"`chars` ends in a backslash and a letter, not in Enter: "
                    r"write `\n` with one backslash."
                )
    return None


def _spoken(facts: Facts, name: str) -> Tool | None:
    return next((tool for tool in facts.catalog.tools if tool.spoken_name == name), None)


def _callable_name(facts: Facts, name: str) -> str:
    tool = _spoken(facts, name)
    return tool.identifier if tool else name


def _example(tool: Tool | None) -> str:
    """An object with what the tool requires, as one would write it."""
    schema = tool.input_schema if tool and tool.kind is Kind.FUNCTION else None
    required = schema.get("required", []) if schema and not isinstance(schema, bool) else []
    fields = ", ".join(f"{name}: ..." for name in required[:3])
    return f"{{{fields or '...'}}}"

"""Offers in magics and in the pragma. A magic's own usage says what it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codemode_kernel.completion.deferral_lines import deferral_offers
from codemode_kernel.completion.entries import of_tool
from codemode_kernel.completion.exec_globals import Helper
from codemode_kernel.completion.gate_lines import gate_offers
from codemode_kernel.completion.mcp_lines import mcp_offers
from codemode_kernel.completion.offers import Offer, Offers
from codemode_kernel.completion.script import script_offers
from codemode_kernel.completion.surroundings import Surroundings
from codemode_kernel.magics import MAGICS
from codemode_kernel.notebook.source import WAIT_USAGE
from codemode_kernel.outputs.amounts import duration
from codemode_kernel.session.cells import Cell
from toolbridge import Tool

WAIT_SUMMARY = "Collect the output of a cell that runs in the background."

_OWN_LINES = {"%gate": gate_offers, "%deferral": deferral_offers, "%mcp": mcp_offers}
"""Magics whose usage does not say enough."""

_PRAGMA = re.compile(r"[ \t]*// @exec:")
_OPTION = re.compile(r"--[a-z][\w-]*")
_LINE = re.compile(r"(%{1,2}[\w-]*)([ \t]+(.*))?", re.DOTALL)
_CALL = re.compile(r"(\S+)\s+(\{.*)", re.DOTALL)


def _number(description: str) -> dict[str, Any]:
    return {"type": "integer", "description": description}


_YIELD_TIME = _number("Milliseconds until the notebook is given back.")
_PRAGMA_SCHEMA = {
    "properties": {
        "yield_time_ms": _YIELD_TIME,
        "max_output_tokens": _number("Tokens of output that a model would get."),
    }
}


def is_pragma(code: str, cursor: int) -> bool:
    """Whether the cursor is in the pragma of an exec cell."""
    found = _PRAGMA.match(code)
    return found is not None and found.end() <= cursor and "\n" not in code[:cursor]


def pragma_offers(code: str, cursor: int, surroundings: Surroundings) -> Offers:
    """What the pragma can say."""
    found = _PRAGMA.match(code)
    begin = found.end() if found else 0
    return _argument_offers(code[begin:cursor], _PRAGMA_SCHEMA, surroundings)


def magic_offers(code: str, cursor: int, surroundings: Surroundings) -> Offers:
    """What a magic can say; nothing in the body of a cell magic, which is not JavaScript."""
    found = _LINE.fullmatch(code[:cursor])
    if found is None:
        return Offers("")
    if found[1] == "%call" and (arguments := _CALL.fullmatch(found[3] or "")):
        return _call_offers(arguments[1], arguments[2], surroundings)
    if "\n" in found[0]:
        return Offers("")
    if found[2] is None:
        return Offers(found[1], list(magic_names()))
    if found[1] == "%wait" and found[3].startswith("{"):
        return _argument_offers(found[3], _wait_schema(surroundings), surroundings)
    return _arguments(found[1], found[3], surroundings)


def magic_names() -> Iterator[Offer]:
    """Every magic."""
    yield Offer("%wait", "magic", WAIT_USAGE, WAIT_SUMMARY)
    for magic in MAGICS.values():
        yield Offer(magic.name, "magic", magic.usage, magic.summary)


def _arguments(name: str, line: str, surroundings: Surroundings) -> Offers:
    usage = next((magic.signature for magic in magic_names() if magic.text == name), "")
    typed = re.split(r"\s", line)[-1]
    words = line[: len(line) - len(typed)].split()
    if name in _OWN_LINES:
        return Offers(typed, list(_OWN_LINES[name](words, surroundings)))
    if words and re.search(rf"{re.escape(words[-1])} N\b", usage):
        return Offers(typed)  # a number follows
    offers = []
    if "CELL" in usage and not any(word.isalnum() for word in words):
        offers += [_cell(cell) for cell in surroundings.cells]
    if "TOOL" in usage and not words:
        fixed = [word for word in ("exec", "wait") if word in usage.split(" ")[1].split("|")]
        offers += [Offer(word, "magic") for word in fixed]
        offers += map(of_tool, _all_tools(surroundings))
    if "KEY" in usage:
        offers += [
            Offer(key, "value", description=value) for key, value in surroundings.stored.items()
        ]
    options = dict.fromkeys(_OPTION.findall(usage))
    offers += [Offer(option, "option") for option in options if option not in words]
    return Offers(typed, offers)


def _call_offers(name: str, json_text: str, surroundings: Surroundings) -> Offers:
    """What the arguments of a direct call can say."""
    tools = {tool.identifier: tool for tool in _all_tools(surroundings)}
    schema = tools[name].input_schema if name in tools else None
    if not isinstance(schema, Mapping):
        return Offers("")
    return _argument_offers(json_text, schema, surroundings)


def _all_tools(surroundings: Surroundings) -> Sequence[Tool]:
    """Those of scripts, and those that only a model or a person can call."""
    return [*surroundings.catalog.tools, *surroundings.catalog.direct]


def _cell(cell: Cell) -> Offer:
    state = cell.outcome.status if cell.outcome else cell.state
    told = ", ".join(filter(None, (cell.origin.label, state.value, duration(cell.age_s))))
    return Offer(cell.id or "", "cell", told, told)


def _wait_schema(surroundings: Surroundings) -> dict[str, Any]:
    cells = [{"const": cell.id, "description": cell.origin.label} for cell in surroundings.cells]
    return {
        "properties": {
            "cell_id": {"type": "string", "oneOf": cells, "description": "The cell to wait for."},
            "yield_time_ms": _YIELD_TIME,
            "max_tokens": _number("Tokens of output that a model would get."),
            "terminate": {"type": "boolean", "description": "Whether to end the cell."},
        },
        "required": ["cell_id"],
    }


def _argument_offers(
    json_text: str, schema: Mapping[str, Any], surroundings: Surroundings
) -> Offers:
    """What a JSON object can say, read as the argument of a function; JSON quotes its keys."""
    call = Helper("f", "", "", (schema,))
    code = f"f({json_text}"
    found = script_offers(code, len(code), surroundings, {"f": call})
    if json_text.endswith(found.typed) and code[: len(code) - len(found.typed)].endswith('"'):
        return found
    named = [
        Offer(f'"{offer.text}"', offer.kind, offer.signature, offer.description, offer.declare)
        if offer.kind == "property"
        else offer
        for offer in found.offers
    ]
    return Offers(found.typed, [offer for offer in named if offer.kind in ("property", "value")])

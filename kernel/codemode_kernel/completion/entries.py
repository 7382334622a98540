"""Offers of every sort: tools, helpers, keys, literals, names of the script, words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from toolbridge.declarations import signature
from toolbridge.json_literals import json_literal
from toolbridge.tools import Kind

from codemode_kernel.completion import exec_globals
from codemode_kernel.completion.exec_globals import HELPERS, Helper
from codemode_kernel.completion.nodes import text_of
from codemode_kernel.completion.offers import Offer
from codemode_kernel.completion.schemas import Property, Value
from codemode_kernel.completion.scope import FUNCTIONS, Binding
from codemode_kernel.completion.shapes import Promised, Shapes, ToolFunction
from codemode_kernel.outputs.shortened import shortened
from toolbridge import Tool

MAX_SOURCE = 200
"""Characters of a declaration in the script that are shown."""

_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*")


def of_tool(tool: Tool) -> Offer:
    """A member of `tools`. Its whole declaration is written when somebody looks at it."""
    return Offer(
        tool.identifier,
        "function",
        _parameters(tool),
        tool.description,
        lambda: f"tools.{signature(tool)}",
    )


def of_helper(helper: Helper) -> Offer:
    """A helper of exec cells."""
    return Offer(
        helper.name,
        "function",
        helper.signature,
        helper.description,
        lambda: f"function {helper.declaration}",
    )


def of_globals() -> Iterator[Offer]:
    """Everything an exec cell has beside the language."""
    yield _constant("tools", exec_globals.TOOLS_TYPE, exec_globals.TOOLS_DESCRIPTION)
    yield _constant("ALL_TOOLS", exec_globals.ALL_TOOLS_TYPE, exec_globals.ALL_TOOLS_DESCRIPTION)
    yield from map(of_helper, HELPERS.values())


def of_binding(binding: Binding, shapes: Shapes) -> Offer:
    """A name that the script declares: with its type, or as the script has it."""
    name = binding.name
    match shapes.of_binding(binding):
        case ToolFunction(tool):
            return replace(of_tool(tool), text=name)
        case Promised(Value() as value):
            return _of_value(name, value, "Promise<{}>")
        case Value() as value:
            return _of_value(name, value, "{}")
    return Offer(name, binding.kind, declare=lambda: _declaration_of(binding))


def of_keys(
    value: Value, quote: str, *, without: Iterable[str] = (), is_name: bool = False
) -> Iterator[Offer]:
    """The properties of an object; with `is_name` only those that can follow a dot."""
    for name, found in value.properties.items():
        if name in without or (is_name and not _NAME.fullmatch(name)):
            continue
        bare = quote or _NAME.fullmatch(name)
        text = _quoted(name, quote) if bare else json_literal(name)
        yield _key(text, name, found)


def of_literals(value: Value, quote: str) -> Iterator[Offer]:
    """The values that a schema names; between quotes the strings among them."""
    for literal in value.literals:
        shown = json_literal(literal.value)
        about = literal.description or value.description
        if not quote:
            yield Offer(shown, "value", "", about, partial(str, shown))
        elif isinstance(literal.value, str):
            yield Offer(_quoted(literal.value, quote), "value", "", about, partial(str, shown))


def of_words(words: Iterable[str], kind: str) -> Iterator[Offer]:
    """Words of the language, or others that need no explanation."""
    return (Offer(word, kind) for word in words)


def _of_value(name: str, value: Value, form: str) -> Offer:
    return Offer(
        name,
        "instance",
        form.format(value.typescript),
        declare=lambda: f"{name}: {form.format(value.declaration)}",
    )


def _constant(name: str, type_: str, description: str) -> Offer:
    return Offer(name, "instance", type_, description, lambda: f"const {name}: {type_}")


def _key(text: str, name: str, found: Property) -> Offer:
    mark = "" if found.is_required else "?"
    shown = name if _NAME.fullmatch(name) else json_literal(name)
    told = found.value.typescript
    return Offer(text, "property", told, found.value.description, lambda: f"{shown}{mark}: {told}")


def _parameters(tool: Tool) -> str:
    """The names of a tool's arguments: types would take too long for a list of many tools."""
    if tool.kind is Kind.FREEFORM:
        return "(input: string)"
    names = [
        name if property_.is_required else f"{name}?"
        for name, property_ in Value.of(tool.input_schema).properties.items()
    ]
    return f"({{ {', '.join(names)} }})" if names else "()"


def _quoted(text: str, quote: str) -> str:
    """`text` as it stands between these quotes; as it is without any."""
    if not quote:
        return text
    escaped = json.dumps(text, ensure_ascii=False)[1:-1]
    return escaped if quote == '"' else escaped.replace('\\"', '"').replace("'", "\\'")


def _declaration_of(binding: Binding) -> str:
    """How the script declares it, without the bodies of functions."""
    origin = binding.origin
    if origin.type == "variable_declarator":
        keyword = text_of(origin.parent).split(maxsplit=1)[0] if origin.parent else "const"
        value = origin.child_by_field_name("value")
        body = value.child_by_field_name("body") if value and value.type in FUNCTIONS else None
        return f"{keyword} {_until(text_of(origin), text_of(body) if body else '')}"
    body = origin.child_by_field_name("body")
    return _until(text_of(origin), text_of(body) if body else "")


def _until(source: str, body: str) -> str:
    shown = source.removesuffix(body).rstrip() if body else source
    return shortened(shown, MAX_SOURCE)

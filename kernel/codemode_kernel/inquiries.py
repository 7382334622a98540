"""Puts a free question to the person, one line of input for each field."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from codemode_kernel.visible import visible, visible_lines
from toolbridge import Inquiry, JsonValue, Reply, ReplyAction

Typed = Callable[[str], Awaitable[str]]
"""Shows a prompt and gives what is typed."""

ANSWER = "Answer it? [y]es, [n]o, [c]ancel: "
LINE = "Your answer (nothing declines): "

TRUE, FALSE = {"y", "yes", "true"}, {"n", "no", "false"}


async def put_inquiry(inquiry: Inquiry, label: str, typed: Typed) -> Reply:
    """Ask for a line of text, or whether to answer at all and then for each field.

    Just Enter declines.
    """
    head = (
        f"{visible(inquiry.asked_by)}, called by {label}, asks:\n{visible_lines(inquiry.message)}"
    )
    if inquiry.form is None:
        text = await typed(f"{head}\n{LINE}")
        return Reply(ReplyAction.ACCEPT, text) if text.strip() else Reply(ReplyAction.DECLINE)
    reply = (await typed(f"{head}\n{ANSWER}")).strip().lower()
    if reply in ("c", "cancel"):
        return Reply(ReplyAction.CANCEL)
    if reply not in TRUE:
        return Reply(ReplyAction.DECLINE)
    required = inquiry.form.get("required") or ()
    content: dict[str, JsonValue] = {}
    for name, schema in (inquiry.form.get("properties") or {}).items():
        value = await _field(name, schema, name in required, typed)
        if value is not None:
            content[name] = value
    return Reply(ReplyAction.ACCEPT, content)


async def _field(
    name: str, schema: Mapping[str, Any], is_required: bool, typed: Typed
) -> JsonValue:
    """One field, asked for until it fits; None when it was left out."""
    prompt = _prompt(name, schema, is_required)
    while True:
        text = await typed(prompt)
        if not text.strip():
            if "default" in schema:
                return schema["default"]  # type: ignore[no-any-return]
            if not is_required:
                return None
        try:
            return _read(text, schema)
        except ValueError as error:
            prompt = f"{error}. {_prompt(name, schema, is_required)}"


def _prompt(name: str, schema: Mapping[str, Any], is_required: bool) -> str:
    title = visible(str(schema.get("title") or name))
    about = [visible(str(schema["description"]))] if schema.get("description") else []
    choices = _choices(schema)
    if choices is not None:
        about.append(f"one of {', '.join(visible(choice) for choice in choices)}")
    elif schema.get("type") == "boolean":
        about.append("yes or no")
    elif schema.get("type") in ("integer", "number", "array"):
        about.append({"array": "values with commas"}.get(schema["type"], schema["type"]))
    if "default" in schema:
        about.append(f"Enter for {visible(json.dumps(schema['default'], ensure_ascii=False))}")
    elif not is_required:
        about.append("Enter to leave it out")
    return f"{title} ({'; '.join(about)}): " if about else f"{title}: "


def _choices(schema: Mapping[str, Any]) -> list[str] | None:
    """The values of an enum, in both spellings of the protocol."""
    if isinstance(schema.get("enum"), list):
        return [str(value) for value in schema["enum"]]
    for spelling in ("oneOf", "anyOf"):
        options = schema.get(spelling)
        if isinstance(options, list):
            return [str(option.get("const")) for option in options if isinstance(option, dict)]
    return None


def _read(text: str, schema: Mapping[str, Any]) -> JsonValue:
    """The value that `text` stands for; `ValueError` in words for the person."""
    word = text.strip()
    choices = _choices(schema)
    if choices is not None and word not in choices:
        raise ValueError("Please give one of the values")
    match schema.get("type"):
        case "boolean":
            if word.lower() not in TRUE | FALSE:
                raise ValueError("Please answer yes or no")
            return word.lower() in TRUE
        case "integer" | "number" as kind:
            try:
                return int(word) if kind == "integer" else float(word)
            except ValueError:
                raise ValueError(f"Please give a number, {kind}") from None
        case "array":
            return [part.strip() for part in word.split(",") if part.strip()]
        case _:
            return text

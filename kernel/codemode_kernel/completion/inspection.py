"""The content of an `inspect_reply`: what Shift-Tab shows, and the panel beside a completion."""

from __future__ import annotations

from typing import Any

from codemode_kernel.completion.magic_lines import magic_names
from codemode_kernel.completion.offers import Offer
from codemode_kernel.completion.reading import end_of_word
from codemode_kernel.completion.script import script_subject
from codemode_kernel.completion.surroundings import Surroundings


def inspect_reply(code: str, cursor: int, surroundings: Surroundings) -> dict[str, Any]:
    """What is known of the word at `cursor`, or of the function whose call is around it."""
    cursor = max(0, min(cursor, len(code)))
    subject = _subject(code, cursor, surroundings)
    data = _bundle(subject) if subject else {}
    return {"status": "ok", "found": bool(data), "data": data, "metadata": {}}


def _subject(code: str, cursor: int, surroundings: Surroundings) -> Offer | None:
    if code.startswith("%"):
        name = code.split(maxsplit=1)[0]
        is_there = "\n" not in code[:cursor]
        return next((magic for magic in magic_names() if is_there and magic.text == name), None)
    return script_subject(code, end_of_word(code, cursor), surroundings)


def _bundle(subject: Offer) -> dict[str, str]:
    """The declaration as highlighted TypeScript, with the description below it."""
    declaration, description = subject.declaration, subject.description
    fence = "````" if "```" in declaration else "```"
    language = "text" if subject.kind == "magic" else "ts"
    block = f"{fence}{language}\n{declaration}\n{fence}" if declaration else ""
    if not block and not description:
        return {}
    return {
        "text/plain": "\n\n".join(filter(None, (declaration, description))),
        "text/markdown": "\n\n".join(filter(None, (block, description))),
    }

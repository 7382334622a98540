"""What a docstring says about a function and its parameters.

Reads the three common styles: `Args:` with an indented list (Google), `Parameters` underlined with
dashes (NumPy), and `:param name:` lines (Sphinx). Whatever is not understood stays description.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_GOOGLE_SECTIONS = re.compile(
    r"(Args|Arguments|Parameters|Params|Returns?|Yields?|Raises|Examples?|Notes?):"
)
_GOOGLE_PARAMETERS = {"Args", "Arguments", "Parameters", "Params"}
_GOOGLE_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?")
_SPHINX_PARAMETER = re.compile(r":(?:param|parameter|arg)\s+(?:[^:]*\s)?(\w+)\s*:\s*(.*)")
_SPHINX_OTHER = re.compile(r":(?:type|returns?|rtype|raises?|yields?)\b[^:]*:.*")


@dataclass
class Documentation:
    """A docstring taken apart."""

    description: str = ""
    """Everything before the first section, paragraphs kept."""
    parameters: dict[str, str] = field(default_factory=dict)
    """Parameter name to its text, joined to one line."""


def read_docstring(text: str | None) -> Documentation:
    """Take a docstring apart; an absent one is empty."""
    documentation = Documentation()
    prose: list[str] = []
    lines = inspect.cleandoc(text or "").split("\n")
    for section, body in _sections(lines):
        if section is None:
            prose.extend(_take_sphinx_fields(body, documentation))
        elif section in _GOOGLE_PARAMETERS:
            _take_entries(body, _GOOGLE_ENTRY, documentation)
        elif section == "numpy":
            _take_entries(body, _NUMPY_ENTRY, documentation)
    documentation.description = "\n".join(prose).strip()
    return documentation


def _sections(lines: list[str]) -> Iterator[tuple[str | None, list[str]]]:
    """(name, lines) of each section; None names the prose before the first, `numpy` parameters."""
    name: str | None = None
    body: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        google = _GOOGLE_SECTIONS.fullmatch(line.rstrip())
        underlined = at + 1 < len(lines) and bool(re.fullmatch(r"-{3,}\s*", lines[at + 1]))
        if google or (underlined and line.strip()):
            yield name, body
            title = google.group(1) if google else line.strip()
            numpy = "numpy" if title in {"Parameters", "Other Parameters"} else title
            name, body = (title if google else numpy), []
            at += 1 if google else 2
            continue
        body.append(line)
        at += 1
    yield name, body


def _take_entries(body: list[str], entry: re.Pattern[str], documentation: Documentation) -> None:
    """Read `name: text` or `name : type` entries, each with more-indented lines below it."""
    margin = min((_indent(line) for line in body if line.strip()), default=0)
    names: list[str] = []
    for line in body:
        found = entry.fullmatch(line.strip()) if _indent(line) == margin else None
        if found:
            names = re.split(r"\s*,\s*", found.group(1))
            text = found.group(2) if entry is _GOOGLE_ENTRY else ""
        else:
            text = line.strip()
        for name in names:
            said = documentation.parameters.get(name, "")
            documentation.parameters[name] = f"{said} {text}".strip()


def _take_sphinx_fields(body: list[str], documentation: Documentation) -> Iterator[str]:
    """Read `:param name: text` fields, skip the other ones; gives the lines that are none."""
    name: str | None = None
    in_fields = False
    for line in body:
        parameter = _SPHINX_PARAMETER.fullmatch(line.strip())
        if parameter:
            name, in_fields = parameter.group(1), True
            documentation.parameters[name] = parameter.group(2)
        elif _SPHINX_OTHER.fullmatch(line.strip()):
            name, in_fields = None, True
        elif in_fields and line.strip() and _indent(line):
            if name:
                documentation.parameters[name] += f" {line.strip()}"
        else:
            in_fields = False
            yield line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

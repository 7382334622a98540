"""What a notebook cell says: an exec cell, a wait or a magic. Sans-I/O.

A magic starts at the first character of a cell and is the whole cell. A `%` there is always a
syntax error for a model's host, so no script that works is read as anything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from codemode_rules.errors import PragmaError, WaitArgumentsError
from codemode_rules.pragma import parse_exec_source
from codemode_rules.wait_arguments import parse_wait_arguments

from codemode_kernel.errors import ModelCallRefused, SourceError


@dataclass(frozen=True)
class Exec:
    """JavaScript to run as one exec cell."""

    code: str
    yield_time_ms: int | None
    """The pragma's yield time in milliseconds; None without one."""
    max_output_tokens: int | None
    """The pragma's output budget in tokens; None without one."""
    first_line: int
    """Line of the notebook cell, from 1, that the engine calls line 1."""


@dataclass(frozen=True)
class Wait:
    """An observation of a cell that runs already. None means: the default."""

    cell_id: str | None = None
    """The cell to wait for; None for the newest one that has something to collect."""
    every: bool = False
    """Wait for every cell that has something to collect, one after the other."""
    yield_time_ms: int | None = None
    max_tokens: int | None = None
    terminate: bool = False
    leaves_record: bool = True
    """Each wait for a cell does, a magic that waits does not."""


@dataclass(frozen=True)
class Magic:
    """Any other magic: `%name arguments`, or `%%name arguments` with a body below."""

    name: str
    """With its percent signs: `%cells`, `%%python`."""
    arguments: str
    body: str


Source: TypeAlias = Exec | Wait | Magic

_TAKE_LINES = frozenset({"%call"})
"""Magics whose arguments go on in the lines below: what a model writes is not one line."""

_MAGIC = re.compile(r"(%{1,2}[A-Za-z][\w-]*)[ \t]*([^\n]*)(?:\n(.*))?", re.DOTALL)

WAIT_USAGE = (
    "%wait [CELL | --all] [--terminate] [--max-tokens N] [--yield-time-ms N], "
    'or the JSON of a wait call: %wait {"cell_id": "3"}'
)


def parse_source(text: str) -> Source:
    """What the notebook cell `text` asks for.

    Raises `SourceError`; for exec cells and JSON waits it is a `ModelCallRefused` with the model's own
    wording (contract 1.2 and 3.1).
    """
    if not text.startswith("%"):
        return _exec(text)
    found = _MAGIC.fullmatch(text)
    if not found:
        raise SourceError("A cell that starts with % is a magic; %help lists them.")
    name, arguments, body = found[1], found[2].strip(), found[3] or ""
    whole = f"{arguments}\n{body}".strip()
    if name == "%wait" and whole.startswith("{"):
        return _wait_as_the_model_writes_it(whole)
    if not name.startswith("%%") and body.strip() and name not in _TAKE_LINES:
        raise SourceError(f"A magic is the whole cell: move what follows {name} to another cell.")
    if name == "%wait":
        return _wait(arguments)
    return Magic(name, arguments, body)


def read_options(
    text: str, flags: frozenset[str], numbers: frozenset[str], usage: str
) -> tuple[list[str], Mapping[str, int]]:
    """Split magic arguments into plain words and options.

    `flags` are options without a value (they count as 1), `numbers` take one: `--name 5` or
    `--name=5`. Raises `SourceError` that ends with `usage`.
    """
    words: list[str] = []
    options: dict[str, int] = {}
    parts = iter(text.split())
    for part in parts:
        name, equals, value = part.partition("=")
        if part in flags:
            options[part] = 1
        elif name in numbers:
            number = value if equals else next(parts, "")
            if not number.isdecimal():
                raise SourceError(f"{name} takes a whole number. Usage: {usage}")
            options[name] = int(number)
        elif part.startswith("--"):
            raise SourceError(f"Unknown option {name}. Usage: {usage}")
        else:
            words.append(part)
    return words, options


def _exec(text: str) -> Exec:
    try:
        parsed = parse_exec_source(text)
    except PragmaError as error:
        raise ModelCallRefused(str(error)) from None
    first_line = 1 if parsed.code is text or parsed.code == text else 2
    return Exec(parsed.code, parsed.yield_time_ms, parsed.max_output_tokens, first_line)


def _wait(text: str) -> Wait:
    words, options = read_options(
        text,
        flags=frozenset({"--all", "--terminate"}),
        numbers=frozenset({"--max-tokens", "--yield-time-ms"}),
        usage=WAIT_USAGE,
    )
    every = "--all" in options
    if len(words) > (0 if every else 1):
        raise SourceError(f"Name one cell, or --all. Usage: {WAIT_USAGE}")
    return Wait(
        cell_id=words[0] if words else None,
        every=every,
        yield_time_ms=options.get("--yield-time-ms"),
        max_tokens=options.get("--max-tokens"),
        terminate="--terminate" in options,
    )


def _wait_as_the_model_writes_it(text: str) -> Wait:
    try:
        parsed = parse_wait_arguments(text)
    except WaitArgumentsError as error:
        raise ModelCallRefused(str(error), is_wait=True) from None
    return Wait(
        cell_id=parsed.cell_id,
        yield_time_ms=parsed.yield_time_ms,
        max_tokens=parsed.max_tokens,
        terminate=parsed.terminate,
    )

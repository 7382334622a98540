"""A script's error text as a person wants to read it in a notebook.

The error text itself (contract 2.6) belongs to the model view and stays as it is. Here it becomes
a name, a message and a short coloured traceback whose positions are those of the notebook cell:
a pragma line does not count for the engine, but it does for who looks at the cell.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from codemode_kernel import syntax

CONTEXT_LINES = 2
"""Source lines shown before the failing one."""

WIDTH = 120
"""Longest piece of a source line that is shown, in characters."""

LONGEST_MESSAGE = 20_000
"""Characters of an error text that are shown; the model view has all of it."""

RED, GREEN, DIM, BOLD, RESET = "\x1b[31m", "\x1b[32m", "\x1b[2m", "\x1b[1m", "\x1b[0m"

_FRAME = re.compile(r"^\s+at .*$")
_POSITION = re.compile(r"\bexec_main\.mjs:(\d+):(\d+)")
_NAMED = re.compile(r"([A-Z][\w$]*(?:Error|Exception)|Error)(?:: ?|$)", re.DOTALL)
_LOCATABLE = ("SyntaxError", "Unsupported import in exec")


@dataclass(frozen=True)
class ErrorView:
    """The three parts of a Jupyter `error` message."""

    name: str
    message: str
    traceback: list[str]

    def content(self) -> dict[str, Any]:
        """The content of an `error` message, and of an `execute_reply` beside its status."""
        return {"ename": self.name, "evalue": self.message, "traceback": self.traceback}


def plain_error(name: str, message: str) -> ErrorView:
    """An error that did not come from a script: a bad pragma, a lost host, a stopped cell."""
    return ErrorView(name, message, [f"{RED}{BOLD}{name}{RESET}: {message}"])


def script_error(
    error_text: str, cell_text: str, code_starts_at: int, hint: str | None = None
) -> ErrorView:
    """The view of a failed script.

    `cell_text` is the whole notebook cell, `code_starts_at` the line of it (from 1) that the
    engine calls line 1. A `hint` is the last line of the traceback.
    """
    shift = code_starts_at - 1
    message_lines, frames = _split(error_text)
    head = "\n".join(message_lines)
    if len(head) > LONGEST_MESSAGE:
        head = f"{head[:LONGEST_MESSAGE]}… ({len(head) - LONGEST_MESSAGE:,} more characters)"
    named = _NAMED.match(head)
    name = named[1] if named else "ScriptError"
    message = head[named.end() :] if named else head
    position = _first_position(frames, shift, cell_text)
    if position is None and head.startswith(_LOCATABLE):
        position = syntax.locate(cell_text, head)
    title = f"{RED}{BOLD}{name}{RESET}: {message}" if message else f"{RED}{BOLD}{name}{RESET}"
    traceback = [title, *(_frame(line, shift) for line in frames)]
    if position is not None:
        traceback += _excerpt(cell_text, *position)
    if hint is not None:
        traceback += ["", f"{DIM}Hint: {hint}{RESET}"]
    return ErrorView(name, message, traceback)


def _split(error_text: str) -> tuple[list[str], list[str]]:
    """The lines of the message, and the stack frames that end the text."""
    lines = error_text.split("\n")
    first = len(lines)
    while first > 1 and _FRAME.match(lines[first - 1]):
        first -= 1
    return lines[:first], lines[first:]


def _first_position(frames: list[str], shift: int, cell_text: str) -> tuple[int, int] | None:
    for frame in frames:
        if found := _POSITION.search(frame):
            line = int(found[1]) + shift
            return line, _in_characters(int(found[2]), line, cell_text)
    return None


def _in_characters(column: int, line: int, cell_text: str) -> int:
    """A column that is counted in UTF-16 units, as engines do, in characters; from 1."""
    lines = cell_text.split("\n")
    text = lines[line - 1] if 1 <= line <= len(lines) else ""
    before = text.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)]
    units_beyond = max(0, column - 1 - len(before) // 2)
    return len(before.decode("utf-16-le", "ignore")) + units_beyond + 1


def _frame(frame: str, shift: int) -> str:
    def in_cell(found: re.Match[str]) -> str:
        return f"{RESET}{GREEN}cell:{int(found[1]) + shift}:{found[2]}{RESET}{DIM}"

    return f"{DIM}{_POSITION.sub(in_cell, frame)}{RESET}"


def _excerpt(cell_text: str, line: int, column: int) -> list[str]:
    """The failing line with its neighbours, an arrow before it and a caret under the column."""
    lines = cell_text.split("\n")
    if not 1 <= line <= len(lines):
        return []
    lines = cell_text.rstrip().split("\n")
    if line > len(lines):  # where the text ended unexpectedly
        line, column = len(lines), len(lines[-1]) + 1
    first = max(1, line - CONTEXT_LINES)
    last = line + 1 if line < len(lines) and lines[line].strip() else line
    digits = len(str(last))
    offset = max(0, min(column - 1, len(lines[line - 1])) - WIDTH // 2)
    out = [""]
    for number in range(first, last + 1):
        piece = lines[number - 1].rstrip("\r")[offset : offset + WIDTH]
        if number == line:
            out.append(f"{BOLD}→ {number:>{digits}}{RESET} {piece}")
            out.append(f"{' ' * (digits + 2)} {_under(piece, column - 1 - offset)}{RED}^{RESET}")
        else:
            out.append(f"{DIM}  {number:>{digits}}{RESET} {piece}")
    return out


def _under(piece: str, column: int) -> str:
    """Blanks as wide as the first `column` characters of `piece`; tabs stay tabs."""
    return "".join(_blank(character) for character in piece[: max(0, column)])


def _blank(character: str) -> str:
    if character == "\t":
        return character
    return "  " if unicodedata.east_asian_width(character) in "WF" else " "

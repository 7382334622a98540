"""A text file as lines, and back: byte-order mark, line endings and final newline are kept."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolbridge.patch.errors import Fault, PatchRefusedError


@dataclass(frozen=True, slots=True)
class TextFile:
    """The whole content of a file."""

    lines: tuple[str, ...]
    """Without their ends."""
    newline: str = "\n"
    """LF or CRLF, the same for all lines."""
    is_terminated: bool = True
    """Whether the last line has its end, too; a file without lines counts as if it had."""
    has_bom: bool = False

    def with_lines(self, lines: Sequence[str]) -> TextFile:
        """The file with other lines in its own style.

        A file without lines has no style; it gets that of a new one.
        """
        return replace(self, lines=tuple(lines), is_terminated=self.is_terminated or not self.lines)

    def encode(self) -> bytes:
        """The bytes of the file."""
        text = self.newline.join(self.lines)
        if self.lines and self.is_terminated:
            text += self.newline
        return (BOM_UTF8 if self.has_bom else b"") + text.encode()


def decode(data: bytes, path: str) -> TextFile:
    """Take a file apart; raises `PatchRefusedError` for what is not consistent UTF-8 text."""
    has_bom = data.startswith(BOM_UTF8)
    try:
        text = data.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        what = f"{path} is not UTF-8 text; a patch can neither change nor remove it"
        raise PatchRefusedError(Fault.ENCODING, what) from None
    newline = _newline(text, path)
    lines = text.split(newline)
    is_terminated = not lines[-1]
    if is_terminated:
        lines.pop()
    return TextFile(tuple(lines), newline, is_terminated, has_bom)


def _newline(text: str, path: str) -> str:
    pairs = text.count("\r\n")
    if text.count("\r") != pairs:
        what = f"{path} has a bare CR (carriage return); lines have to end in LF or CRLF"
        raise PatchRefusedError(Fault.NEWLINE_STYLE, what)
    if pairs and text.count("\n") != pairs:
        what = f"{path} has lines that end in LF and others that end in CRLF"
        raise PatchRefusedError(Fault.NEWLINE_STYLE, what)
    return "\r\n" if pairs else "\n"

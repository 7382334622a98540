"""The words of a magic line whose options take texts. Sans-I/O.

Words are quoted as in a shell. `codemode_kernel.notebook.source.read_options` is for options with
numbers.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from codemode_kernel.errors import MagicError


@dataclass(frozen=True)
class Option:
    """`--name`, `--name value` or `--name=value`."""

    name: str
    """Without its dashes."""
    value: str
    """Empty for one that takes none."""


def read_words(
    line: str, usage: str, texts: Collection[str], flags: Collection[str] = ()
) -> Iterator[str | Option]:
    """Plain words and options in the order in which they stand; `texts` take a value, `flags` none.

    Raises a `MagicError` that ends with `usage`.
    """
    try:
        words = iter(shlex.split(line))
    except ValueError as error:
        raise MagicError(f"This cannot be read: {error}. Usage: {usage}") from None
    for word in words:
        if not word.startswith("--"):
            yield word
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if name in flags and not equals:
            yield Option(name, "")
        elif name in texts:
            value = value if equals else next(words, "")
            if not value:
                raise MagicError(f"--{name} takes a value. Usage: {usage}")
            yield Option(name, value)
        else:
            raise MagicError(f"Unknown option --{name}. Usage: {usage}")

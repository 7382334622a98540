"""A question as it is put, and what was said to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Choice:
    """One of the answers that can be chosen."""

    word: str
    """What it is called in messages: `once`."""
    label: str
    """The words on its button."""
    typed: frozenset[str]
    """What can be typed for it, in lower case. An empty line is a text like any other."""


@dataclass(frozen=True)
class Question:
    """Everything a person needs in order to answer, all of it safe to show."""

    title: str
    """Who wants what: `In [3] wants to call exec_command`."""
    text: str
    """The call, the rules, the message; may have many lines."""
    reason: str
    """Why it is asked; may be empty."""
    choices: tuple[Choice, ...]
    invitation: str
    """The end of a prompt, with what can be typed."""
    form: Mapping[str, Any] | None = None
    """JSON Schema of an object to fill in with the first of the choices."""
    takes_text: bool = False
    """A line of text goes with the first of the choices."""

    def chosen_by(self, typed: str) -> Choice | None:
        """The choice that a typed line means; None: it is unclear."""
        word = typed.strip().lower()
        return next((choice for choice in self.choices if word in choice.typed), None)


@dataclass(frozen=True)
class Said:
    """An answer."""

    choice: str
    """The word of the choice."""
    content: Any = None
    """What was filled in: an object for a form, a string for a text."""

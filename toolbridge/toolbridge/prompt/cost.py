"""What a prompt costs with deferral and without, in tokens as the budgets estimate them."""

from __future__ import annotations

from dataclasses import dataclass

from codemode_rules.budget import tokens

SEARCH_CALL_TOKENS = 40
"""What a model writes to look a tool up: a short query, or a script that filters `ALL_TOOLS`."""


def text_tokens(text: str) -> int:
    """Estimated tokens of `text`."""
    return tokens(len(text.encode("utf-8", "replace")))


@dataclass(frozen=True, slots=True)
class PromptCost:
    """Tokens of the tools in every request. What both ways have in common is in both sums."""

    all_declared: int
    """Everything declared at once."""
    declared: int
    """What is declared now."""
    loader: int = 0
    """The definition of the loader."""
    block: int = 0
    """The list of what can be loaded."""
    search: int = 0
    """What one search adds to the conversation: the call, and the declaration that it finds."""

    @property
    def deferred(self) -> int:
        """A request with deferral, all told."""
        return self.declared + self.loader + self.block

    @property
    def saved(self) -> int:
        """What deferral saves in a request; below zero it costs more than it saves."""
        return self.all_declared - self.deferred

    @property
    def break_even(self) -> float | None:
        """Searches for each other request from which on deferral costs more; None: there is none.

        A search is one more request, so it pays for the whole prompt again. What a provider's
        prompt cache spares is left out.
        """
        if self.all_declared == self.deferred:
            return None
        return max(0.0, self.saved / (self.deferred + self.search))

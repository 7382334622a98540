"""Offers in an `%mcp` line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemode_kernel.completion.offers import Offer
from codemode_kernel.completion.surroundings import Surroundings
from codemode_kernel.magics.mcp import ADD, VERBS


def mcp_offers(words: Sequence[str], surroundings: Surroundings) -> Iterator[Offer]:
    """What can come after `words`, those after `%mcp`."""
    if not words:
        yield from (Offer(verb, "keyword") for verb in (ADD, *VERBS))
    elif len(words) == 1 and words[0] in VERBS:
        yield from (Offer(name, "value") for name in surroundings.servers)
    elif len(words) == 2 and words[0] == ADD:
        yield Offer("--", "keyword")

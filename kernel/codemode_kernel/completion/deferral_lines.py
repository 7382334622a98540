"""Offers in a `%deferral` line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from traitlets import Enum

from codemode_kernel.completion.offers import Offer
from codemode_kernel.completion.surroundings import Surroundings
from codemode_kernel.prompt.deferral_line import BLOCK, MODES, TEXTS, TRAITS
from codemode_kernel.settings import KernelSettings

_REPEATED = [f"--{name}" for name in MODES]


def deferral_offers(words: Sequence[str], surroundings: Surroundings) -> Iterator[Offer]:
    """What can come after `words`, those after `%deferral`."""
    last = words[-1].removeprefix("--") if words else ""
    if last in TRAITS:
        trait = KernelSettings.class_traits()[TRAITS[last]]
        assert isinstance(trait, Enum), "each of them takes one of a few words"
        yield from (Offer(value, "value") for value in trait.values or ())
    elif last in MODES:
        yield from (Offer(source, "value") for source in surroundings.sources)
    elif last == "threshold":
        yield Offer("none", "value")
    elif words != [BLOCK]:
        if not words:
            yield Offer(BLOCK, "keyword")
        options = [f"--{name}" for name in TEXTS]
        yield from (
            Offer(option, "option")
            for option in options
            if option not in words or option in _REPEATED
        )

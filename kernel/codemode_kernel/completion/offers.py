"""What is offered at a cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Offer:
    """One way to go on."""

    text: str
    """What stands in the source once it is chosen."""
    kind: str
    """What front ends choose an icon by: function, instance, property, value, keyword, ..."""
    signature: str = ""
    """One short line beside it."""
    description: str = ""
    declare: Callable[[], str] | None = None
    """Writes its TypeScript declaration; None: the signature says it all."""

    @property
    def declaration(self) -> str:
        """In TypeScript; empty for what is not declared."""
        return self.declare() if self.declare else self.signature


@dataclass(frozen=True)
class Offers:
    """What is offered, and the typed beginning that it takes the place of."""

    typed: str
    """The characters before the cursor."""
    offers: Sequence[Offer] = ()

    def matching(self) -> Sequence[Offer]:
        """Those that go on from what is typed: as it is written first, in any case then."""
        begun = [offer for offer in self.offers if _bare(offer.text).startswith(self.typed)]
        typed = self.typed.lower()
        likely = [offer for offer in self.offers if _bare(offer.text).lower().startswith(typed)]
        unique: dict[str, Offer] = {}
        for offer in [*begun, *likely]:
            unique.setdefault(offer.text, offer)
        return list(unique.values())


def _bare(text: str) -> str:
    return text.removeprefix('"')

"""rank-bm25's Okapi, asked about the documents that hold a term and no others.

The library looks for each term in every document and takes all of its documents as candidates. Here
the places of a term are remembered, and what is left out of a search counts for nothing in it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

K1 = 1.2
B = 0.75


class Okapi(BM25Okapi):
    """At least one document, each a list of terms."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._places: dict[str, list[int]] = {}
        self._postings: dict[str, tuple[Any, Any]] = {}
        super().__init__(documents, k1=K1, b=B)
        self._lengths = np.array(self.doc_len, dtype=float)
        for place, counts in enumerate(self.doc_freqs):
            for term in counts:
                self._places.setdefault(term, []).append(place)

    def best(self, terms: Iterable[str], left_out: Collection[int] = ()) -> list[int]:
        """The documents that hold any of `terms`, best first; equals keep their order."""
        taken = np.ones(self.corpus_size, dtype=bool)
        taken[list(left_out)] = False
        size = int(taken.sum())
        if not size:
            return []
        average = float(self._lengths[taken].mean()) or 1.0
        scores = np.zeros(self.corpus_size)
        for term in terms:
            places, counts = self._posting(term)
            here = taken[places]
            places, counts = places[here], counts[here]
            length = 1 - self.b + self.b * self._lengths[places] / average
            gain = counts * (self.k1 + 1) / (counts + self.k1 * length)
            scores[places] += _weight(len(places), size) * gain
        found = np.flatnonzero(scores)
        best: list[int] = found[np.argsort(-scores[found], kind="stable")].tolist()
        return best

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        """Nothing yet: how rare a term is depends on what a search leaves out."""

    def _posting(self, term: str) -> tuple[Any, Any]:
        """Where `term` stands, and how often."""
        posting = self._postings.get(term)
        if posting is None:
            places = self._places.get(term, [])
            counts = [self.doc_freqs[place][term] for place in places]
            posting = np.array(places, dtype=int), np.array(counts, dtype=float)
            if places:
                self._postings[term] = posting
        return posting


def _weight(holding: int, size: int) -> float:
    """How much a term says that `holding` of `size` documents hold.

    Always above zero. The library's own is zero when half of the documents hold it and falls from
    there: among two tools, a word of one of them would find nothing.
    """
    return math.log1p((size - holding + 0.5) / (holding + 0.5))

"""Public cell ids: the host's own, marked with how many hosts there have been (contract 11.7)."""

from __future__ import annotations

import re

_MARKED = re.compile(r"g([1-9][0-9]*):(.*)", re.DOTALL)


def public_id(host_id: str, generation: int) -> str:
    """`3` on the first host, `g2:3` on the second."""
    return host_id if generation == 1 else f"g{generation}:{host_id}"


def generation_of(cell_id: str) -> int:
    """Which host a public id is of; an unmarked one is of the first."""
    marked = _MARKED.fullmatch(cell_id)
    return int(marked[1]) if marked else 1

"""Who sends a message, as the Jupyter server has stamped it (`codemode_kernel.identity`).

A page can write what it likes into a message, so the kernel believes the stamp only where it was
told that several people share it: whoever sets that promises that the server stamps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STAMP = "codemode_principal"
"""Key in a message's metadata."""

MAX_LENGTH = 512
"""Characters of a name. A longer one is no name."""


def principal_in(message: Mapping[str, Any]) -> str | None:
    """The principal that `message` is stamped with; None: it is not, or not with a name."""
    metadata = message.get("metadata")
    stamp = metadata.get(STAMP) if isinstance(metadata, Mapping) else None
    is_name = isinstance(stamp, str) and 0 < len(stamp) <= MAX_LENGTH
    return stamp if is_name else None

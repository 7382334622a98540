"""What an engine says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class EngineReport:
    """The engine of a host, as far as is known now."""

    engine: str = "unknown"
    """Name and version."""
    layers: Mapping[str, str] = field(default_factory=dict)
    """Hardening of the newest worker: `active` or the reason why not, by layer."""

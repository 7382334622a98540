"""The client's half of protocol V1: launch a host, talk to it, serve its delegate calls."""

from codemode_host.client.client import (
    CAPABILITIES,
    CONTENT_STREAM,
    STORED_VALUES,
    YIELD,
    Execution,
    HostClient,
    HostListener,
)

__all__ = [
    "CAPABILITIES",
    "CONTENT_STREAM",
    "STORED_VALUES",
    "YIELD",
    "Execution",
    "HostClient",
    "HostListener",
]

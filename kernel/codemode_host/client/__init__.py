"""The client's half of protocol V1: talk to a launched host and serve its delegate calls."""

from codemode_host.client.client import Execution, HostClient, HostListener

__all__ = ["Execution", "HostClient", "HostListener"]

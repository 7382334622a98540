"""Everything that can go wrong between a client, the host and an engine."""

from __future__ import annotations


class HostError(Exception):
    """Base of the errors of this package; its text is fit for a person or for the wire."""


class ProtocolError(HostError):
    """The peer broke protocol V1; the connection cannot go on (contract 11.1, 11.2)."""


class FrameTooLong(ProtocolError):
    """A payload is longer than a frame may be; `length` in bytes."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(f"code-mode IPC frame length {length} exceeds {limit} bytes")
        self.length = length


class EngineError(HostError):
    """No worker could be started, or a worker broke its side of the seam."""


class HostGone(HostError):
    """The host could not be started, does not answer, or has ended; its cells are lost."""


class RequestRefused(HostError):
    """The host answered a request with an error; the text is the host's own."""


class DelegateError(HostError):
    """A nested call or a notification failed; a script gets the text as a string."""

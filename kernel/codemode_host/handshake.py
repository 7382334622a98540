"""The first exchange of a connection (contract 11.2). Sans-I/O: one message in, one out."""

from __future__ import annotations

from codemode_host.wire import (
    ClientMessage,
    Hello,
    InvalidHello,
    MissingRequiredCapability,
    NoCompatibleVersion,
    Ready,
    Rejected,
)

PROTOCOL_VERSION = 1

CELL_BEGUN = "cell-begun-v1"
"""Our own: `cell/begun` tells that a cell's script is about to run."""
CONTENT_STREAM = "content-stream-v1"
"""Our own: items are sent as they are emitted, in `cell/content`."""
RESOURCE_LIMITS = "session-cell-execution-resource-limits"
"""`session/open` may carry `cellExecutionLimits`."""
YIELD_OBSERVATION = "yield-observation"
"""`operation/yield` is understood."""
STORED_VALUES = "stored-values-v1"
"""Our own: `session/storedValues` lists what a session stores, `session/clearStored` clears it."""

HOST_DESCRIPTION = "host-description-v1"
"""Our own: `session/describeHost` names the engine and the hardening layers of its workers."""

CAPABILITIES = frozenset(
    {
        CELL_BEGUN,
        CONTENT_STREAM,
        HOST_DESCRIPTION,
        RESOURCE_LIMITS,
        STORED_VALUES,
        YIELD_OBSERVATION,
    }
)


def answer_hello(message: ClientMessage) -> Ready | Rejected:
    """What the host says to a client's first message; after `Rejected` the connection ends."""
    if not isinstance(message, Hello):
        return Rejected(InvalidHello("first message must be connection/hello"))
    if PROTOCOL_VERSION not in message.supported_versions:
        return Rejected(NoCompatibleVersion([PROTOCOL_VERSION]))
    for capability in sorted(message.required_capabilities):
        if capability not in CAPABILITIES:
            return Rejected(MissingRequiredCapability(capability))
    asked = {*message.required_capabilities, *message.optional_capabilities}
    return Ready(PROTOCOL_VERSION, sorted(asked & CAPABILITIES))

"""Reading and writing the messages, version 1."""

from __future__ import annotations

from typing import Any

import msgspec

from codemode_kernel.control.from_front import FromFront
from codemode_kernel.control.from_kernel import FromKernel

VERSION = 1


class ControlMessages(msgspec.Struct, frozen=True):
    """Every message of the control comm."""

    from_front: FromFront
    from_kernel: FromKernel


def read(data: Any) -> FromFront:
    """The message in a comm's `data`; raises `msgspec.ValidationError`."""
    message: FromFront = msgspec.convert(data, FromFront)
    return message


def write(message: FromKernel) -> dict[str, Any]:
    """The `data` of a comm message."""
    data: dict[str, Any] = msgspec.to_builtins(message)
    return data

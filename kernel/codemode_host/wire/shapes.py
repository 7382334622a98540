"""What the messages of protocol V1 are made of: numbers, bases, checks."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from codemode_rules.white_space import WHITE_SPACE
from msgspec import Meta, Raw, Struct, UnsetType

U64_MAX = 2**64 - 1

RequestId: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""Chosen by the client, unique on its connection; i64."""
DelegateId: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""Chosen by the host: 1, 2, ... on a connection; i64."""
Unsigned: TypeAlias = Annotated[int, Meta(ge=0)]
"""A u64; the fields that clients send are checked against `U64_MAX` as well."""
TokenBudget: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
"""An i32; that it must not be negative is an error of the request, not of the frame."""


NULL = Raw(b"null")
"""Absent JSON. A `Raw | None` would not do: msgspec then decodes nothing but null."""


class Envelope(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Base of messages and methods."""


class Payload(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of payload objects."""


def check_u64(field: str, value: int | UnsetType | None) -> None:
    if isinstance(value, int) and value > U64_MAX:
        raise ValueError(f"`{field}` is above {U64_MAX}")


def check_session_id(session_id: str) -> None:
    if not session_id.strip(WHITE_SPACE):
        raise ValueError("`sessionId` must not be blank")

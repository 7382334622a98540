"""JSON values as literals of a declaration: compact, and numbers as the reference writes them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from decimal import Decimal

MIN_INTEGER = -(2**63)
MAX_INTEGER = 2**64 - 1
"""Integers beyond 64 bits are doubles to the reference."""

PLAIN_POINT = range(-4, 17)
"""Places of the decimal point, counted from the first digit, that are written without exponent."""


def json_literal(value: object) -> str:
    """Compact JSON text with the keys of objects in byte order."""
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: str(key).encode("utf-8", "surrogatepass"))
        members = (f"{json_literal(str(key))}:{json_literal(value[key])}" for key in keys)
        return f"{{{','.join(members)}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(json_literal, value))}]"
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return _number(value)
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    if isinstance(value, int) and MIN_INTEGER <= value <= MAX_INTEGER:
        return str(value)
    number = float(value)
    if not math.isfinite(number):
        return "null"
    if number == 0:
        return "-0.0" if math.copysign(1, number) < 0 else "0.0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    assert isinstance(exponent, int), "a finite number has a numeric exponent"
    text = "".join(map(str, digits))
    return ("-" if sign else "") + _positional(text, len(text) + exponent)


def _positional(digits: str, point: int) -> str:
    """`digits` with the decimal point before digit number `point`, counted from 0."""
    if point not in PLAIN_POINT:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{digits[0]}{fraction}e{point - 1}"
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    if point >= len(digits):
        return f"{digits}{'0' * (point - len(digits))}.0"
    return f"{digits[:point]}.{digits[point:]}"

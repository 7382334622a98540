"""Jupyter messages as JSON, in a tenth of the time that jupyter_client's functions take.

A cell costs some 30 encodings, four a message. What msgspec does not take, jupyter_client's own
functions do, which know how to mend it.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from jupyter_client.jsonutil import json_clean, json_default
from jupyter_client.session import Session, json_packer, json_unpacker


def _default(value: Any) -> Any:
    """What JSON has for `value`. To `json_default` a text of a class of its own is a list."""
    return str.__str__(value) if isinstance(value, str) else json_default(value)


_encode = msgspec.json.Encoder(enc_hook=_default).encode
_decode = msgspec.json.Decoder().decode
_JSON = ("json", "orjson")


def speed_up(session: Session) -> None:
    """Have `session` use these functions, unless its configuration names a format of its own."""
    if session.packer in _JSON and session.unpacker in _JSON:
        session.pack, session.unpack = pack, unpack


def pack(part: Any) -> bytes:
    """A part of a message, such as its header, as JSON in UTF-8.

    Lone surrogates, such as a person's own Python may print, become U+FFFD: jupyter_client would
    lose the whole message.
    """
    try:
        return _encode(part)
    except UnicodeEncodeError:
        clean = json_clean(part)
        text = json.dumps(clean, default=json_default, ensure_ascii=False, allow_nan=False)
        return _well_formed(text).encode()
    except (TypeError, ValueError, RecursionError, OverflowError):
        return json_packer(part)


def unpack(data: bytes | str) -> Any:
    """The reverse of `pack`; raises `ValueError` for what is not JSON.

    Lone surrogates, such as half an emoji that was pasted into a cell, become U+FFFD: no message
    could give them back, so the cell would never have its reply.
    """
    try:
        return _decode(data)
    except (ValueError, RecursionError):
        value = json_unpacker(data)
    try:
        _encode(value)
    except UnicodeEncodeError:
        return json.loads(_well_formed(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        pass
    return value


def _well_formed(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

"""`%store`: the values that scripts keep with `store`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.outputs.bundles import Bundle
from codemode_kernel.outputs.tables import table
from codemode_kernel.session.session import Session

HEADINGS = ("key", "bytes of JSON", "kind")
KINDS = {"{": "object", "[": "array", '"': "string", "t": "boolean", "f": "boolean", "n": "null"}
"""What a JSON text is, by its first character; else it is a number."""

USAGE = "%store [KEY], %store --delete KEY, %store --clear"


async def _perform(call: MagicCall) -> None:
    session, outputs = call.rooms.session, call.run.outputs
    option, _, key = call.arguments.partition(" ")
    if option == "--delete" and key:
        await _delete(session, key.strip())
    elif call.arguments == "--clear":
        await session.clear_stored_values()
    elif option.startswith("--"):
        raise MagicError(f"Usage: {USAGE}")
    values = await session.stored_values()
    if call.arguments and not option.startswith("--"):
        outputs.display(_tree({call.arguments: _find(values, call.arguments)}))
    elif values:
        outputs.display(_sizes(values))
        outputs.display(_tree(values))
    else:
        outputs.write("No values are stored.\n")


async def _delete(session: Session, key: str) -> None:
    _find(await session.stored_values(), key)
    await session.clear_stored_values(key)


def _find(values: Mapping[str, str], key: str) -> str:
    if key not in values:
        raise MagicError(f"No value is stored under {key!r}.")
    return values[key]


def _sizes(values: Mapping[str, str]) -> Bundle:
    rows = [
        (key, f"{len(text.encode('utf-8', 'replace')):,}", _kind(text))
        for key, text in values.items()
    ]
    return table(HEADINGS, rows)


def _kind(text: str) -> str:
    return KINDS.get(text[:1], "number")


def _tree(values: Mapping[str, str]) -> Bundle:
    tree = {key: json.loads(value) for key, value in values.items()}
    plain = "\n".join(f"{key}: {value}" for key, value in values.items())
    return Bundle({"application/json": tree, "text/plain": plain})


MAGIC = Magic("%store", USAGE, "Show the stored values, or forget one or all of them.", _perform)

"""`%view`: what a model got of a cell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from codemode_kernel.captures.bundle import capture_bundle
from codemode_kernel.captures.capture import READ_BYTES, Capture
from codemode_kernel.captures.captures import SETTLE_S
from codemode_kernel.captures.shells import names_shell
from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.source import read_options
from codemode_kernel.view_bundle import view_bundle
from codemode_kernel.views import View, Views

USAGE = "%view [CELL] [--json | --full | --call CALL]"


async def _perform(call: MagicCall) -> None:
    flags = frozenset({"--json", "--full", "--call"})
    words, options = read_options(call.arguments, flags, frozenset(), USAGE)
    if "--call" in options:
        await _show_call(call, words)
        return
    if len(words) > 1 or len(options) > 1:
        raise MagicError(f"Name one cell, and one way to show it. Usage: {USAGE}")
    if words and names_shell(words[0]):
        await _show_shell(call, words[0], is_json="--json" in options)
        return
    views = _chosen(call.rooms.views, words)
    if "--json" in options:
        items = [item for view in views for item in view.requested()]
        call.run.outputs.write(json.dumps(items, indent=2, ensure_ascii=False) + "\n")
        return
    if "--full" in options:
        await _show_all(call, views[-1].cell_id)
        return
    for view in views:
        call.run.outputs.display(view_bundle(view))


async def _show_all(call: MagicCall, cell_id: str) -> None:
    """Show the cell's capture, as much as a notebook cell shows of anything."""
    capture = call.rooms.captures.of(cell_id)
    if capture is None:
        raise MagicError(f"The output of cell {cell_id or '(refused)'} is not kept (any more).")
    await _show_capture(call, f"cell {cell_id}", capture)


async def _show_shell(call: MagicCall, shell_id: str, *, is_json: bool) -> None:
    """Show what a shell command has printed in all."""
    if is_json:
        raise MagicError("What a command prints is no view of a model: leave --json out.")
    shell = call.rooms.captures.shells.of(shell_id)
    if shell is None:
        raise MagicError(f"The output of {shell_id} is not kept (any more). %cells lists some.")
    await _show_capture(call, shell_id, shell.capture)


async def _show_capture(call: MagicCall, whose: str, capture: Capture) -> None:
    outputs = call.run.outputs
    await capture.settled(SETTLE_S)
    try:
        data = await asyncio.to_thread(capture.read, 0, READ_BYTES)
    except OSError as error:
        raise MagicError(f"The output cannot be read: {error.strerror or error}.") from None
    outputs.display(capture_bundle(whose, capture.snapshot()))
    outputs.write(data.decode("utf-8", "ignore"))


async def _show_call(call: MagicCall, words: Sequence[str]) -> None:
    """Show all of a nested call of which the record has a part."""
    if len(words) != 2:
        raise MagicError("Name a cell and one of its calls, such as `%view 3 --call tool-1`.")
    cell_id, call_id = words
    calls = call.rooms.captures.calls_of_id(cell_id)
    if calls is None or call_id not in calls:
        raise MagicError(
            f"No more is kept of call {call_id} of cell {cell_id} than its record has."
        )
    await calls.settled(SETTLE_S)
    try:
        whole = await asyncio.to_thread(calls.read, call_id)
    except OSError as error:
        raise MagicError(f"The call cannot be read: {error.strerror or error}.") from None
    if whole is None:
        raise MagicError(f"Call {call_id} of cell {cell_id} could not be written and is lost.")
    if len(whole) > READ_BYTES:
        left_out = f"… ({len(whole) - READ_BYTES:,} more characters, in {calls.snapshot().path})"
        whole = f"{whole[:READ_BYTES]}\n{left_out}"
    call.run.outputs.write(f"{whole}\n")


def _chosen(views: Views, words: Sequence[str]) -> Sequence[View]:
    if words:
        chosen = views.of(words[0])
        if not chosen:
            raise MagicError(f"What a model got of cell {words[0]} is not known (any more).")
        return chosen
    newest = views.newest()
    if newest is None:
        raise MagicError("No cell has run yet.")
    return [newest]


MAGIC = Magic(
    "%view",
    USAGE,
    "Show what a model got of the last cell, or of a named one; as JSON to copy, all of its "
    "output, what was cut included, or all of one of its calls.",
    _perform,
)

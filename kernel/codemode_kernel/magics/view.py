"""`%view`: what a model got of a cell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence

from codemode_kernel.captures.bundle import capture_bundle
from codemode_kernel.captures.capture import READ_BYTES
from codemode_kernel.captures.captures import SETTLE_S
from codemode_kernel.captures.merged import Merged, Readable
from codemode_kernel.captures.shells import names_shell
from codemode_kernel.errors import MagicError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.model_view.bundle import view_bundle
from codemode_kernel.model_view.views import View, Views
from codemode_kernel.notebook.source import read_options
from codemode_kernel.outputs.outputs import MAX_TEXT
from codemode_kernel.record import CaptureState

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
        await _show_json(call, views)
        return
    if "--full" in options:
        await _show_all(call, views[-1].cell_id)
        return
    for view in views:
        call.run.outputs.display(view_bundle(view))


async def _show_json(call: MagicCall, views: Sequence[View]) -> None:
    """Show what a request would hold: in a file where a notebook cell has no room for all of it."""
    items = [item for view in views for item in view.requested()]
    text = json.dumps(items, indent=2, ensure_ascii=False) + "\n"
    if len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT:
        kept = await call.rooms.captures.keep_text("view", text)
        call.run.outputs.display(capture_bundle("the view as JSON", kept))
    call.run.outputs.write(text)


async def _show_all(call: MagicCall, cell_id: str) -> None:
    """Show the cell's capture, as much as a notebook cell shows of anything."""
    capture = call.rooms.captures.of(cell_id)
    if capture is None:
        raise MagicError(f"The output of cell {cell_id or '(refused)'} is not kept (any more).")
    await capture.settled(SETTLE_S)
    await _show_capture(call, {f"cell {cell_id}": capture}, capture)


async def _show_shell(call: MagicCall, name: str, *, is_json: bool) -> None:
    """Show what a shell command has printed in all, or one stream of it."""
    if is_json:
        raise MagicError("What a command prints is no view of a model: leave --json out.")
    captured = call.rooms.captures.shells.named(name)
    if captured is None:
        raise MagicError(f"The output of {name} is not kept (any more). %cells lists some.")
    await captured.settled(SETTLE_S)
    parts = captured.printed if isinstance(captured, Merged) else {}
    parts_by_name = {f"{name}.{stream.value}": part for stream, part in parts.items()}
    await _show_capture(call, parts_by_name or {name: captured}, captured)


async def _show_capture(call: MagicCall, parts: Mapping[str, Readable], captured: Readable) -> None:
    """Show a text, below a line for each part that it was captured in."""
    outputs, data = call.run.outputs, b""
    try:
        data = await asyncio.to_thread(captured.read, 0, READ_BYTES)
    except OSError as error:
        raise MagicError(f"The output cannot be read: {error.strerror or error}.") from None
    finally:  # what is lost is named too, with its size
        for whose, part in parts.items():
            outputs.display(capture_bundle(whose, part.snapshot()))
    outputs.write(data.decode("utf-8", "ignore"))


async def _show_call(call: MagicCall, words: Sequence[str]) -> None:
    """Show all of a nested call of which the record has a part, or for which it has no room."""
    if len(words) != 2:
        raise MagicError("Name a cell and one of its calls, such as `%view 3 --call tool-1`.")
    cell_id, call_id = words
    calls = call.rooms.captures.calls_of_id(cell_id)
    if calls is None:
        raise _nothing_more(cell_id, call_id)
    await calls.settled(SETTLE_S)
    try:
        whole = await asyncio.to_thread(calls.read, call_id)
    except OSError as error:
        raise MagicError(f"The call cannot be read: {error.strerror or error}.") from None
    if whole is None and calls.snapshot().state in (CaptureState.PARTIAL, CaptureState.UNAVAILABLE):
        raise MagicError(
            f"Call {call_id} of cell {cell_id} is not kept: not everything could be written."
        )
    if whole is None:
        raise _nothing_more(cell_id, call_id)
    if len(whole) > READ_BYTES:
        left_out = f"… ({len(whole) - READ_BYTES:,} more characters, in {calls.snapshot().path})"
        whole = f"{whole[:READ_BYTES]}\n{left_out}"
    call.run.outputs.write(f"{whole}\n")


def _nothing_more(cell_id: str, call_id: str) -> MagicError:
    return MagicError(f"No more is kept of call {call_id} of cell {cell_id} than its record has.")


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

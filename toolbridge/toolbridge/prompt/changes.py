"""Why a session's prompt is another one than it was."""

from __future__ import annotations

from collections.abc import Iterator

from toolbridge.prompt.composition import ComposedTool, Composition


def changes(before: Composition, after: Composition) -> tuple[str, ...]:
    """What happened to the tools in between, one clause for each tool that is told differently.

    Deferred tools are no part of an exec description, so one that came or went changes nothing in
    it; it is told all the same.
    """
    old = {composed.tool.raw_name: composed for composed in before.tools}
    new = {composed.tool.raw_name: composed for composed in after.tools}
    names = dict.fromkeys([*old, *new])
    told = [text for name in names for text in _change(name, old.get(name), new.get(name))]
    newly_loaded = [name for name in new if name in after.loaded - before.loaded]
    return (*told, *(f"`{name}` was loaded" for name in newly_loaded))


def _change(name: str, old: ComposedTool | None, new: ComposedTool | None) -> Iterator[str]:
    if new is None:
        yield f"`{name}` is gone"
    elif old is None:
        yield f"`{name}` is new, {_mode(new)}"
    elif old.is_deferred != new.is_deferred:
        yield f"`{name}` is now {_mode(new)}"
    elif old.declaration != new.declaration:
        yield f"`{name}` has another declaration"


def _mode(composed: ComposedTool) -> str:
    if composed.deferral is None:
        return "declared"
    return f"{composed.deferral.mode}: {composed.deferral.reason}"

"""Why a session's prompt is another one than it was."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolbridge.prompt.composition import ComposedTool, Composition

MAX_NAMES = 3
"""Names that a clause tells of tools to which the same has happened; more of them are counted."""


class _Change(NamedTuple):
    """What happened to a tool, as it is said of one and of several."""

    one: str
    several: str


def changes(before: Composition, after: Composition) -> tuple[str, ...]:
    """What happened to the tools in between, one clause for each thing that happened.

    Deferred tools are no part of an exec description, so one that came or went changes nothing in
    it; it is told all the same.
    """
    old = {composed.tool.raw_name: composed for composed in before.tools}
    new = {composed.tool.raw_name: composed for composed in after.tools}
    happened: defaultdict[_Change, list[str]] = defaultdict(list)
    for name in dict.fromkeys([*old, *new]):
        for change in _changes(old.get(name), new.get(name)):
            happened[change].append(name)
    for name in new:
        if name in after.loaded - before.loaded:
            happened[_Change("was loaded", "were loaded")].append(name)
        if name in before.loaded - after.loaded:
            happened[_Change("is loaded no more", "are loaded no more")].append(name)
    return tuple(_clause(names, change) for change, names in happened.items())


def _changes(old: ComposedTool | None, new: ComposedTool | None) -> Iterator[_Change]:
    if new is None:
        yield _Change("is gone", "are gone")
    elif old is None:
        yield _Change(f"is new, {_mode(new)}", f"are new, {_mode(new)}")
    elif old.is_deferred != new.is_deferred:
        yield _Change(f"is now {_mode(new)}", f"are now {_mode(new)}")
    elif old.declaration != new.declaration:
        yield _Change("has another declaration", "have other declarations")
    elif old.tool.prompt_section != new.tool.prompt_section:
        yield _Change("has other instructions above it", "have other instructions above them")


def _clause(names: Sequence[str], change: _Change) -> str:
    if len(names) == 1:
        return f"`{names[0]}` {change.one}"
    told = [f"`{name}`" for name in names[:MAX_NAMES]]
    if len(names) > MAX_NAMES:
        told.append(f"{len(names) - MAX_NAMES} more")
    return f"{', '.join(told[:-1])} and {told[-1]} {change.several}"


def _mode(composed: ComposedTool) -> str:
    if composed.deferral is None:
        return "declared"
    mode = "deferred" if composed.is_deferred else "declared"
    return f"{mode}: {composed.deferral.reason}"

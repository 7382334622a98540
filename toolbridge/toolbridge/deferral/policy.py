"""Which tools a prompt declares at once and which it defers (deferral document, section 1).

Layers are asked in order and the first that knows an answer decides: the global switch, the core
set, a choice for the tool, a choice for its source, its own wish. What is left is counted, and
deferred as a whole when it is too much. A decision holds for the life of a session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TypeAlias

from toolbridge.tools import Exposure, Tool

BUILTIN = "builtin"
"""Source id of what the product itself brings."""

LOADERS = frozenset({"ToolSearch", "find_tools"})
"""The built-in tools that bring deferred ones back; deferring them would lock the door."""

LOADERS_SOURCE = "loaders"
"""Source id of the loader that a session offers."""

CORE = frozenset({"Bash", "Read", "Edit", "Grep", "Write"})
DEFAULT_THRESHOLD = 10


class Mode(StrEnum):
    """How a prompt treats a tool."""

    IMMEDIATE = "immediate"
    """Declared in full."""
    DEFERRED = "deferred"
    """Left out until it is loaded; scripts can call it all the same."""


class Layer(StrEnum):
    """What decided, strongest first."""

    GLOBAL = "global"
    CORE = "core"
    TOOL = "tool"
    SOURCE = "source"
    PLUGIN = "plugin"
    """The wish of the source that offers the tool."""
    AUTOMATIC = "automatic"


@dataclass(frozen=True)
class DeferralSettings:
    """A person's choices."""

    enabled: bool = True
    threshold: int | None = DEFAULT_THRESHOLD
    """Undecided tools that a prompt still declares at once, 1 to 100; None: any number."""
    core: frozenset[str] = CORE
    """Raw names that are never deferred, exactly as written."""
    sources: Mapping[str, Mode] = field(default_factory=dict)
    """Source id to mode."""
    tools: Mapping[str, Mapping[str, Mode]] = field(default_factory=dict)
    """Source id to name, raw or the source's own, to mode. The same name of another source is
    another tool."""
    deferring_sources: tuple[str, ...] = ()
    """Patterns of source ids whose tools are taken to wish for deferral, such as `mcp:*`."""

    def __post_init__(self) -> None:
        if self.threshold is not None and not 1 <= self.threshold <= 100:
            raise ValueError(f"the deferral threshold is from 1 to 100, not {self.threshold}")


SEED = DeferralSettings()
"""The profile `seed`: whatever the source, too many tools are deferred."""

CODEX = DeferralSettings(threshold=None, deferring_sources=("mcp:*",))
"""The profile `codex`: tools of MCP servers are deferred always, others never by their number."""


@dataclass(frozen=True, slots=True)
class Deferral:
    """The decision about one tool."""

    tool: Tool
    mode: Mode
    layer: Layer
    reason: str
    """For people: a clause without a full stop."""


Deferrals: TypeAlias = tuple[Deferral, ...]


def resolve_deferrals(tools: Iterable[Tool], settings: DeferralSettings = SEED) -> Deferrals:
    """Decide about each candidate among `tools`, which keep their order.

    `tools` are everybody's: a person's own tools weigh on the decision for all, so that it is the
    same whoever writes.
    """
    candidates = [tool for tool in tools if is_candidate(tool)]
    decided = [_decided(tool, settings) for tool in candidates]
    left = [tool for tool, found in zip(candidates, decided, strict=True) if found is None]
    mode, reason = _by_number(left, settings.threshold)
    return tuple(
        Deferral(tool, *(found or (mode, Layer.AUTOMATIC, reason)))
        for tool, found in zip(candidates, decided, strict=True)
    )


def is_candidate(tool: Tool) -> bool:
    """Whether deferral is a question at all: not for what only a model can call, nor for a loader."""
    return tool.exposure is Exposure.NESTED and not is_loader(tool)


def is_loader(tool: Tool) -> bool:
    """Whether `tool` is one of ours that bring deferred ones back."""
    return tool.raw_name in LOADERS and tool.source in (BUILTIN, LOADERS_SOURCE)


def deferred_tools(deferrals: Iterable[Deferral]) -> list[Tool]:
    """Those that were deferred, in order of registration."""
    return [deferral.tool for deferral in deferrals if deferral.mode is Mode.DEFERRED]


def _decided(tool: Tool, settings: DeferralSettings) -> tuple[Mode, Layer, str] | None:
    """What a layer above the count says; None: nobody cares."""
    if not settings.enabled:
        return Mode.IMMEDIATE, Layer.GLOBAL, "deferral is switched off"
    if tool.raw_name in settings.core:
        return Mode.IMMEDIATE, Layer.CORE, "it belongs to the core set"
    choices = settings.tools.get(tool.source, {})
    chosen = choices.get(tool.raw_name) or choices.get(tool.name)
    if chosen:
        return chosen, Layer.TOOL, "chosen for this tool"
    chosen = settings.sources.get(tool.source)
    if chosen:
        return chosen, Layer.SOURCE, f"chosen for all tools of {tool.source}"
    if tool.defer_loading:
        return Mode.DEFERRED, Layer.PLUGIN, f"{tool.source} wants it deferred"
    if any(fnmatchcase(tool.source, pattern) for pattern in settings.deferring_sources):
        return Mode.DEFERRED, Layer.PLUGIN, f"tools of {tool.source} are deferred by default"
    return None


def _by_number(undecided: Sequence[Tool], threshold: int | None) -> tuple[Mode, str]:
    number = _weight(undecided)
    are = "1 undecided tool is" if number == 1 else f"{number} undecided tools are"
    if threshold is None:
        return Mode.IMMEDIATE, "nothing asks for its deferral"
    if number > threshold:
        return Mode.DEFERRED, f"{are} more than {threshold}"
    return Mode.IMMEDIATE, f"{are} not more than {threshold}"


def _weight(tools: Iterable[Tool]) -> int:
    """The most tools that any one person has before them: the common ones and their own."""
    common = 0
    own: Counter[str] = Counter()
    for tool in tools:
        if tool.owners is None:
            common += 1
        else:
            own.update(tool.owners)
    return common + max(own.values(), default=0)

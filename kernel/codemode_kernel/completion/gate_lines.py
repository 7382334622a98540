"""Offers in a `%gate` line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemode_kernel.completion.offers import Offer
from codemode_kernel.completion.surroundings import Surroundings
from codemode_kernel.gate.line import FLAGS, TEXTS, VERBS
from toolbridge import Decision, GateMode, Tool

_TEXTS = [f"--{name}" for name in TEXTS]
_OPTIONS = [*_TEXTS, *(f"--{name}" for name in FLAGS)]


def gate_offers(words: Sequence[str], surroundings: Surroundings) -> Iterator[Offer]:
    """What can come after `words`, those after `%gate`."""
    if not words:
        yield from (Offer(verb, "keyword") for verb in VERBS)
    elif words == ["mode"]:
        yield from (Offer(mode, "value") for mode in GateMode)
    elif words[0] == "explain" or words[0] in tuple(Decision):
        yield from _of_a_call(words, surroundings)


def _of_a_call(words: Sequence[str], surroundings: Surroundings) -> Iterator[Offer]:
    tools = {tool.raw_name: tool for tool in surroundings.catalog.tools}
    if len(words) == 1:
        yield from (Offer(name, "function", description=tools[name].description) for name in tools)
    elif words[0] != "explain":
        yield from _of_a_rule(words, tools.get(words[1]), surroundings)


def _of_a_rule(
    words: Sequence[str], tool: Tool | None, surroundings: Surroundings
) -> Iterator[Offer]:
    if words[-1] == "--source":
        yield from (Offer(source, "value") for source in surroundings.sources)
    elif words[-1] not in _TEXTS:
        schema = tool.input_schema if tool else None
        properties = schema.get("properties") if schema and schema is not True else None
        names = properties if isinstance(properties, dict) else {}
        yield from (Offer(f"{name}=", "property") for name in names)
        yield from (Offer(option, "option") for option in _OPTIONS if option not in words)

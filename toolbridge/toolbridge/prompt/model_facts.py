"""What is known about models that no wire tells (deferral document, 5.8)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from toolbridge.prompt.messages import Messages


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Facts about a model. None: not known."""

    use_responses_lite: bool | None = None
    """Its requests carry tools and instructions in input items."""
    messages: Messages | None = None
    """Texts that its catalog replaces."""
    input_schema_max_bytes: int | None = None
    """Longest type of a tool's arguments in the exec description, UTF-8 bytes."""
    supports_image_detail_original: bool | None = None
    audio_input: bool | None = None
    """It takes sounds; where it does not, or nothing is known, `codex` gives it a notice."""

    @property
    def is_lite(self) -> bool:
        """Whether requests are placed the lite way: only a known yes counts."""
        return self.use_responses_lite is True

    def overridden(self, overrides: ModelFacts) -> ModelFacts:
        """These facts, except where `overrides` knows better; a False counts as knowing."""
        named = ((fact.name, getattr(overrides, fact.name)) for fact in fields(overrides))
        return replace(self, **{name: value for name, value in named if value is not None})


UNKNOWN = ModelFacts()
_LITE = ModelFacts(use_responses_lite=True)

KNOWN_MODELS: Mapping[str, ModelFacts] = {
    "gpt-6-astra": _LITE,
    "gpt-6.1-sol": _LITE,
    "gpt-6-sol": _LITE,
    "gpt-6-luna": _LITE,
    "gpt-5.6-sol": _LITE,
    "gpt-5.6-terra": _LITE,
    "gpt-5.6-luna": _LITE,
    "gpt-daybreak-blue-latest": _LITE,
    "gpt-daybreak-red-latest": _LITE,
    "codex-auto-review": _LITE,
    "gpt-5.5": ModelFacts(use_responses_lite=False),
}
"""By slug; a model is known when its name begins with one."""

_NAMESPACED = re.compile(r"[A-Za-z0-9_-]+/([^/]+)", re.DOTALL)


def facts_of(
    model: str,
    overrides: ModelFacts = UNKNOWN,
    known: Mapping[str, ModelFacts] = KNOWN_MODELS,
) -> ModelFacts:
    """The facts about `model`, of which `overrides` win.

    The longest slug that `model` begins with decides, letter case included; failing that the name
    is tried once more without its provider (`openai/gpt-6-sol`).
    """
    facts = _by_slug(model, known)
    namespaced = _NAMESPACED.fullmatch(model)
    if facts is None and namespaced:
        facts = _by_slug(namespaced[1], known)
    return (facts or UNKNOWN).overridden(overrides)


def _by_slug(model: str, known: Mapping[str, ModelFacts]) -> ModelFacts | None:
    slugs = [slug for slug in known if model.startswith(slug)]
    return known[max(slugs, key=len)] if slugs else None

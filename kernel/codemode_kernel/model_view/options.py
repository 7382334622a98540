"""What the options say about the model whose view is shown, as the library's values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from toolbridge.prompt.model_facts import ModelFacts, facts_of

if TYPE_CHECKING:
    from toolbridge.media import MediaRules


class ModelOptions(Protocol):
    """The traits of `settings` that speak of the model."""

    profile: Any
    model: Any
    audio_input: Any


def model_facts(options: ModelOptions) -> ModelFacts:
    """What is known of the model by its name; what an option says goes before it."""
    return facts_of(options.model, ModelFacts(audio_input=options.audio_input))


def rules_of_media(options: ModelOptions) -> MediaRules:
    """What a model gets of images and sounds."""
    from toolbridge.media import media_rules

    return media_rules(options.profile, model_facts(options))


def keeps_mcp_audio(options: ModelOptions) -> bool:
    """Whether scripts get the sounds of MCP results.

    As measured, a script of a model without audio input gets a notice in their place (model view
    9). Where nothing is known of the model they stay, so that the person can hear them.
    """
    return options.profile != "codex" or model_facts(options).audio_input is not False

"""What the options about the model decide: sounds of MCP servers, and the words about images."""

import pytest
from codemode_kernel.model_view.options import keeps_mcp_audio, model_facts
from codemode_kernel.prompt.options import prompt_settings
from codemode_kernel.settings import KernelSettings
from toolbridge.prompt.texts import IMAGE_HELPER_PLAIN, IMAGE_HELPER_WITH_DETAIL


@pytest.mark.parametrize(
    "profile, audio_input, kept",
    [
        ("codex", None, True),
        ("codex", True, True),
        ("codex", False, False),
        ("seed", None, True),
        ("seed", False, True),
    ],
)
def test_sounds_of_mcp_tools_stay_unless_the_model_is_known_to_hear_nothing(
    profile: str, audio_input: bool | None, kept: bool
) -> None:
    assert keeps_mcp_audio(KernelSettings(profile=profile, audio_input=audio_input)) is kept


@pytest.mark.parametrize(
    "profile, words", [("codex", IMAGE_HELPER_PLAIN), ("seed", IMAGE_HELPER_WITH_DETAIL)]
)
def test_the_exec_description_speaks_of_detail_where_the_model_is_told_of_it(
    profile: str, words: str
) -> None:
    assert prompt_settings(KernelSettings(profile=profile)).exec_text.image_helper == words


def test_an_option_goes_before_what_the_models_name_says() -> None:
    facts = model_facts(KernelSettings(model="openai/gpt-5.5", audio_input=True))
    assert facts.use_responses_lite is False
    assert facts.audio_input is True

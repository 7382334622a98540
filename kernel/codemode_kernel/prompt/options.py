"""What a user can set about the prompt: which tools it declares, and whom it is for.

The options become the library's values when a prompt is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from traitlets import Bool, Dict, Enum, Integer, List, TraitError, Unicode, validate
from traitlets.config import Configurable

from codemode_kernel.model_view.options import model_facts, rules_of_media

if TYPE_CHECKING:
    from toolbridge.prompt.composition import PromptSettings

MODES = ("immediate", "deferred")


class PromptOptions(Configurable):
    """Part of the kernel's options, see `settings`."""

    profile: Any
    exec_yield_time_ms: Any
    model: Any
    audio_input: Any

    tool_route = Enum(
        ("code_mode", "local"),
        "code_mode",
        help="""How the model reaches tools, as `%describe` and `%deferral` show it. `code_mode`:
        through exec, whose description declares them. `local`: each by itself, in the request's
        list of tools; deferred ones are named in a block and loaded by the loader.""",
    ).tag(config=True)

    deferral = Bool(
        True,
        help="""Whether tools can be deferred at all: left out of the prompt until they are looked
        for. False declares every tool in full, whatever the other options say.""",
    ).tag(config=True)

    deferral_threshold = Integer(
        None,
        allow_none=True,
        min=1,
        max=100,
        help="""Undecided tools that a prompt still declares at once, 1 to 100; when there are more,
        all of them are deferred. None: any number. By default as the profile says: none for
        `codex`, 10 for `seed`. With `find_tools` as loader it is none, too.""",
    ).tag(config=True)

    deferral_core = List(
        Unicode(),
        ["Bash", "Read", "Edit", "Grep", "Write"],
        help="""The core set: raw names of tools, exactly as written, that are never deferred,
        whatever is chosen for them or for their source.""",
    ).tag(config=True)

    deferral_sources = Dict(
        key_trait=Unicode(),
        value_trait=Enum(MODES),
        help="""What is chosen for all tools of a source, by its id as `%tools` shows it:
        `{"shell": "deferred"}` or `"immediate"`.""",
    ).tag(config=True)

    deferral_tools = Dict(
        key_trait=Unicode(),
        value_trait=Dict(key_trait=Unicode(), value_trait=Enum(MODES)),
        help="""What is chosen for single tools, by source and name; it goes before the choice for
        the source: `{"shell": {"exec_command": "immediate"}}`.""",
    ).tag(config=True)

    deferring_sources = List(
        Unicode(),
        help="""Patterns of ids of sources whose tools are deferred unless something else is
        chosen. By default as the profile says: `["mcp:*"]` for `codex`, none for `seed`.
        With `find_tools` as loader it is none, too.""",
    ).tag(config=True)

    tool_loader = Enum(
        ("ToolSearch", "find_tools"),
        "ToolSearch",
        help="""What brings deferred tools back. `ToolSearch`: on the local route, by words or
        exact names; what it has loaded is loaded again after a restart. `find_tools`: on both
        routes, for the tools that you chose to defer; it looks first, loads exact names, and
        starts anew with the kernel.""",
    ).tag(config=True)

    atomic_tool_groups = List(
        Unicode(),
        help="""Names of groups of tools that `find_tools` loads whole or not at all; all members
        of such a group have to be deferred, or none.""",
    ).tag(config=True)

    freeze_tools = Bool(
        False,
        help="""Whether the tools stay as they are when the first cell starts, or the prompt is first
        shown. What a source offers
        later, such as a tool that a `%%python` cell defines, is not seen before `%reset`.""",
    ).tag(config=True)

    prompt_messages = Dict(
        help="""Texts that replace ours, as model catalogs spell them:
        `{"exec": {"description": ...}, "wait": {"description": ..., "parameters": ...},
        "deferred_nested_tools_guidance": ..., "mcp_typescript_preamble": ...}`. An empty text
        takes the section out; `{{ default_exec_yield_time_ms }}` and `{{ image_helper }}` in the
        description of exec are filled in.""",
    ).tag(config=True)

    shared_kernel = Bool(
        False,
        help="""Whether several people write in this kernel. Each then has cells, stored values,
        tools, approvals and loaded tools of their own, and a request that does not say whose it
        is is refused. Set it only under a Jupyter server that says who sends a message, with the
        server extension `codemode_kernel.identity`: without it anybody could be anybody.""",
    ).tag(config=True)

    def _deferral_threshold_default(self) -> int | None:
        counts = self.profile == "seed" and self.tool_loader == "ToolSearch"
        return 10 if counts else None

    def _deferring_sources_default(self) -> list[str]:
        defers = self.profile == "codex" and self.tool_loader == "ToolSearch"
        return ["mcp:*"] if defers else []

    @validate("prompt_messages")
    def _readable(self, proposal: Any) -> Any:
        from toolbridge.prompt.messages import MessagesError, parse_messages

        try:
            parse_messages(proposal.value)
        except MessagesError as error:
            raise TraitError(str(error)) from None
        return proposal.value


def loads_tools(options: PromptOptions) -> bool:
    """Whether the session can have a loader."""
    return bool(options.tool_route == "local" or options.tool_loader == "find_tools")


def prompt_settings(options: PromptOptions) -> PromptSettings:
    """The library's value for these options."""
    from toolbridge.deferral.policy import DeferralSettings, Mode
    from toolbridge.prompt.composition import Loader, PromptSettings, Route
    from toolbridge.prompt.exec_tool import ExecText
    from toolbridge.prompt.messages import parse_messages

    return PromptSettings(
        route=Route.LOCAL if options.tool_route == "local" else Route.CODE_MODE,
        deferral=DeferralSettings(
            enabled=bool(options.deferral),
            threshold=options.deferral_threshold,
            core=frozenset(options.deferral_core),
            sources={source: Mode(mode) for source, mode in options.deferral_sources.items()},
            tools={
                source: {name: Mode(mode) for name, mode in choices.items()}
                for source, choices in options.deferral_tools.items()
            },
            deferring_sources=tuple(options.deferring_sources),
        ),
        exec_text=ExecText(
            messages=parse_messages(options.prompt_messages),
            default_yield_time_ms=options.exec_yield_time_ms,
            image_helper=_image_helper(options),
            always_mcp_types=options.profile == "codex",
            input_max_bytes=model_facts(options).input_schema_max_bytes,
        ),
        loader=Loader(options.tool_loader),
    )


def _image_helper(options: PromptOptions) -> str:
    """The bullet about `image`: with the word for detail where the model is told of it."""
    from toolbridge.media.rules import ShownDetail
    from toolbridge.prompt import texts

    is_told = rules_of_media(options).shown_detail is ShownDetail.ASKED
    return texts.IMAGE_HELPER_WITH_DETAIL if is_told else texts.IMAGE_HELPER_PLAIN

"""What `%deferral` chose for one session, over the kernel's own options about the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from traitlets.config import Config

from codemode_kernel.prompt.loaded_tools import LoadedTools
from codemode_kernel.prompt.options import PromptOptions, loads_tools, prompt_settings
from codemode_kernel.settings import KernelSettings
from toolbridge import Toolbox

if TYPE_CHECKING:
    from toolbridge.prompt.briefing import Briefing
    from toolbridge.prompt.composition import PromptSettings


class PromptChoices:
    """The options in force. What was chosen last counts, and `%reset` forgets all of it."""

    def __init__(self, own: KernelSettings) -> None:
        self._own = own
        self._chosen: dict[str, Any] = {}
        self.options: PromptOptions = own

    def settings(self) -> PromptSettings:
        """The library's value for the options in force."""
        return prompt_settings(self.options)

    def choose(self, chosen: Mapping[str, Any]) -> None:
        """Put traits of `PromptOptions` in force; a `TraitError` leaves everything as it was."""
        together = self._chosen | dict(chosen)
        self.options = self._own_with(together) if together else self._own
        self._chosen = together

    def forget(self) -> None:
        """The kernel's own options hold again."""
        self._chosen, self.options = {}, self._own

    def _own_with(self, chosen: dict[str, Any]) -> PromptOptions:
        """New options rather than changed ones, as some defaults depend on others."""
        configured = self._own.config[type(self._own).__name__]
        known = KernelSettings.class_trait_names(config=True)
        section = {name: configured[name] for name in known if name in configured}
        return KernelSettings(config=Config({KernelSettings.__name__: section | chosen}))


def offer_loader(
    options: PromptOptions, toolbox: Toolbox, briefing: Briefing, kept: LoadedTools
) -> None:
    """Offer the loader, if `options` name one; what it loads is `kept`."""
    if not loads_tools(options):
        return
    from toolbridge.sources.loaders import Loaders

    toolbox.add(
        Loaders(
            toolbox,
            briefing,
            atomic=options.atomic_tool_groups,
            on_load=lambda: kept.write(briefing.activations.kept),
        )
    )

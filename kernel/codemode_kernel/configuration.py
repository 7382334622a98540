"""Finds what is wrong with the user's options before the kernel takes them.

An option that cannot be used must neither be passed over, as gate rules may be among those lost
with it, nor end the process, which a front end would only start again. So the kernel starts
without it and runs no cell, and each cell says what to mend.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from traitlets import TraitError
from traitlets.config import Config

from codemode_kernel.settings import KernelSettings

SECTION = "CodeModeKernel"


def take_unusable(config: Config, known: frozenset[str]) -> Iterator[str]:
    """Remove from the kernel's section of `config` what it cannot take; one sentence for each.

    `known` are the names of all options that the kernel has, ipykernel's among them.
    """
    section = config[SECTION]
    for name, value in list(section.items()):
        problem = _unknown(name, known) if name not in known else _misfit(name, value)
        if problem is not None:
            del section[name]
            yield problem


def _unknown(name: str, known: frozenset[str]) -> str:
    similar = get_close_matches(name, known, 1)
    hint = f" Is {SECTION}.{similar[0]} meant?" if similar else ""
    return f"There is no option {SECTION}.{name}.{hint}"


def _misfit(name: str, value: object) -> str | None:
    try:
        KernelSettings(config=Config({KernelSettings.__name__: {name: value}}))
    except (TraitError, ValueError) as error:
        text = str(error).replace(f"a {KernelSettings.__name__} instance", SECTION)
        return f"{SECTION}.{name} cannot be used: {text}"
    return None

"""Gate rules and a mode that come with a folder of notebooks.

A file `codemode_config.json` beside a notebook may propose rules and a mode
(`CodeModeKernel.gate_rules` and `.gate_mode`, as in the user's own configuration). Whoever wrote
the notebook wrote it, too, so nothing in it that allows more holds before the person has read it
and agreed; once for each content, wherever the file lies. A mode that allows less needs no leave.
Other options in it are never read. The user's own rules come first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolbridge.errors import RuleError

from codemode_kernel.agreements import Agreements
from codemode_kernel.errors import ConfigurationError
from codemode_kernel.folder_file import read_folder_file
from toolbridge import GateMode, Rule, parse_rules

FILE_NAME = "codemode_config.json"

ORIGIN = "this folder"
"""Where its rules come from, for the person."""


@dataclass(frozen=True)
class Proposal:
    """The rules of one content of the file."""

    digest: str
    """SHA-256 of the file, hexadecimal: what an agreement is about."""
    rules: tuple[Rule, ...]
    text: str
    """Mode and rules as written, one a line."""
    mode: GateMode | None = None


class ProjectRules:
    """Reads the folder's proposal and remembers what the person said to it."""

    def __init__(self, folder: Path, agreements: Path) -> None:
        """`agreements` is the file that lists the digests the person has agreed to."""
        self._file = folder / FILE_NAME
        self._agreements = Agreements(agreements)
        self._declined: set[str] = set()
        self._reported: set[str] = set()
        """What was said already about files that cannot be used."""

    def in_force(self) -> tuple[Rule, ...]:
        """The proposed rules, if the person has agreed to them before."""
        proposal = self.proposal()
        return proposal.rules if proposal and self.is_agreed(proposal) else ()

    def proposal(self) -> Proposal | None:
        """What the folder proposes, whatever was said to it; None also where it is unusable."""
        try:
            return self._read()
        except ConfigurationError:
            return None

    def is_agreed(self, proposal: Proposal) -> bool:
        """Whether the person has agreed to this content."""
        return proposal.digest in self._agreements

    def open_proposal(self) -> Proposal | None:
        """The proposal that the person has not been asked about yet.

        Raises `ConfigurationError`, once for each fault, when the file cannot be used.
        """
        try:
            proposal = self._read()
        except ConfigurationError as error:
            if str(error) in self._reported:
                return None
            self._reported.add(str(error))
            raise
        if proposal is None or proposal.digest in self._declined or self.is_agreed(proposal):
            return None
        return proposal

    def agree(self, proposal: Proposal) -> None:
        """Remember a yes, for good."""
        self._agreements.add(proposal.digest)

    def decline(self, proposal: Proposal) -> None:
        """Remember a no, for the life of this kernel."""
        self._declined.add(proposal.digest)

    def _read(self) -> Proposal | None:
        try:
            content = read_folder_file(self._file)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(error.strerror or error) from error
        digest = hashlib.sha256(content).hexdigest()
        try:
            section = _section(json.loads(content))
            items = _rule_items(section)
            rules = parse_rules(items, ORIGIN)
            mode = _mode(section)
        except (ValueError, RecursionError, RuleError) as error:
            raise _unusable(error) from error
        if not rules and mode is None:
            return None
        lines = [json.dumps(item) for item in items]
        if mode is not None:
            lines.insert(0, f"gate mode {mode}")
        return Proposal(digest, rules, "\n".join(lines), mode)


def _unusable(why: object) -> ConfigurationError:
    return ConfigurationError(f"{FILE_NAME} beside this notebook is not used: {why}")


def _section(config: Any) -> dict[str, Any]:
    if not isinstance(config, dict):
        raise ValueError("it must hold a JSON object")
    section = config.get("CodeModeKernel", {})
    return section if isinstance(section, dict) else {}


def _rule_items(section: dict[str, Any]) -> Sequence[dict[str, Any]]:
    items = section.get("gate_rules", [])
    if not isinstance(items, list):
        raise ValueError("gate_rules must be a list")
    return items


def _mode(section: dict[str, Any]) -> GateMode | None:
    written = section.get("gate_mode")
    if written is None:
        return None
    try:
        return GateMode(written)
    except ValueError:
        modes = ", ".join(GateMode)
        raise ValueError(f"gate_mode {written!r} is none of {modes}") from None

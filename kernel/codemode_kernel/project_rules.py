"""Gate rules that come with a folder of notebooks.

A file `codemode_config.json` beside a notebook may propose rules (`CodeModeKernel.gate_rules`, as
in the user's own configuration). Whoever wrote the notebook wrote it, too, so nothing in it holds
before the person has read the rules and agreed; once for each content, wherever the file lies.
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
from toolbridge import Rule, parse_rules

FILE_NAME = "codemode_config.json"


@dataclass(frozen=True)
class Proposal:
    """The rules of one content of the file."""

    digest: str
    """SHA-256 of the file, hexadecimal: what an agreement is about."""
    rules: tuple[Rule, ...]
    text: str
    """The rules as written, one a line."""


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
        try:
            proposal = self._read()
        except ConfigurationError:
            return ()
        return proposal.rules if proposal and proposal.digest in self._agreements else ()

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
        if proposal is None or proposal.digest in self._agreements:
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
            content = self._file.read_bytes()
        except OSError:
            return None
        digest = hashlib.sha256(content).hexdigest()
        if digest in self._declined:
            return None
        try:
            items = _rule_items(json.loads(content))
            rules = parse_rules(items)
        except (ValueError, RecursionError, RuleError) as error:
            raise ConfigurationError(
                f"{FILE_NAME} beside this notebook is not used: {error}"
            ) from error
        if not rules:
            return None
        return Proposal(digest, rules, "\n".join(json.dumps(item) for item in items))


def _rule_items(config: Any) -> Sequence[dict[str, Any]]:
    if not isinstance(config, dict):
        raise ValueError("it must hold a JSON object")
    section = config.get("CodeModeKernel", {})
    items = section.get("gate_rules", []) if isinstance(section, dict) else []
    if not isinstance(items, list):
        raise ValueError("gate_rules must be a list")
    return items

"""What can go wrong around tools: one class a kind.

`ToolError` and its children are what a call rejects with; `str(error)` is the text the script gets
(contract 8.5), so it never holds a traceback or a path of ours. The others are for whoever builds
a toolbox.
"""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What is known about the effect of a call that did not give a result."""

    FAILED = "failed"
    """The tool ran and said no."""
    REFUSED = "refused"
    """Nothing ran: arguments, gate or toolbox refused before any effect."""
    UNKNOWN = "unknown"
    """The tool may or may not have had its effect; the call is never sent again."""


class ToolError(Exception):
    """A call gave no result; raised by tools too, to choose the script's words themselves."""

    outcome = Outcome.FAILED


class ArgumentsRefusedError(ToolError):
    """The arguments do not fit the tool; the message names the place of the fault."""

    outcome = Outcome.REFUSED


class PolicyRefusedError(ToolError):
    """The gate, or the person it asked, said no."""

    outcome = Outcome.REFUSED


class HookFailedError(PolicyRefusedError):
    """An embedder's hook raised or gave nonsense: what cannot be judged does not run."""

    def __init__(self, hook: str, why: str) -> None:
        super().__init__(f"policy refused the call: the hook `{hook}` failed: {why}")


class ToolUnavailableError(ToolError):
    """The tool is not, or no longer, one that this caller can reach."""

    outcome = Outcome.REFUSED


class ResultRefusedError(ToolError):
    """The tool ran and gave something that JSON cannot hold."""


class OutcomeUnknownError(ToolError):
    """The tool was reached and then lost: its effect is not known."""

    outcome = Outcome.UNKNOWN


class ToolDefinitionError(ValueError):
    """A tool cannot be offered: its signature, schema or name does not work."""


class NobodyThereError(Exception):
    """An asker finds that no person can answer; the call is then refused by policy."""


class PrincipalUnknownError(Exception):
    """Several people share this kernel, and the request does not say whose it is."""

    def __init__(self) -> None:
        super().__init__("this kernel is shared, and the request does not say who sends it")


class SearchError(ValueError):
    """A search for tools cannot be run: its query or its limit makes no sense."""


class SourceError(ValueError):
    """A source cannot be added or removed, such as a second one with the same id."""


class ServerConfigError(ValueError):
    """The configuration of an MCP server cannot be read; the message has the path of the fault."""


class RuleError(ValueError):
    """A gate rule in a configuration cannot be read; the message names rule and field."""


def words_of(error: BaseException) -> str:
    """An exception in the words a script reads: its own, without traceback or place.

    The kind is put before what would say little alone, such as the key of a `KeyError`.
    """
    text = str(error)
    if text and not isinstance(error, KeyError | SystemExit):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__

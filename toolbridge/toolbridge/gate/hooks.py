"""What an embedder adds to every call: a policy of its own, and variables for its processes.

The same hooks are asked for direct and nested calls, in one order: arguments are checked, then
`environment`, then `policy`, then the gate and the person. They get the identity of a call and
neither its arguments nor its result (requirements 004, section 5.10).

Hooks run on the event loop and must not block. What one raises refuses the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import HookFailedError
from toolbridge.tools import Tool


@dataclass(frozen=True, slots=True)
class CallIdentity:
    """Which call it is."""

    tool: str
    """Raw name."""
    source: str
    is_nested: bool
    """A script makes it; False for a direct call."""
    cell_id: str | None
    call_id: str
    principal: str | None


class Hooks:
    """An embedder overrides what it needs and passes it to its `Toolbox`."""

    def environment(self, call: CallIdentity) -> Mapping[str, str]:
        """Variables for a process that this one call starts, over those it would have anyway.

        They are not kept for a later call, nor set in the kernel.
        """
        return {}

    def policy(self, call: CallIdentity) -> str | None:
        """Why this call may not run, for the script; None lets it go on to the gate.

        Asked again after every wait. It cannot allow what the gate denies.
        """
        return None


def identity_of(tool: Tool, call: ToolCall, context: CallContext) -> CallIdentity:
    """What hooks are told of a call."""
    return CallIdentity(
        tool=tool.raw_name,
        source=tool.source,
        is_nested=call.cell_id is not None,
        cell_id=call.cell_id,
        call_id=call.id,
        principal=context.principal,
    )


def environment_for(hooks: Hooks, identity: CallIdentity) -> Mapping[str, str]:
    """The hooks' variables; raises `HookFailedError` for what no process can be given."""
    try:
        variables = dict(hooks.environment(identity))
    except Exception as error:
        raise HookFailedError("environment", type(error).__name__) from error
    for name, value in variables.items():
        if not _fits(name, value):
            raise HookFailedError("environment", "it gives what is no environment variable")
    return variables


def objection_of(hooks: Hooks, identity: CallIdentity) -> str | None:
    """The hooks' reason to refuse; raises `HookFailedError`."""
    try:
        return hooks.policy(identity)
    except Exception as error:
        raise HookFailedError("policy", type(error).__name__) from error


def _fits(name: object, value: object) -> bool:
    return (
        isinstance(name, str)
        and isinstance(value, str)
        and bool(name)
        and "=" not in name
        and "\0" not in name + value
    )

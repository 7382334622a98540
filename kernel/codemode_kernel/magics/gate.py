"""`%gate`: what tool calls may do, why, and how to change it."""

from __future__ import annotations

from toolbridge.errors import ToolError

from codemode_kernel.errors import MagicError
from codemode_kernel.gate.doubts import doubt_about
from codemode_kernel.gate.line import (
    USAGE,
    Add,
    Explain,
    Forget,
    Remove,
    SetMode,
    Show,
    read_gate_line,
)
from codemode_kernel.gate.tables import explanation_table, grant_table, rule_table
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.rooms import Rooms
from toolbridge import Explanation, Rule, Tool

NOTHING_ASKED = "No call was asked about or refused by the gate so far.\n"


async def _perform(call: MagicCall) -> None:
    policy = call.rooms.policy
    match read_gate_line(call.arguments):
        case Explain() as order:
            _explain(order, call)
            return
        case Add(rule):
            policy.add(rule)
            _warn_of_no_effect(rule, call)
        case Remove(number):
            _remove(number, call.rooms)
        case SetMode(mode):
            policy.set_mode(mode)
        case Forget():
            call.rooms.toolbox.questions.forget()
        case Show():
            pass
    _show(call)


def _show(call: MagicCall) -> None:
    rooms, outputs = call.rooms, call.run.outputs
    outputs.write(f"Mode: {rooms.policy.mode} ({rooms.policy.mode_origin}).\n")
    outputs.display(rule_table(rooms.policy.rules))
    if grants := rooms.toolbox.questions.grants.of(rooms.briefing.principal):
        outputs.display(grant_table(grants))


def _warn_of_no_effect(rule: Rule, call: MagicCall) -> None:
    rooms = call.rooms
    tools = rooms.toolbox.catalog(rooms.briefing.principal).registered
    doubt = doubt_about(rule, tools)
    if doubt is not None:
        call.run.outputs.warn(doubt)


def _remove(number: int, rooms: Rooms) -> None:
    try:
        rooms.policy.remove(number)
    except IndexError:
        raise MagicError(f"There is no rule {number}; %gate shows them.") from None


def _explain(order: Explain, call: MagicCall) -> None:
    rooms = call.rooms
    explanation = _explanation(order, rooms)
    if explanation is None:
        call.run.outputs.write(NOTHING_ASKED)
        return
    mode = f"{rooms.policy.mode} ({rooms.policy.mode_origin})"
    call.run.outputs.display(explanation_table(explanation, rooms.policy.rules, mode))


def _explanation(order: Explain, rooms: Rooms) -> Explanation | None:
    if order.tool is None:
        lately = rooms.toolbox.questions.lately(rooms.briefing.principal)
        return lately[-1] if lately else None
    tool = _named(order.tool, rooms)
    try:
        return rooms.toolbox.explain(tool, order.arguments, rooms.briefing.principal)
    except ToolError as error:
        raise MagicError(f"The gate is not reached: {error}") from None


def _named(name: str, rooms: Rooms) -> Tool:
    for tool in rooms.toolbox.catalog(rooms.briefing.principal).registered:
        if name in (tool.identifier, tool.raw_name):
            return tool
    raise MagicError(f"There is no tool {name}.")


MAGIC = Magic(
    "%gate",
    USAGE,
    "Show what tool calls may do, change it, or say why a call was asked about or refused.",
    _perform,
)

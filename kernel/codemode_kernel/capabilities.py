"""Every capability of a session as `%status` tells it: active, off, or unavailable and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from codemode_host.handshake import CONTENT_STREAM, STORED_VALUES, YIELD_OBSERVATION

from codemode_kernel.errors import HostUnavailable, NotOffered

if TYPE_CHECKING:
    from codemode_kernel.rooms import Rooms

_NOT_OFFERED = "the host in use does not offer it"

_OFFERED_BY_HOSTS = (
    (CONTENT_STREAM, "live output", "items are shown as a cell emits them"),
    (YIELD_OBSERVATION, "held deadlines", "time stands still while you are being asked"),
    (STORED_VALUES, "stored values", "%store lists and deletes them"),
)
"""A capability of protocol V1, what `%status` calls it, what it is."""


class State(StrEnum):
    """Whether a capability can be used."""

    ACTIVE = "active"
    OFF = "off"
    """It is there, but not in use: by a setting, or because nothing needed it yet."""
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class Capability:
    """One line of `%status`."""

    name: str
    state: State
    detail: str
    """What it is, or the reason why it is not there."""


async def capabilities(rooms: Rooms, *, takes_input: bool) -> list[Capability]:
    """What the session can do now; `takes_input` is whether the asking client answers questions."""
    return [
        *await _host(rooms),
        *_behaviour(rooms),
        *_gate(rooms, takes_input),
        *_tools(rooms),
        _deferral(rooms),
        _writers(rooms),
        _input(takes_input),
        _extension(rooms),
    ]


async def _host(rooms: Rooms) -> list[Capability]:
    try:
        await rooms.session.start()
    except HostUnavailable as error:
        reason = str(error).split("\n", 1)[0]
        names = ("engine", "hardening", *(name for _, name, _ in _OFFERED_BY_HOSTS))
        return [
            Capability("host", State.UNAVAILABLE, reason),
            *(Capability(name, State.UNAVAILABLE, "no host runs") for name in names),
        ]
    own = not rooms.settings.host_command
    command = "our own" if own else " ".join(rooms.settings.host_command)
    found = [Capability("host", State.ACTIVE, f"{command}, process {rooms.session.host_pid}")]
    found += await _engine(rooms)
    offered = rooms.session.capabilities
    for capability, name, detail in _OFFERED_BY_HOSTS:
        there = capability in offered
        state = State.ACTIVE if there else State.UNAVAILABLE
        found.append(Capability(name, state, detail if there else _NOT_OFFERED))
    return found


async def _engine(rooms: Rooms) -> list[Capability]:
    try:
        description = await rooms.session.describe_host()
    except (NotOffered, HostUnavailable) as error:
        reason = str(error).split("\n", 1)[0]
        return [
            Capability("engine", State.ACTIVE, "unknown: the host does not tell"),
            Capability("hardening", State.UNAVAILABLE, f"unknown: {reason}"),
        ]
    layers = [
        Capability(f"hardening: {layer}", State.ACTIVE, "holds for each cell's process")
        if state == "active"
        else Capability(f"hardening: {layer}", State.UNAVAILABLE, state)
        for layer, state in description.layers.items()
    ]
    return [Capability("engine", State.ACTIVE, description.engine), *layers]


def _behaviour(rooms: Rooms) -> Iterator[Capability]:
    settings = rooms.settings
    yield Capability("profile", State.ACTIVE, str(settings.profile))
    if settings.exit_is_catchable:
        yield Capability("catchable exit", State.ACTIVE, "exit() throws a string")
    else:
        yield Capability("catchable exit", State.OFF, "exit() is final; exit_is_catchable sets it")
    yield Capability(
        "yield",
        State.ACTIVE,
        f"after {settings.exec_yield_time_ms:,} ms, a wait after {settings.wait_yield_time_ms:,} ms",
    )
    yield Capability(
        "output budget", State.ACTIVE, f"{settings.max_output_tokens:,} tokens for a model"
    )
    model = settings.model or "a model like most"
    yield Capability("model facts", State.ACTIVE, f"media as {model} gets them")
    yield _capture(rooms)
    origin = settings.late_output == "origin"
    where = "under its own cell" if origin else 'kept for %wait; late_output="origin" shows it'
    yield Capability("late output in place", State.ACTIVE if origin else State.OFF, where)
    kept = {
        "full": "with arguments and results of tool calls",
        "names": "with the names of the tools called",
        "none": "without tool calls",
    }
    detail = f'saved with each cell, {kept[settings.record_calls]}; record_calls="{settings.record_calls}"'
    yield Capability("records", State.ACTIVE, detail)
    said = "one line after a typical slip" if settings.hints else "hints=False"
    yield Capability("hints", State.ACTIVE if settings.hints else State.OFF, said)


def _capture(rooms: Rooms) -> Capability:
    captures = rooms.captures
    if fault := captures.fault:
        reason = f"the last write below {captures.root} failed: {fault.strerror or fault}"
        return Capability("capture", State.UNAVAILABLE, reason)
    where = f"what is cut is kept in files below {captures.root} until the session ends"
    return Capability("capture", State.ACTIVE, where)


def _gate(rooms: Rooms, takes_input: bool) -> Iterator[Capability]:
    policy = rooms.policy
    counts = Counter(rule.origin for rule in policy.rules)
    rules = ", ".join(f"{count} of {origin}" for origin, count in counts.items())
    state = State.ACTIVE if rules else State.OFF
    yield Capability("gate rules", state, rules or "none; %gate adds some")
    yield Capability("gate mode", State.ACTIVE, f"{policy.mode} ({policy.mode_origin})")
    if takes_input:
        detail = "calls that no rule allows and that are not read-only ask first"
        yield Capability("approvals", State.ACTIVE, detail)
    else:
        detail = "this client takes no input: calls that would ask are refused"
        yield Capability("approvals", State.UNAVAILABLE, detail)


def _tools(rooms: Rooms) -> Iterator[Capability]:
    catalog = rooms.briefing.catalog()
    clashes = f", {len(catalog.clashes)} with a clash of names" if catalog.clashes else ""
    yield Capability("tools", State.ACTIVE, f"{len(catalog.tools)} in `ALL_TOOLS`{clashes}")
    live = len(rooms.shell.shells())
    if live:
        yield Capability("shells", State.ACTIVE, f"{live} live; %cells lists them")
    else:
        yield Capability("shells", State.OFF, "none is live")
    yield _servers(rooms)
    pid = rooms.python.pid
    if pid is None:
        yield Capability("Python", State.OFF, "%%python starts it")
    else:
        yield Capability("Python", State.ACTIVE, f"process {pid}")


def _servers(rooms: Rooms) -> Capability:
    from codemode_kernel.mcp.table import state

    servers = rooms.mcp.servers if rooms.mcp.is_used else None
    if servers is None or not servers.named():
        return Capability("servers", State.OFF, "no MCP server is named; %mcp add does")
    told = ", ".join(f"{one.settings.name} ({state(servers, one)})" for one in servers.named())
    return Capability("servers", State.ACTIVE, f"{told}; %mcp shows more")


def _deferral(rooms: Rooms) -> Capability:
    deferred = len(rooms.briefing.now().left_out)
    state = State.ACTIVE if rooms.settings.deferral else State.OFF
    return Capability("deferral", state, f"{deferred} left out of the prompt; %deferral says why")


def _writers(rooms: Rooms) -> Capability:
    if rooms.settings.shared_kernel:
        return Capability("writers", State.ACTIVE, f"several; you are {rooms.briefing.principal}")
    return Capability("writers", State.OFF, "one; shared_kernel lets several people write")


def _input(takes_input: bool) -> Capability:
    if takes_input:
        return Capability("front end", State.ACTIVE, "takes input; late output is shown")
    return Capability("front end", State.UNAVAILABLE, "takes no input: cells run to their end")


def _extension(rooms: Rooms) -> Capability:
    count = rooms.door.attached_count
    if count:
        pages = f"{count} page{'' if count == 1 else 's'} attached"
        return Capability("extension", State.ACTIVE, f"{pages}; a reload loses no output")
    return Capability("extension", State.OFF, "not attached: a reloaded page lacks late output")

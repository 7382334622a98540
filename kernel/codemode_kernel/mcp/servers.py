"""Keeps the servers of a session in step with the files and options that name them.

Where two name the same server, what the person did in this session comes first, then the option,
then the person's own file, and the file beside the notebook last: a notebook cannot put a server of
its own in place of one that the person knows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from codemode_rules.identifiers import normalise
from toolbridge.mcp.listing import namespace_of, source_id
from toolbridge.mcp.settings import ServerSettings
from toolbridge.sources.mcp import LOOKS_THROUGH_TOOLS, McpSource
from toolbridge.sources.mcp_resources import McpResources

from codemode_kernel.agreements import Agreements
from codemode_kernel.errors import MagicError
from codemode_kernel.mcp.files import ServerFile, option_config
from codemode_kernel.mcp.places import PROJECT_FILE, USER_FILE, Places
from toolbridge import Toolbox


class Origin(StrEnum):
    """Who named a server."""

    SESSION = "%mcp add"
    OPTION = "mcp_servers"
    USER = "your own file"
    PROJECT = "beside the notebook"


@dataclass(frozen=True)
class Named:
    """A server that somebody named."""

    settings: ServerSettings
    origin: Origin
    is_agreed: bool = True
    """False for one that came with a notebook, until the person agrees."""


@dataclass(frozen=True)
class ServerProposal:
    """The servers of one content of the file beside the notebook."""

    digest: str
    names: tuple[str, ...]
    text: str
    """As written, one a line."""


class McpServers:
    """The room that knows all servers of a kernel."""

    def __init__(
        self,
        toolbox: Toolbox,
        places: Places,
        option: Mapping[str, Any],
        *,
        keeps_audio: bool = True,
    ) -> None:
        """Nothing is read before the first `refresh`, and nothing started before a cell needs it.

        `keeps_audio` is for the servers' sources.
        """
        self._toolbox = toolbox
        self._keeps_audio = keeps_audio
        self._workdir = str(places.project.parent)
        self._project = ServerFile(places.project, f"{PROJECT_FILE} beside this notebook")
        self._user = ServerFile(places.user, f"your {USER_FILE}")
        self._option = option_config(option)
        self._agreements = Agreements(places.agreements)
        self._added: dict[str, ServerSettings] = {}
        self._enabled: dict[str, bool] = {}
        """What was said by `%mcp enable` and `disable`."""
        self._declined: set[str] = set()
        self._told: set[str] = set()
        self._sources: dict[str, McpSource] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._resources = McpResources(lambda: tuple(self._sources.values()))
        toolbox.add(self._resources)

    # What there is

    def refresh(self) -> list[str]:
        """Read what has changed and start or end what that means; gives problems that are new."""
        self._keep_in_step(self.named())
        new = [problem for problem in self.problems() if problem not in self._told]
        self._told.update(new)
        return new

    def problems(self) -> list[str]:
        """All that is wrong with files and option now, one sentence each."""
        return [
            *self._option.problems,
            *self._user.read().config.problems,
            *self._project.read().config.problems,
        ]

    def named(self) -> Sequence[Named]:
        """Every server that is named, one of each name, in alphabetical order."""
        found: dict[str, Named] = {}
        for one in self._all_named():
            found.setdefault(one.settings.name, one)
        return [found[name] for name in sorted(found)]

    def source(self, name: str) -> McpSource | None:
        """The source of a server that is in use."""
        return self._sources.get(name)

    def open_proposal(self) -> ServerProposal | None:
        """Servers beside the notebook that the person has not been asked about yet."""
        reading = self._project.read()
        waiting = [one.settings.name for one in self.named() if not one.is_agreed]
        if not waiting or reading.digest in self._declined:
            return None
        return ServerProposal(reading.digest, tuple(waiting), reading.text)

    def settle(self, proposal: ServerProposal, agreed: bool) -> None:
        """The person has answered: a yes holds for good, a no for the life of this kernel."""
        if agreed:
            self._agreements.add(proposal.digest)
            self._keep_in_step(self.named())
        else:
            self._declined.add(proposal.digest)

    def may_be_needed_by(self, code: str) -> bool:
        """Whether the script `code` may call a tool of a server that waits for an answer."""
        proposal = self.open_proposal()
        if proposal is None:
            return False
        names = (normalise(namespace_of(name)) for name in proposal.names)
        return bool(LOOKS_THROUGH_TOOLS.search(code)) or any(name in code for name in names)

    # What a person does

    def add(self, settings: ServerSettings) -> McpSource:
        """Use a server in this session; one that was added before under its name is replaced.

        Raises `MagicError` when a file or an option has the name.
        """
        for one in self.named():
            if one.settings.name == settings.name and one.origin is not Origin.SESSION:
                raise MagicError(f"There is an MCP server {settings.name}: {one.origin.value}.")
        self._enabled.pop(settings.name, None)
        self._added[settings.name] = settings
        self._keep_in_step(self.named())
        return self._sources[settings.name]

    def remove(self, name: str) -> None:
        """Forget a server that was added; one from a file is switched off."""
        one = self.find(name)
        if one.origin is Origin.SESSION:
            del self._added[name]
            self._enabled.pop(name, None)
        else:
            self._enabled[name] = False
        self._keep_in_step(self.named())

    def enable(self, name: str, is_enabled: bool) -> None:
        """Switch a server on or off for this session."""
        one = self.find(name)
        self._enabled[name] = is_enabled
        if is_enabled and not one.is_agreed:
            self._declined.clear()  # who wants it after all is asked again
        self._keep_in_step(self.named())

    def restart(self, name: str) -> McpSource:
        """End a server and begin anew; raises `MagicError` when it is not in use."""
        if name not in self._sources:
            self.find(name)
            raise MagicError(f"MCP server {name} is not in use; %mcp shows why.")
        self._end(name)
        self._keep_in_step(self.named())
        return self._sources[name]

    def find(self, name: str) -> Named:
        """The server of that name; raises `MagicError`."""
        for one in self.named():
            if one.settings.name == name:
                return one
        names = ", ".join(one.settings.name for one in self.named()) or "none"
        raise MagicError(f"There is no MCP server {name}. There are: {names}")

    async def close(self) -> None:
        """Wait for servers that were ended. Those in use are the toolbox's to close."""
        if self._closing:
            await asyncio.wait(self._closing)

    # How it is done

    def _all_named(self) -> Iterator[Named]:
        for settings in self._added.values():
            yield self._named(settings, Origin.SESSION)
        for settings in self._option.servers:
            yield self._named(settings, Origin.OPTION)
        for settings in self._user.read().config.servers:
            yield self._named(settings, Origin.USER)
        reading = self._project.read()
        is_agreed = bool(reading.config.servers) and reading.digest in self._agreements
        for settings in reading.config.servers:
            yield replace(self._named(settings, Origin.PROJECT), is_agreed=is_agreed)

    def _named(self, settings: ServerSettings, origin: Origin) -> Named:
        is_enabled = self._enabled.get(settings.name, settings.enabled)
        return Named(replace(settings, enabled=is_enabled), origin)

    def _keep_in_step(self, named: Sequence[Named]) -> None:
        wanted = {
            one.settings.name: one.settings
            for one in named
            if one.is_agreed and one.settings.enabled
        }
        for name, source in list(self._sources.items()):
            if wanted.get(name) != source.settings:
                self._end(name)
        for name, settings in wanted.items():
            if name not in self._sources:
                self._sources[name] = McpSource(
                    settings, self._workdir, keeps_audio=self._keeps_audio
                )
                self._toolbox.add(self._sources[name])

    def _end(self, name: str) -> None:
        del self._sources[name]
        source = self._toolbox.withdraw(source_id(name))
        closing = asyncio.get_running_loop().create_task(source.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

"""Which servers a session has, when several places name them."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from codemode_kernel.agreements import Agreements
from codemode_kernel.errors import MagicError
from codemode_kernel.mcp.places import Places
from codemode_kernel.mcp.servers import McpServers, Origin
from toolbridge.mcp.settings import ServerSettings, Stdio

from toolbridge import Toolbox


class Folder:
    """A folder with the two files; `servers` makes what reads them."""

    def __init__(self, root: Path) -> None:
        self.project = root / ".mcp.json"
        self.user = root / "user.json"
        self.agreements = root / "data" / "agreed.json"

    def servers(self, **option: Any) -> McpServers:
        places = Places(self.project, self.user, self.agreements)
        return McpServers(Toolbox(), places, option)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def name_in(file: Path, **commands: str) -> None:
    servers = {name: {"command": command} for name, command in commands.items()}
    file.write_text(json.dumps({"mcpServers": servers}))


def found(servers: McpServers) -> dict[str, tuple[str, Origin]]:
    """Command and origin by name."""
    return {
        one.settings.name: (one.settings.transport.words.removeprefix("stdio: "), one.origin)
        for one in servers.named()
    }


def added(name: str) -> ServerSettings:
    return ServerSettings(name, Stdio("by-hand"))


async def test_the_notebooks_file_never_takes_the_place_of_what_the_person_named(
    folder: Folder,
) -> None:
    name_in(folder.project, a="theirs", b="theirs", c="theirs", d="theirs")
    name_in(folder.user, a="mine", b="mine")
    servers = folder.servers(a={"command": "option"})
    servers.refresh()
    assert found(servers) == {
        "a": ("option", Origin.OPTION),
        "b": ("mine", Origin.USER),
        "c": ("theirs", Origin.PROJECT),
        "d": ("theirs", Origin.PROJECT),
    }
    proposal = servers.open_proposal()
    assert proposal is not None
    assert proposal.names == ("c", "d")
    assert servers.source("c") is None
    assert servers.source("b") is not None


async def test_an_agreement_is_about_one_content_and_only_its_person_reads_it(
    folder: Folder,
) -> None:
    name_in(folder.project, c="theirs")
    servers = folder.servers()
    proposal = servers.open_proposal()
    assert proposal is not None
    assert proposal.text == '"c": {"command": "theirs"}'
    servers.settle(proposal, agreed=True)
    assert servers.source("c") is not None
    assert stat.S_IMODE(folder.agreements.stat().st_mode) == 0o600
    assert folder.servers().open_proposal() is None
    name_in(folder.project, c="others")
    servers.refresh()
    assert servers.source("c") is None
    assert servers.open_proposal() is not None
    await servers.close()


async def test_a_no_holds_until_the_person_wants_the_server_after_all(folder: Folder) -> None:
    name_in(folder.project, c="theirs")
    servers = folder.servers()
    proposal = servers.open_proposal()
    assert proposal is not None
    servers.settle(proposal, agreed=False)
    assert servers.open_proposal() is None
    servers.enable("c", True)
    assert servers.open_proposal() == proposal


async def test_a_file_that_changes_is_followed(folder: Folder) -> None:
    servers = folder.servers()
    servers.refresh()
    assert found(servers) == {}
    name_in(folder.user, a="one", b="two")
    servers.refresh()
    first, same = servers.source("a"), servers.source("b")
    name_in(folder.user, a="another", b="two")
    servers.refresh()
    assert servers.source("a") is not first
    assert servers.source("b") is same
    folder.user.unlink()
    servers.refresh()
    assert servers.source("a") is None
    await servers.close()


async def test_a_problem_is_told_once(folder: Folder) -> None:
    folder.user.write_text("[]")
    servers = folder.servers(bad={"command": 1})
    told = servers.refresh()
    assert told == [
        "CodeModeKernel.mcp_servers: mcpServers.bad.command: Expected `str | null`, got `int`",
        "your codemode_mcp.json is not used: it must hold a JSON object",
    ]
    assert servers.refresh() == []
    assert servers.problems() == told


@pytest.mark.parametrize("content", ["1" * 9000, "[" * 100_000, '{"mcpServers": {"a": "\\ud800"}}'])
async def test_a_file_that_python_cannot_take_over_is_a_problem(
    folder: Folder, content: str
) -> None:
    folder.project.write_text(content)
    servers = folder.servers()
    assert len(servers.refresh()) == 1
    assert not servers.named()


async def test_a_named_pipe_in_the_files_place_keeps_nobody_waiting(folder: Folder) -> None:
    os.mkfifo(folder.project)
    servers = folder.servers()
    assert servers.refresh() == [
        ".mcp.json beside this notebook is not used: it is not a regular file"
    ]


async def test_what_was_added_is_replaced_and_removed_and_files_are_switched_off(
    folder: Folder,
) -> None:
    name_in(folder.user, a="mine")
    servers = folder.servers()
    with pytest.raises(MagicError, match="There is an MCP server a: your own file"):
        servers.add(added("a"))
    servers.add(added("x"))
    assert servers.add(added("x")) is servers.source("x")
    servers.remove("x")
    assert "x" not in found(servers)
    servers.remove("a")
    assert servers.source("a") is None
    assert not servers.find("a").settings.enabled
    servers.enable("a", True)
    assert servers.source("a") is not None
    with pytest.raises(MagicError, match=r"There is no MCP server y\. There are: a"):
        servers.find("y")
    await servers.close()


def test_agreements_of_several_kernels_are_all_kept(folder: Folder) -> None:
    agreements = Agreements(folder.agreements)
    agreements.add("a")
    Agreements(folder.agreements).add("b")
    assert "a" in agreements
    assert "b" in agreements
    assert "c" not in agreements


def test_an_agreement_that_cannot_be_kept_holds_in_this_kernel(folder: Folder) -> None:
    folder.agreements.parent.write_text("where a folder should be")
    agreements = Agreements(folder.agreements)
    agreements.add("a")
    assert "a" in agreements
    assert "a" not in Agreements(folder.agreements)

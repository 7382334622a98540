"""A real Python process, one for the tests of a file; every test begins with no names in it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from codemode_kernel.python_child import ChildMessage, PythonChild

from tests.patience import PATIENCE_S
from toolbridge import CallContext, Decision, Gate, JsonValue, Rule, Tool, Toolbox, ToolCall


class Shown:
    """What a cell or a call showed, in order."""

    def __init__(self) -> None:
        self.messages: list[ChildMessage] = []
        self._more = asyncio.Event()

    def __call__(self, message: ChildMessage) -> None:
        self.messages.append(message)
        self._more.set()

    async def printed(self, text: str, stream: str = "stdout") -> None:
        """Wait until `text` was written to a stream."""
        async with asyncio.timeout(PATIENCE_S):
            while text not in self.text(stream):
                self._more.clear()
                await self._more.wait()

    def text(self, stream: str = "stdout") -> str:
        """Everything written to one stream."""
        return "".join(
            message.content["text"]
            for message in self.of_type("stream")
            if message.content["name"] == stream
        )

    def of_type(self, msg_type: str) -> list[ChildMessage]:
        return [message for message in self.messages if message.msg_type == msg_type]


class Notebook:
    """A child with a toolbox around it, as a session has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.child = PythonChild(cwd=str(folder), on_call_output=self._on_call_output)
        self.toolbox = Toolbox()
        self.toolbox.add(self.child.source)
        self.forget()

    def forget(self) -> None:
        """Begin with nothing shown, and with a gate that lets the tools run."""
        self.toolbox.gate = Gate((Rule(Decision.ALLOW, source="python"),))
        self.shown = Shown()
        """What all cells showed."""
        self.call_output: defaultdict[str, Shown] = defaultdict(Shown)
        """What calls showed, by the id of the call."""

    async def run(self, code: str, **options: Any) -> dict[str, Any]:
        return await self.child.run(code, self.shown, **options)

    async def define(self, code: str) -> None:
        """Run a cell that must not fail or complain."""
        reply = await self.run("from toolbridge import tool\n" + code)
        assert reply["status"] == "ok", reply
        assert self.shown.text("stderr") == ""

    async def call(self, name: str, input: JsonValue = None, *, id: str = "tool-1") -> JsonValue:
        """Call a tool as a script of cell 1 does."""
        tool = self.toolbox.catalog().called(name)
        assert tool is not None, f"{name} is not in the catalog"
        return await self.invoke(tool, input, id=id)

    async def invoke(self, tool: Tool, input: JsonValue = None, *, id: str = "tool-1") -> JsonValue:
        """Call a tool of a catalog that may be an old one."""
        call = ToolCall(tool, {} if input is None else input, id=id, cell_id="1")
        return await self.toolbox.invoke(call, CallContext())

    @property
    def pid(self) -> int:
        """The process; there has to be one."""
        assert self.child.pid is not None
        return self.child.pid

    @property
    def tool_names(self) -> list[str]:
        return [tool.name for tool in self.toolbox.catalog().tools]

    def _on_call_output(self, call: ToolCall, message: ChildMessage) -> None:
        self.call_output[call.id](message)


@pytest.fixture(scope="module")
def private_ipython(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No profile or history of the user's, and output of subprocesses captured as in real use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        patch.delenv("PYTEST_CURRENT_TEST", raising=False)
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(
    tmp_path_factory: pytest.TempPathFactory, private_ipython: None
) -> AsyncIterator[Notebook]:
    notebook = Notebook(tmp_path_factory.mktemp("notebook"))
    await notebook.child.start()
    yield notebook
    await notebook.child.close()


@pytest_asyncio.fixture(loop_scope="module")
async def notebook(running: Notebook) -> Notebook:
    """The notebook of the file's tests; they run on its event loop (`loop_scope="module"`)."""
    await running.run("%reset -f")
    running.forget()
    return running

"""Patches that cells of a real session apply, each in a folder of its own."""

import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from codemode_host.wire import TextItem
from codemode_kernel.session.session import Session
from toolbridge.patch.errors import Fault, PatchRefusedError
from toolbridge.sources.apply_patch import ApplyPatchSource

from tests.apply_patch.trees import Tree, grown, plant
from tests.case_session import case_session
from tests.field_cases.run import Shown
from toolbridge import CallContext, Gate, JsonValue, Tool, Toolbox, ToolCall, parse_rules


class PatchSession:
    """One session; the tool gets another folder for each case."""

    def __init__(self, session: Session, toolbox: Toolbox) -> None:
        self._session = session
        self._toolbox = toolbox

    async def run(self, case: dict[str, Any]) -> dict[str, Any]:
        """Apply the patch of one case: `files_after`, and `error`, the kind of a refusal."""
        with tempfile.TemporaryDirectory(prefix="apply-patch-") as name:
            folder = Path(name) / "work"
            folder.mkdir()
            plant(folder, case["files_before"])
            error = await self._apply(case["patch"], folder)
            after: Tree = {"files_after": grown(folder)}
            return after if error is None else after | {"error": error}

    async def _apply(self, patch: str, folder: Path) -> str | None:
        source = NotedPatches(folder)
        self._toolbox.add(source)
        shown = Shown()
        script = f"text(await tools.apply_patch({json.dumps(patch)}))"
        observation = await self._session.run(self._session.new_cell(script), shown)
        await self._toolbox.remove(source.id)
        if observation.error_text is None:
            assert shown.items == [TextItem("{}")], "the tool resolves to an empty object"
            return None
        return source.fault or observation.error_text


@asynccontextmanager
async def patch_session() -> AsyncIterator[PatchSession]:
    toolbox = Toolbox(Gate(parse_rules([{"decision": "allow"}])))
    async with case_session(toolbox) as session:
        yield PatchSession(session, toolbox)


class NotedPatches(ApplyPatchSource):
    """The real source, and why it refused."""

    fault: Fault | None = None

    def admit(self, tool: Tool, arguments: JsonValue) -> Any:
        try:
            return super().admit(tool, arguments)
        except PatchRefusedError as error:
            self.fault = error.fault
            raise

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        try:
            return await super().call(call, admitted, context)
        except PatchRefusedError as error:
            self.fault = error.fault
            raise

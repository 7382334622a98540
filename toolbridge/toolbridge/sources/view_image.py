"""`view_image`: an image file as a value that `image()` shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from codemode_rules.json_fields import FieldReader, optional, text

from toolbridge.argument_fields import read_fields
from toolbridge.calls import CallContext, ToolCall
from toolbridge.errors import ArgumentsRefusedError
from toolbridge.json_values import JsonValue
from toolbridge.python.threads import PythonThreads
from toolbridge.sources.base import Source
from toolbridge.tools import Annotations, Tool

SOURCE_ID = "view_image"

DETAILS = ("auto", "low", "high", "original")

SIDE_BY_SIDE = 4
"""Images that are read at a time; each may take as much memory as it has pixels."""

VIEW_IMAGE = Tool(
    name="view_image",
    source=SOURCE_ID,
    description=(
        "Reads an image file and gives its data URL; pass the result to image() to show it."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Path of the image file."},
            "detail": {
                "type": "string",
                "enum": list(DETAILS),
                "description": "Accepted and without effect: say it to image().",
            },
        },
        "required": ["path"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {"image_url": {"type": "string", "description": "Data URL of the image."}},
        "required": ["image_url"],
        "additionalProperties": False,
    },
    annotations=Annotations(read_only=True),
    inert_arguments=frozenset({"detail"}),
)

_FIELDS: Mapping[str, FieldReader] = {"path": text, "detail": optional(text)}


class ViewImageSource(Source):
    """Reads images; a path that is not absolute is looked for in `workdir`."""

    id = SOURCE_ID
    description = "Images on the disk."

    def __init__(self, workdir: Path | str) -> None:
        self._workdir = Path(workdir)
        self._threads = PythonThreads(max_threads=SIDE_BY_SIDE)

    def tools(self) -> Sequence[Tool]:
        return (VIEW_IMAGE,)

    def admit(self, tool: Tool, arguments: JsonValue) -> Path:
        read = read_fields(arguments, _FIELDS, required="path")
        if read.get("detail", "auto") not in DETAILS:
            raise ArgumentsRefusedError(f"image detail must be one of: {', '.join(DETAILS)}")
        path: str = read["path"]
        if "\0" in path:
            raise ArgumentsRefusedError("view_image failed: `path` holds a NUL character")
        return self._workdir / path

    def present(self, tool: Tool, arguments: JsonValue) -> str:
        return f"look at {self.admit(tool, arguments)}"

    async def call(
        self, call: ToolCall, admitted: Path, context: CallContext
    ) -> dict[str, JsonValue]:
        from toolbridge.image_file import image_url

        return {"image_url": await self._threads.run(partial(image_url, admitted))}

    async def close(self) -> None:
        self._threads.close()

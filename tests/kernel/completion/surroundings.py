"""A session to complete in: tools, stored values and two cells in the background."""

from codemode_kernel.completion.surroundings import Surroundings
from codemode_kernel.session.cells import Cell, Origin
from toolbridge.shell.tools import EXEC_COMMAND, WRITE_STDIN
from toolbridge.tools import Kind, Tool

from toolbridge import Catalog

SEARCH_DOCS = Tool(
    name="search-docs",
    source="docs",
    description="Finds pages.",
    input_schema={
        "type": "object",
        "properties": {
            "mode": {"enum": ["fast", "thorough"], "description": "How hard to look."},
            "query": {"type": "string", "description": "Words to look for."},
            "where": {"$ref": "#/$defs/Place"},
            "filters": {"type": "array", "items": {"$ref": "#/$defs/Filter"}},
            "limit": {"anyOf": [{"const": 10}, {"const": 100}]},
            "exact": {"type": "boolean"},
            "content-type": {"type": "string"},
        },
        "required": ["query"],
        "$defs": {
            "Place": {
                "allOf": [
                    {"type": "object", "properties": {"city": {"type": "string"}}},
                    {"properties": {"radius": {"type": "number"}, "unit": {"enum": ["km", "mi"]}}},
                ]
            },
            "Filter": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "op": {"enum": ["=", "<"]}},
            },
        },
    },
    output_schema={
        "type": "object",
        "properties": {
            "hits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"url": {"type": "string"}, "kind": {"enum": ["page", "file"]}},
                },
            }
        },
    },
)
APPLY_PATCH = Tool(name="apply_patch", source="patch", kind=Kind.FREEFORM)


def running_cell(serial: int) -> Cell:
    cell = Cell(serial, "", origin=Origin(f"In [{serial}]"))
    cell.start(str(serial), str(serial))
    return cell


SURROUNDINGS = Surroundings(
    catalog=Catalog((APPLY_PATCH, EXEC_COMMAND, SEARCH_DOCS, WRITE_STDIN)),
    stored={"greeting": '"hello"', "it's": "[1]"},
    cells=(running_cell(2), running_cell(1)),
    servers=("git", "time"),
)

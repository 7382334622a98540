"""The names that a script can use without declaring them, with what is behind each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from codemode_kernel.completion.exec_globals import HELPERS
from codemode_kernel.completion.schemas import Value
from codemode_kernel.completion.shapes import Shape, standard_globals
from codemode_kernel.completion.surroundings import Surroundings
from codemode_kernel.outputs.shortened import shortened
from toolbridge import Catalog

MAX_PREVIEW = 200
"""Characters of a stored value that are shown."""

_STORED_HERE = re.compile(r"""\bstore\(\s*("(?:[^"\\\n]|\\.)*"|'[^'\\\n"]*')\s*,""")


def known_names(code: str, surroundings: Surroundings) -> Mapping[str, Shape]:
    """By name. The keys of `store` and `load` are those of the session and of the script itself."""
    stored = dict(_stored_by(code)) | {
        key: shortened(value, MAX_PREVIEW) for key, value in surroundings.stored.items()
    }
    keys = {"oneOf": [{"const": key, "description": stored[key]} for key in sorted(stored)]}
    return {
        **standard_globals(),
        "load": replace(HELPERS["load"], parameters=(keys,)),
        "store": replace(HELPERS["store"], parameters=(keys,)),
        "ALL_TOOLS": Value.of(_all_tools(surroundings.catalog)),
    }


def mentions_stored_values(code: str) -> bool:
    """Whether a cell may want to know what is stored."""
    return "load(" in code or "store(" in code or code.startswith("%store")


def _stored_by(code: str) -> Iterator[tuple[str, str]]:
    for found in _STORED_HERE.finditer(code):
        quoted = found[1]
        if quoted[0] == "'":
            yield quoted[1:-1], "Stored in this cell."
            continue
        try:
            yield json.loads(quoted), "Stored in this cell."
        except ValueError:
            continue  # an escape of JavaScript's own


def _all_tools(catalog: Catalog) -> Mapping[str, Any]:
    name = {
        "type": "string",
        "enum": [tool.identifier for tool in catalog.tools],
        "description": "What it is called by: tools.NAME.",
    }
    description = {"type": "string", "description": "What it does, with its declaration."}
    return {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"name": name, "description": description},
            "required": ["name", "description"],
        },
    }

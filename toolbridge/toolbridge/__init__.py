"""Session tools behind one gate.

A `Toolbox` holds sources of tools (`toolbridge.sources`) and a `Gate`. A session asks it for a
`Catalog`, the frozen list of what its writer may call, and passes every call through `invoke`:

    toolbox = Toolbox(Gate(parse_rules([{"decision": "allow", "tool": "add"}])))
    toolbox.register(add)                      # a Python function, sync or async
    toolbox.add(ShellSource(cwd))              # exec_command, write_stdin

    catalog = toolbox.catalog()
    call = ToolCall(catalog.called("add"), {"a": 1, "b": 2}, id="tool-1", cell_id="1")
    await toolbox.invoke(call, CallContext(asker=asker))

`invoke` gives strict JSON or raises `ToolError`, whose text is what the script's promise rejects
with; cancelling its task stops the call. Where a rule says *ask*, the context's `Asker` gets an
`ApprovalRequest` and gives an `Answer`; without an asker the call is refused before any effect.

`tool` marks a function, so that a `%%python` cell or `register` knows its name, schemas and
effects. While it runs it may say how far it is, `progress(3, 10)`, and whether anybody still waits,
`cancelled()`. Errors are in `toolbridge.errors`.
"""

from toolbridge.approvals import Answer, Approval, ApprovalRequest, Asker
from toolbridge.call_hooks import cancelled, progress
from toolbridge.calls import CallContext, CallEvent, CallState, Progress, ToolCall
from toolbridge.catalog import Catalog, Clash
from toolbridge.decorator import ToolOptions, tool
from toolbridge.errors import NobodyThereError, Outcome, ToolError
from toolbridge.gate import Decision, Gate, Rule, Verdict
from toolbridge.inquiries import Inquiry, Reply, ReplyAction
from toolbridge.json_values import JsonValue
from toolbridge.rule_config import parse_rules
from toolbridge.sources.base import Source
from toolbridge.toolbox import Toolbox
from toolbridge.tools import Annotations, Exposure, Kind, Tool

__all__ = [
    "Annotations",
    "Answer",
    "Approval",
    "ApprovalRequest",
    "Asker",
    "CallContext",
    "CallEvent",
    "CallState",
    "Catalog",
    "Clash",
    "Decision",
    "Exposure",
    "Gate",
    "Inquiry",
    "JsonValue",
    "Kind",
    "NobodyThereError",
    "Outcome",
    "Progress",
    "Reply",
    "ReplyAction",
    "Rule",
    "Source",
    "Tool",
    "ToolCall",
    "ToolError",
    "ToolOptions",
    "Toolbox",
    "Verdict",
    "cancelled",
    "parse_rules",
    "progress",
    "tool",
]

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

from toolbridge.calls import CallContext, CallEvent, CallState, Progress, ToolCall
from toolbridge.catalog import Catalog, Clash
from toolbridge.errors import NobodyThereError, Outcome, ToolError
from toolbridge.gate.approvals import Answer, Approval, ApprovalRequest, Asker
from toolbridge.gate.explanations import Explanation
from toolbridge.gate.gate import Decision, Gate, GateMode, Rule, Verdict
from toolbridge.gate.grants import Grant
from toolbridge.gate.hooks import CallIdentity, Hooks
from toolbridge.gate.inquiries import Inquiry, Reply, ReplyAction
from toolbridge.gate.rule_config import parse_rules
from toolbridge.json_values import JsonValue
from toolbridge.python.call_hooks import cancelled, progress
from toolbridge.python.decorator import ToolOptions, tool
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
    "CallIdentity",
    "CallState",
    "Catalog",
    "Clash",
    "Decision",
    "Explanation",
    "Exposure",
    "Gate",
    "GateMode",
    "Grant",
    "Hooks",
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

"""`%call`: one call of a tool as a model makes it, by itself and through the same gate."""

from __future__ import annotations

from collections.abc import Sequence

from codemode_host.wire import ContentItem
from toolbridge.json_values import NotJsonError
from toolbridge.masking import without_secrets
from toolbridge.secret_values import SecretValues

from codemode_kernel.errors import MagicError, ShownError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.model_view.direct_results import direct_items, is_failure
from codemode_kernel.model_view.model_view import ModelView
from codemode_kernel.outputs.bundles import quiet_bundle
from codemode_kernel.outputs.traceback import plain_error
from codemode_kernel.session.observation import Status
from codemode_kernel.tool_names import tool_named
from codemode_kernel.typed_json import read_typed_json
from toolbridge import CallContext, Exposure, JsonValue, Kind, Tool, ToolCall, ToolError

USAGE = "%call TOOL JSON, or %call TOOL TEXT for a tool that takes text"

CELL_TOOLS = {
    "exec": "exec is what every cell is: write the script as a cell of its own.",
    "wait": "The model's wait is a cell of its own: %wait followed by the JSON.",
}


async def _perform(call: MagicCall) -> None:
    name, _, first_line = call.arguments.partition(" ")
    if not name:
        raise MagicError(f"Name a tool. Usage: {USAGE}")
    if name in CELL_TOOLS:
        raise MagicError(CELL_TOOLS[name])
    await call.look_through_tools(name)
    tool = tool_named(call.rooms.briefing.catalog(), name)
    if tool.exposure is Exposure.MODEL_ONLY:
        raise MagicError(f"{tool.identifier} is for a model to ask you something.")
    text = f"{first_line}\n{call.body}" if first_line and call.body else first_line or call.body
    value = _input(tool, text)
    secrets = SecretValues.of(value, tool.input_secrets)
    result = await _call(call, tool, value, secrets)
    items = direct_items(_without_secrets(result, tool, secrets))
    call.run.outputs.take(items)
    if notice := _cut_notice(items):
        call.run.outputs.display(quiet_bundle(notice))
    if is_failure(result):
        raise MagicError(f"{tool.identifier} says that this is an error.")


def _without_secrets(result: JsonValue, tool: Tool, secrets: SecretValues) -> JsonValue:
    """What a notebook may be saved with; `secrets` are those of the arguments."""
    secrets |= SecretValues.of(result, tool.output_secrets)
    return secrets.left_out_of_all(without_secrets(result, tool.output_secrets))


def _cut_notice(items: Sequence[ContentItem]) -> str:
    """What a person has to know of the model's view; empty: it gets all of it."""
    view = ModelView()
    for item in items:
        view.add(item)
    view.finish(Status.COMPLETED, "", 0.0)
    if not view.size.truncated:
        return ""
    return f"A model gets {view.size.shown:,} of {view.size.emitted:,} tokens of it."


def _input(tool: Tool, text: str) -> JsonValue:
    """A text goes in as it is, an object is read; none at all is none."""
    if tool.kind is Kind.FREEFORM:
        return text
    if not text.strip():
        return None
    try:
        return read_typed_json(text)
    except NotJsonError as error:
        raise MagicError(f"The arguments of {tool.identifier} are no JSON: {error}.") from None


async def _call(call: MagicCall, tool: Tool, value: JsonValue, secrets: SecretValues) -> JsonValue:
    """Make the call; no text shows its `secrets`.

    Raises `ShownError` with the tool's words, or when it was stopped.
    """
    rooms, run = call.rooms, call.run
    direct = ToolCall(tool, value, id=f"call-{run.execution_count}")
    context = CallContext(
        principal=rooms.briefing.principal,
        asker=rooms.askers.of(run),
        warn=lambda text: run.outputs.warn(secrets.left_out_of(text)),
    )
    rooms.briefing.begin()
    rooms.counts.add(tool)
    rooms.runs.calling[direct.id] = run.outputs
    try:
        return await call.until_stopped(
            rooms.toolbox.invoke(direct, context), "The call was stopped."
        )
    except ToolError as error:
        shown = secrets.left_out_of(str(error))
        raise ShownError(plain_error("ToolError", shown)) from None
    finally:
        rooms.runs.calling.pop(direct.id, None)


MAGIC = Magic(
    "%call",
    USAGE,
    "Call a tool as a model calls it, through the gate, and show what the model would get.",
    _perform,
)

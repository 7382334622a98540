"""A session as a model calls it: `exec` with raw source, `wait` with JSON.

Both give the outputs of a provider's request: the result first, then each notification as one of
its own. What is refused before anything ran is a bare string (model view 2).
"""

from __future__ import annotations

from codemode_rules.errors import PragmaError, WaitArgumentsError
from codemode_rules.pragma import parse_exec_source
from codemode_rules.wait_arguments import parse_wait_arguments

from codemode_kernel.errors import SessionError
from codemode_kernel.model_view.model_view import prompt_text
from codemode_kernel.session.observation import ModelOutput, Observation, Sink
from codemode_kernel.session.session import Session
from toolbridge import Asker


async def exec_text(
    session: Session,
    source: str,
    *,
    tool_call_id: str | None = None,
    asker: Asker | None = None,
    sink: Sink | None = None,
) -> list[ModelOutput]:
    """The `exec` tool: raw source with or without a pragma."""
    try:
        parsed = parse_exec_source(source)
        observation = await session.run(
            session.new_cell(parsed.code, tool_call_id=tool_call_id, asker=asker),
            sink,
            yield_time_ms=parsed.yield_time_ms,
            max_output_tokens=parsed.max_output_tokens,
        )
    except PragmaError as error:
        return [prompt_text(str(error))]
    except SessionError as error:
        return [prompt_text(error.model_text)]
    return _outputs(observation)


async def wait_json(
    session: Session, arguments: str, *, sink: Sink | None = None
) -> list[ModelOutput]:
    """The `wait` tool: its arguments as JSON text."""
    try:
        parsed = parse_wait_arguments(arguments)
        observation = await session.wait(
            parsed.cell_id,
            sink,
            yield_time_ms=parsed.yield_time_ms,
            max_tokens=parsed.max_tokens,
            terminate=parsed.terminate,
        )
    except WaitArgumentsError as error:
        return [prompt_text(str(error))]
    except SessionError as error:
        return [prompt_text(error.model_text)]
    return _outputs(observation)


def _outputs(observation: Observation) -> list[ModelOutput]:
    notes = [note.text for note in observation.notifications]
    return [observation.output, *notes]

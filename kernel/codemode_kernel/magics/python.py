"""`%%python`: a person's own Python; functions marked with `toolbridge.tool` become tools."""

from __future__ import annotations

from codemode_kernel.errors import MagicError, ShownError
from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.outputs.traceback import ErrorView
from codemode_kernel.python_child.errors import PythonChildError


async def _perform(call: MagicCall) -> None:
    if call.arguments:
        raise MagicError("%%python takes no arguments; the code stands below it.")
    python, outputs = call.rooms.python, call.run.outputs
    request = outputs.publisher.request

    async def on_input(prompt: str, password: bool) -> str:
        outputs.flush()
        return await call.rooms.stdin.ask(request, prompt, password=password)

    clashes = _clashes(call)
    call.button.on_press(python.interrupt)
    try:
        reply = await python.run(
            _numbered_as_in_the_notebook(call.body),
            lambda message: outputs.relay(message.msg_type, message.content),
            execution_count=call.run.execution_count,
            on_input=on_input if request.allow_stdin else None,
        )
    except PythonChildError as error:
        raise MagicError(str(error)) from None
    for text in _clashes(call):
        if text not in clashes:
            outputs.warn(text)
    if reply["status"] != "ok":
        view = ErrorView(reply["ename"], reply["evalue"], reply["traceback"])
        raise ShownError(view, published=True)


def _clashes(call: MagicCall) -> list[str]:
    """What to say of tools that did not get their names."""
    return [
        clash.message for clash in call.rooms.toolbox.catalog(call.rooms.briefing.principal).clashes
    ]


def _numbered_as_in_the_notebook(body: str) -> str:
    """The body under a line that stands for the magic's, so that tracebacks count from there.

    IPython's own cell magics (`%%time`) have to come first, or they are none.
    """
    return body if body.startswith("%%") else f"# %%python\n{body}"


MAGIC = Magic(
    "%%python",
    "%%python, with Python below it",
    "Run Python in a process of its own; functions marked with @tool become session tools.",
    _perform,
)

"""`%%python` cells: a person's own Python, in a process of its own.

A `PythonChild` is one session's Python. Its process is an ipykernel, so outputs, tracebacks and
interrupts are what people know; it starts with the first cell that needs it (or `start`) and ends
with `restart`, `close` or the kernel, however the kernel ends. Functions that its cells decorate
with `toolbridge.tool` are session tools from the end of that cell on: the child's `source` goes
into the session's toolbox once, and follows whatever process is running.

    child = PythonChild(cwd=notebook_folder, on_call_output=on_call_output)
    toolbox.add(child.source)

    reply = await child.run(code, on_message, execution_count=5, on_input=ask)
    child.interrupt()          # Stop: KeyboardInterrupt in the running cell; True if one runs.
                               # A cell that still runs two seconds later loses its process to the
                               # next one, and says so before
    await child.restart()      # %reset: process, variables and tools gone; the next cell starts anew
    await child.close()        # shutdown: the same, for good

`run` gives the content of the `execute_reply` (`status` is "ok" or "error" with `ename`, `evalue`
and `traceback`) and hands every output to `on_message(message)` as it comes: a `ChildMessage` with
`msg_type` (`stream`, `display_data`, `update_display_data`, `execute_result`, `error`,
`clear_output`), `content` and `metadata` as in Jupyter's protocol. Threads that a cell has started
may print after its `run` is over; their output still goes to that cell's `on_message`.

`execution_count` is the notebook's number of the cell: tracebacks and results of the child use it.
Their line numbers are those of `code`, so the magic's own line goes in as a comment (IPython drops
empty lines before the code).
`on_input(prompt, password)` is awaited for the line a person typed when the cell calls `input()`;
without it, `input()` raises `StdinNotImplementedError` in the cell. An `on_input` that raises
interrupts the cell. Cancelling `run` interrupts the cell too.

What a tool prints or displays while a script calls it goes to `on_call_output(call, message)`, with
the `ToolCall` whose cell is to show it; it may come after the call was cancelled. What its
subprocesses and bare threads write is not told apart and goes to the latest `%%python` cell.

`run` raises `PythonStartError` when the process cannot be started and `PythonDiedError` when it
ends while the cell runs; the next `run` starts a new one. Cells of one child run one at a time, in
the order of the calls. Tool calls do not wait for them.
"""

from toolbridge.child.output import ChildMessage

from codemode_kernel.python_child.child import PythonChild
from codemode_kernel.python_child.errors import (
    PythonChildError,
    PythonDiedError,
    PythonStartError,
)

__all__ = [
    "ChildMessage",
    "PythonChild",
    "PythonChildError",
    "PythonDiedError",
    "PythonStartError",
]

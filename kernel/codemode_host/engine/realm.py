"""One JavaScript world for one cell: a QuickJS context with the prelude in it.

Everything that is QuickJS's own is in this module. The rules that keep the bridge sound
(`prelude.js` has the other half):

- a string reaches Python only as the direct result of `JSON.stringify`: the binding cannot
  convert ropes, cuts strings at NUL and fails on lone surrogates;
- a Python callable never raises and never calls back into the context;
- the functions that Python calls are handed over before the cell's code runs, and catch
  everything themselves.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol

import quickjs

HEAP_BYTES = 256 * 1024 * 1024
STACK_BYTES = 4 * 1024 * 1024

HIDDEN_LINES = 20_000
"""The prelude starts behind so many lines: a stack frame beyond them is not the cell's."""

_PRELUDE = Path(__file__).with_name("prelude.js").read_text("utf-8")
_UNRESOLVED = re.compile(r"ReferenceError: could not load module '(.*)'\n")


class Effects(Protocol):
    """What a cell can do to the world; strings are JSON texts, a returned one is an error."""

    def emitText(self, text: str | None) -> str | None: ...
    def callTool(self, number: int, tool: int, argument: str | None) -> str | None: ...
    def startTimer(self, number: int, delay_ms: float) -> None: ...
    def yieldControl(self) -> None: ...
    def exit(self) -> None: ...
    def finish(self, error: str | None) -> None: ...


class Realm:
    """A context that is ready for one cell."""

    def __init__(self, effects: Effects) -> None:
        self._context = context = quickjs.Context()
        context.set_memory_limit(HEAP_BYTES)
        context.set_max_stack_size(STACK_BYTES)
        context.eval("globalThis.host = { __proto__: null }; 0")
        for name in ("emitText", "callTool", "startTimer", "yieldControl", "exit", "finish"):
            self._expose(name, getattr(effects, name))
        self._expose("control", self._take_controls)
        context.eval(
            "\n" * HIDDEN_LINES
            + f"{{ const prelude = {_PRELUDE}; prelude(host); delete globalThis.host; }}"
        )

    def _expose(self, name: str, function: Any) -> None:
        self._context.add_callable("call", function)
        self._context.eval(f"host.{name} = globalThis.call; delete globalThis.call; 0")

    def _take_controls(self, *controls: Any) -> None:
        self.begin, self._watch, self.look, self.resolve, self.fire = controls

    def run(self, source: str) -> str | None:
        """Start the cell; the error text when it does not compile."""
        try:
            promise = self._context.module(source.replace("\0", "\\x00"))
        except quickjs.JSException as error:
            return str(error).partition("\n")[0]
        self._watch(promise)
        return None

    def pump(self) -> None:
        """Run every microtask."""
        pending = True
        while pending:
            try:
                pending = self._context.execute_pending_job()
            except quickjs.JSException:
                pending = True

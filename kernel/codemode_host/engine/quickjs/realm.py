"""One JavaScript world for one cell: a QuickJS context with the prelude in it.

Everything that is QuickJS's own is in this module. The rules that keep the bridge sound
(`prelude/intrinsics.js` has the other half):

- a string reaches Python only as the direct result of `JSON.stringify`;
- a Python callable never raises and never calls back into the context;
- the functions that Python calls are handed over before the cell's code runs, and catch
  everything themselves.
"""

from __future__ import annotations

import os
import re
from _random import Random  # `random` itself imports much more
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import _quickjs  # `quickjs` itself starts a thread pool, and a zygote must have one thread

from codemode_host.engine.errors import RealmError
from codemode_host.engine.quickjs.imports import first_specifier, without_dynamic_imports

HEAP_BYTES = 256 * 1024 * 1024
"""Limit of a cell's JavaScript heap; the cell can catch the error of going over it."""

FULL = 0.9
"""Share of the heap from which on small things may find no room."""

STACK_BYTES = 20 * 1024 * 1024
"""Limit of the JavaScript stack, some 12,000 plain calls; V8 takes 10,000."""

HIDDEN_LINES = 20_000
"""The prelude starts behind so many lines: a frame of a later line is not the cell's."""

SEED_BYTES = 32
"""Of the generator behind `Math.random`, a Mersenne Twister."""

OUT_OF_MEMORY = "InternalError: out of memory"

_FRAGMENTS = (
    "intrinsics", "wording", "stacks", "values", "media", "settled", "effects", "locale", "globals", "course",
)  # fmt: skip
_UNRESOLVED = re.compile(r"ReferenceError: could not load module '(.*?)'\n")


def _read_prelude() -> str:
    folder = Path(__file__).with_name("prelude")
    fragments = (folder.joinpath(f"{name}.js").read_text("utf-8") for name in _FRAGMENTS)
    return '(function (host, hiddenLines) { "use strict";\n' + "".join(fragments) + "})"


_PRELUDE = _read_prelude()


class Realm:
    """A context that is ready for one cell.

    `stack_bytes` bounds its stack, `lines` is the number of lines its frames may have. `effects`
    are the host functions by the name the prelude knows them by. They take JSON texts
    (None where the engine had no memory for one) and give back None or a JSON text.
    """

    def __init__(
        self, effects: Mapping[str, Callable[..., Any]], stack_bytes: int, lines: int
    ) -> None:
        self._context = _quickjs.Context()
        self._context.set_memory_limit(HEAP_BYTES)
        self._context.set_max_stack_size(stack_bytes)
        self._hidden_lines = max(HIDDEN_LINES, lines)
        self._random: Random | None = None
        self._install_prelude(
            {**effects, "random": self._draw, "takeControls": self._take_controls}
        )

    def _install_prelude(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        context = self._context
        context.eval("globalThis.host = { __proto__: null }; 0")
        for name, function in functions.items():
            context.add_callable("hostFunction", function)
            context.eval(f"host.{name} = hostFunction; 0")
        context.eval(
            "\n" * self._hidden_lines
            + "{ const { host } = globalThis; delete globalThis.host; delete globalThis.hostFunction;"
            + f" {_PRELUDE}(host, {self._hidden_lines}); }}"
        )

    def _take_controls(self, *controls: Any) -> None:
        (
            self._install,
            self._watch,
            self._look,
            self._settle_call,
            self._fire_timer,
        ) = controls

    def limit_heap(self, limit_bytes: int) -> None:
        """Have less memory from now on than `HEAP_BYTES`."""
        self._context.set_memory_limit(max(1, limit_bytes))  # 0 is no limit to the engine

    def _draw(self) -> float:
        """`Math.random`, from a sequence that no other process has: seeded when it is first used."""
        if self._random is None:
            self._random = Random(int.from_bytes(os.urandom(SEED_BYTES), "little"))
        return self._random.random()

    def install(self, catalog: str, exit_is_catchable: bool) -> None:
        """Put the helpers and the tools of `catalog`, START's list as JSON, on the global object."""
        _guarded(self._install, catalog, exit_is_catchable)

    def look(self) -> None:
        """Finish the cell if its module has settled."""
        _guarded(self._look)

    def settle_call(self, number: int, ok: bool, value: str) -> None:
        """Resolve or reject a tool call's promise with the JSON text `value`."""
        _guarded(self._settle_call, number, ok, value)

    def fire_timer(self, number: int) -> None:
        """Run a timer's callback; an exception in it finishes the cell."""
        _guarded(self._fire_timer, number)

    def run(self, source: str) -> str | None:
        """Start the cell's module; the error text where it cannot be compiled or linked.

        A NUL is written as an escape, which means the same inside strings and is an error
        elsewhere: the binding would take it for the end.
        """
        module = without_dynamic_imports(source).replace("\0", "\\x00")
        try:
            promise = self._context.module(module.encode("utf-8", "replace").decode())
        except _quickjs.JSException as error:
            return _compile_error(f"{error}\n", source)
        self._promise = promise
        _guarded(self._watch, promise)
        return None

    def look_for_a_lost_end(self) -> None:
        """To be called when nothing is left to wait for; raises `RealmError` if the heap is full.

        The engine drops what it has no memory to queue: a reaction to the module's end, which a
        second look finds, or the rest of an async function, which then never ends.
        """
        _guarded(self._watch, self._promise)
        self.pump()
        self.look()
        memory = self._context.memory()
        if memory["malloc_size"] > memory["malloc_limit"] * FULL:
            raise RealmError(OUT_OF_MEMORY)

    def rehearse(self) -> None:
        """Compile and run a module that does nothing."""
        self._context.module("await 0")
        self.pump()

    def pump(self, after_each: Callable[[], None] = lambda: None) -> None:
        """Run microtasks until there is none."""
        while self._run_microtask():
            after_each()

    def _run_microtask(self) -> bool:
        try:
            return bool(self._context.execute_pending_job())
        except _quickjs.JSException as error:
            if str(error).startswith((OUT_OF_MEMORY, "null")):
                raise RealmError(OUT_OF_MEMORY) from error
            return True  # a finalization callback threw; the reference ignores that


def _guarded(control: Any, *arguments: Any) -> None:
    """Call a control; they catch what a cell throws, so only the engine itself can fail here."""
    try:
        control(*arguments)
    except _quickjs.JSException as error:
        text = str(error).rstrip()
        # Where there is no memory even for the error, the engine throws null.
        raise RealmError(OUT_OF_MEMORY if text == "null" else text) from error


def _compile_error(error: str, source: str) -> str:
    """The reference's text: no position, and its own words for an import (measured fact 23)."""
    if found := _UNRESOLVED.match(error):
        return f"Unsupported import in exec: {first_specifier(source) or found[1]}"
    return error.partition("\n")[0]

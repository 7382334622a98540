"""Names that are not defined: other worlds' globals, other cells' variables, tools called bare."""

from __future__ import annotations

from difflib import get_close_matches

from codemode_kernel.completion.exec_globals import HELPERS
from codemode_kernel.hints.facts import Facts

_SHOW = "`text(value)` shows a value"
_NO_NODE = "nothing of Node is there: files and programs are reached by `tools.exec_command`"
_NO_BROWSER = "there is no page: `text`, `image` and `notify` show something"
_NO_NETWORK = 'there is no network: `tools.exec_command({cmd: "curl ..."})` has one'
_PAUSE = "`await new Promise(done => setTimeout(done, ms))` pauses"

INSTEAD = {
    "console": _SHOW,
    "print": _SHOW,
    "display": _SHOW,
    "log": _SHOW,
    "require": _NO_NODE,
    "process": _NO_NODE,
    "module": _NO_NODE,
    "exports": _NO_NODE,
    "fs": _NO_NODE,
    "path": _NO_NODE,
    "os": _NO_NODE,
    "child_process": _NO_NODE,
    "__dirname": _NO_NODE,
    "__filename": _NO_NODE,
    "Buffer": _NO_NODE,
    "Deno": _NO_NODE,
    "Bun": _NO_NODE,
    "setImmediate": _NO_NODE,
    "fetch": _NO_NETWORK,
    "XMLHttpRequest": _NO_NETWORK,
    "WebSocket": _NO_NETWORK,
    "Request": _NO_NETWORK,
    "Headers": _NO_NETWORK,
    "window": _NO_BROWSER,
    "document": _NO_BROWSER,
    "alert": _NO_BROWSER,
    "localStorage": "`store(key, value)` and `load(key)` keep values",
    "sleep": _PAUSE,
    "delay": _PAUSE,
    "wait": _PAUSE,
    "setInterval": f"a loop with a pause does it; {_PAUSE}",
    "clearInterval": "`setTimeout` and `clearTimeout` are there",
    "queueMicrotask": "`Promise.resolve().then(callback)` does it",
    "AbortController": "`Promise.race` with a timer gives up on a call",
    "structuredClone": "`JSON.parse(JSON.stringify(value))` copies a JSON value",
    "TextEncoder": 'a text\'s size in bytes is `encodeURIComponent(s).replace(/%../g, "x").length`',
    "TextDecoder": "strings are text already; `decodeURIComponent(escape(bytes))` decodes UTF-8",
    "crypto": "`Math.random()` is there; for hashes and ids `tools.exec_command` has programs",
    "btoa": "there is no base64 of strings; `tools.exec_command` has `base64`",
    "atob": "there is no base64 of strings; `tools.exec_command` has `base64`",
    "performance": "`Date.now()` tells the time in milliseconds",
    "URL": "`encodeURIComponent` and `decodeURIComponent` are there",
    "URLSearchParams": "`encodeURIComponent` and `decodeURIComponent` are there",
    "Blob": "media are data URLs: `image(url)`, `audio(url)`",
    "Intl": "`toFixed`, `padStart` and `toISOString` format numbers and dates",
    "exec": "a cell is one exec already: write its script as it is",
    "yield_time_ms": 'a first line `// @exec: {"yield_time_ms": 500}` sets it',
}
"""What to use instead of a global that other worlds have."""


def bare_tool(facts: Facts) -> str | None:
    """A tool that was called without `tools.`."""
    name = facts.missing_name
    if name is not None and facts.catalog.called(name):
        return f"`{name}` is a tool: write `await tools.{name}(...)`."
    return None


def missing_global(facts: Facts) -> str | None:
    """A global of Node, of browsers or of another tool."""
    name = facts.missing_name
    if name is None or name not in INSTEAD or facts.declared_earlier(name):
        return None
    return f"A cell has no `{name}`: {INSTEAD[name]}.{_already_done(facts)}"


def name_of_earlier_cell(facts: Facts) -> str | None:
    """A variable of an earlier cell."""
    name = facts.missing_name
    declaration = facts.declared_earlier(name) if name is not None else None
    if declaration is None:
        return None
    said = f"`{name}` was declared in {declaration.label}, and cells share no variables"
    if declaration.callable:
        return f"{said}: copy it here (`store` keeps JSON values only)."
    return f'{said}: `store("{name}", {name})` there and `load("{name}")` here keep it.'


def shell_variable(facts: Facts) -> str | None:
    """`${NAME}` meant for a shell, in a template that JavaScript fills in first."""
    name = facts.missing_name
    if name is None:
        return None
    script = facts.script
    for substitution in script.nodes("template_substitution"):
        if script.text(substitution) == f"${{{name}}}":
            return f"JavaScript fills in `${{{name}}}` itself: the shell gets `\\${{{name}}}` or `${name}`."
    return None


def unknown_name(facts: Facts) -> str | None:
    """Any other name: most often one that somebody believes to be still there."""
    name = facts.missing_name
    if name is None or name in facts.script.declared_names():
        return None
    known = [*HELPERS, *facts.script.declared_names()]
    near = get_close_matches(name, known, n=1, cutoff=0.7)
    or_this = f": did you mean `{near[0]}`? Cells" if near else "; cells"
    return f"Nothing in this cell declares `{name}`{or_this} share only what `store` keeps."


def _already_done(facts: Facts) -> str:
    """Effects of calls stay, though the script has failed."""
    count = facts.calls.returned.total()
    if not count:
        return ""
    calls = f"The {count} tool calls" if count > 1 else "The tool call"
    return f" {calls} before it did run."

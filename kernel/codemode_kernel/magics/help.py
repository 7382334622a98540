"""`%help`: what can be written in a cell."""

from __future__ import annotations

import re
from textwrap import fill

from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.notebook.source import WAIT_USAGE

INTRODUCTION = """\
A cell is an exec cell: a JavaScript module with top-level await, run in a process
of its own. It shows what it is told to show; only stored values last beyond it.

  text(value)  image(url)  audio(url)      show something
  notify(text)                             show a notification
  store(key, value)  load(key)             keep JSON values across cells
  await tools.NAME({...})  ALL_TOOLS       call tools, list them
  yield_control()                          go on in the background
  setTimeout(fn, ms)  clearTimeout(id)     timers
  exit()                                   end the cell

A first line such as  // @exec: {"yield_time_ms": 500, "max_output_tokens": 2000}
sets when the cell gives the notebook back and how much of its output a model would get.

A cell that starts with % is a magic:
"""


WIDTH = 88
"""Characters in a line: notebooks break a longer one anywhere, also within a word."""

_OPTION = re.compile(r"\[[^\]]*\]")
_HARD_SPACE = "\u00a0"


async def _perform(call: MagicCall) -> str:
    from codemode_kernel.magics import MAGICS

    wait = (WAIT_USAGE, "Collect the output of a cell that runs in the background.")
    entries = [wait, *((magic.usage, magic.summary) for magic in MAGICS.values())]
    lines = (f"{_forms(usage)}\n{_wrapped(summary, 6, 6)}" for usage, summary in entries)
    return INTRODUCTION + "\n" + "\n".join(lines) + "\n"


def _forms(usage: str) -> str:
    """Each way to write a magic on a line of its own, options in one piece."""
    whole = _OPTION.sub(lambda option: option[0].replace(" ", _HARD_SPACE), usage)
    forms = whole.replace(", %", "\n%").split("\n")
    return "\n".join(_wrapped(form, 2, 10) for form in forms).replace(_HARD_SPACE, " ")


def _wrapped(text: str, first: int, others: int) -> str:
    return fill(
        text,
        WIDTH,
        initial_indent=" " * first,
        subsequent_indent=" " * others,
        break_long_words=False,
        break_on_hyphens=False,
    )


MAGIC = Magic("%help", "%help", "Show this text.", _perform)

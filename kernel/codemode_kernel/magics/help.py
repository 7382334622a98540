"""`%help`: what can be written in a cell."""

from __future__ import annotations

from codemode_kernel.magics.magic import Magic, MagicCall
from codemode_kernel.source import WAIT_USAGE

INTRODUCTION = """\
A cell is an exec cell: a JavaScript module with top-level await, run in a process of its own.
It shows what it is told to show; nothing but stored values lasts beyond it.

  text(value)  image(url)  audio(url)      show something
  notify(text)                             show a notification
  store(key, value)  load(key)             keep JSON values across cells
  await tools.NAME({...})  ALL_TOOLS       call tools, list them
  yield_control()                          give the notebook back and go on in the background
  setTimeout(fn, ms)  clearTimeout(id)     timers
  exit()                                   end the cell

A first line such as  // @exec: {"yield_time_ms": 500, "max_output_tokens": 2000}  sets when the
cell gives the notebook back and how much of its output a model would get.

A cell that starts with % is a magic:
"""


async def _perform(call: MagicCall) -> str:
    from codemode_kernel.magics import MAGICS

    wait = (WAIT_USAGE, "Collect the output of a cell that runs in the background.")
    entries = [wait, *((magic.usage, magic.summary) for magic in MAGICS.values())]
    lines = (f"  {usage}\n      {summary}" for usage, summary in entries)
    return INTRODUCTION + "\n" + "\n".join(lines) + "\n"


MAGIC = Magic("%help", "%help", "Show this text.", _perform)

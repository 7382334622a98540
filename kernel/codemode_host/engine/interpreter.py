"""How a Python program of the engine is started: isolated, with the host's own import path.

`-I -S` skips site-packages discovery (it costs more than the rest of the start) and every
environment variable; the import path is handed over instead, so that editable and `.pth`
installations work as well.
"""

from __future__ import annotations

import os
import sys


def command(statement: str) -> list[str]:
    """The command line that runs `statement` in a fresh interpreter of this kind."""
    return [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys; sys.path[:] = {[os.path.abspath(path) for path in sys.path]!r}; {statement}",
    ]


def environment() -> dict[str, str]:
    """What a worker may know of the host's environment: the time zone and nothing else."""
    return {"TZ": os.environ["TZ"]} if "TZ" in os.environ else {}

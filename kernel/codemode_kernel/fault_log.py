"""Faults of ours as a log may hold them: which kind and where, never what they were about.

The text of an exception may quote a script, arguments or a result; logs hold ids, counts, durations
and error classes only.
"""

from __future__ import annotations

import traceback
from pathlib import PurePath

DEEPEST = 4
"""Places that are named, the innermost last."""


def fault_of(error: BaseException) -> str:
    """An exception's class, and the places in code it passed through."""
    frames = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
    places = [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in frames]
    return f"{type(error).__name__} at {' > '.join(places)}" if places else type(error).__name__

"""A fault in a record must not take the place of a cell's own result, or of a call's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

log = logging.getLogger(__name__)

Parameters = ParamSpec("Parameters")


def harmless(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """`function`, which logs what it raises instead of raising it."""

    @wraps(function)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except Exception:
            log.exception("No record: %s failed", function.__qualname__)

    return guarded

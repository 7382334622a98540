"""A fault in a record must not take the place of a cell's own result, or of a call's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from codemode_kernel.fault_log import fault_of

log = logging.getLogger(__name__)

Parameters = ParamSpec("Parameters")


def harmless(function: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """`function`, which logs what it raises instead of raising it."""

    @wraps(function)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - logged without its text
            log.error("No record: %s failed: %s", function.__qualname__, fault_of(error))

    return guarded

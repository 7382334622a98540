"""The few calls of Linux that Python has no function for."""

from __future__ import annotations

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True)
_ZERO = ctypes.c_ulong(0)
_libc.syscall.restype = ctypes.c_long


def prctl(option: int, argument: int, pointer: object = 0) -> None:
    """`prctl(2)`; raises `OSError`."""
    _check(_libc.prctl(option, ctypes.c_ulong(argument), pointer, _ZERO, _ZERO))


def syscall(number: int, *arguments: object) -> int:
    """A raw system call; integers are passed as longs; raises `OSError`."""
    return _check(
        _libc.syscall(
            ctypes.c_long(number),
            *(ctypes.c_long(part) if isinstance(part, int) else part for part in arguments),
        )
    )


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result

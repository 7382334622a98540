"""seccomp: the system calls that a worker still needs, and EPERM for all others.

What it needs is to read and write its socket, wait, look at the clock, manage memory and end.
None of these takes a path, opens a descriptor, starts a process or reaches another one.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
from functools import cache

from codemode_host.engine.hardening.linux import PR_SET_SECCOMP, prctl

_FILTER_MODE = 2

_LOAD_WORD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K

_NUMBER_OFFSET = 0  # in struct seccomp_data
_ARCHITECTURE_OFFSET = 4

_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM
_KILL = 0x80000000

# Machine: (AUDIT_ARCH, numbers). The calls of x32 have numbers of their own and so are refused.
_MACHINES: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        {
            "read": 0,
            "write": 1,
            "close": 3,
            "poll": 7,
            "mmap": 9,
            "mprotect": 10,
            "munmap": 11,
            "brk": 12,
            "rt_sigprocmask": 14,
            "rt_sigreturn": 15,
            "sched_yield": 24,
            "mremap": 25,
            "madvise": 28,
            "nanosleep": 35,
            "getpid": 39,
            "exit": 60,
            "gettimeofday": 96,
            "getrusage": 98,
            "sigaltstack": 131,
            "gettid": 186,
            "time": 201,
            "futex": 202,
            "restart_syscall": 219,
            "clock_gettime": 228,
            "clock_getres": 229,
            "clock_nanosleep": 230,
            "exit_group": 231,
            "ppoll": 271,
            "getrandom": 318,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "close": 57,
            "read": 63,
            "write": 64,
            "ppoll": 73,
            "exit": 93,
            "exit_group": 94,
            "futex": 98,
            "nanosleep": 101,
            "clock_gettime": 113,
            "clock_getres": 114,
            "clock_nanosleep": 115,
            "sched_yield": 124,
            "restart_syscall": 128,
            "sigaltstack": 132,
            "rt_sigprocmask": 135,
            "rt_sigreturn": 139,
            "getrusage": 165,
            "gettimeofday": 169,
            "getpid": 172,
            "gettid": 178,
            "brk": 214,
            "munmap": 215,
            "mremap": 216,
            "mmap": 222,
            "mprotect": 226,
            "madvise": 233,
            "getrandom": 278,
        },
    ),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def prepare() -> None:
    """Make the filter ahead of time: what forks of this process find made, they share."""
    with contextlib.suppress(OSError):  # each of them says why it has none
        _own_program()


def allow_only_what_a_worker_needs() -> None:
    """Install the filter for good; needs no_new_privs; raises `OSError`."""
    prctl(PR_SET_SECCOMP, _FILTER_MODE, _own_program())


@cache
def _own_program() -> object:
    """A pointer to the filter for this machine."""
    code = filter_code(os.uname().machine)
    return ctypes.byref(_Program(len(code) // 8, code))


def filter_code(machine: str) -> bytes:
    """The BPF program for a `uname` machine; raises `OSError` for one that is not in the table."""
    if machine not in _MACHINES:
        raise OSError(errno.ENOSYS, f"no system call table for {machine}")
    architecture, calls = _MACHINES[machine]
    numbers = sorted(calls.values())
    return b"".join(
        (
            _instruction(_LOAD_WORD, _ARCHITECTURE_OFFSET),
            _instruction(_JUMP_IF_EQUAL, architecture, then=1),
            _instruction(_RETURN, _KILL),
            _instruction(_LOAD_WORD, _NUMBER_OFFSET),
            *(
                _instruction(_JUMP_IF_EQUAL, number, then=len(numbers) - index)
                for index, number in enumerate(numbers)
            ),
            _instruction(_RETURN, _REFUSE),
            _instruction(_RETURN, _ALLOW),
        )
    )


def _instruction(code: int, value: int, then: int = 0) -> bytes:
    """One `struct sock_filter`; `then` is how many instructions a jump that is taken skips."""
    return struct.pack("=HBBI", code, then, 0, value)

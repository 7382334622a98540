"""Landlock: no file system, no TCP, no signals to and no abstract sockets of others.

The numbers are the same on every architecture. What the running kernel does not know yet is left
out, by the version of its interface (`Documentation/userspace-api/landlock.rst`).
"""

from __future__ import annotations

import ctypes
import os

from codemode_host.engine.hardening.linux import syscall

_CREATE_RULESET = 444
_RESTRICT_SELF = 446
_ASK_VERSION = 1


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


def deny_everything() -> None:
    """Forbid this process all that Landlock can forbid; needs no_new_privs; raises `OSError`."""
    version = syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    rules = _Ruleset(
        handled_access_fs=(1 << _file_rights(version)) - 1,
        handled_access_net=0b11 if version >= 4 else 0,
        scoped=0b11 if version >= 6 else 0,
    )
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = syscall(_CREATE_RULESET, ctypes.byref(rules), size, 0)
    try:
        syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _file_rights(version: int) -> int:
    """How many rights over files the interface knows."""
    if version >= 5:
        return 16
    return {1: 13, 2: 14}.get(version, 15)

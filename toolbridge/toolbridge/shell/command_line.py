"""Which program runs a command line, and in which surroundings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePath

POSIX_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "busybox"})

SURROUNDINGS: Mapping[str, str] = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GH_PAGER": "cat",
}
"""Set for every command: nobody sees colours, and a pager would wait for a person."""

OWN_PROGRAMS = Path(__file__).with_name("path")

STDIN_VARIABLE = "CODEMODE_STDIN"
"""Holds the inode number of the pipe that is the command's stdin."""


def default_shell(environment: Mapping[str, str]) -> str:
    """The user's own shell if it speaks the POSIX language, else bash, else sh."""
    own = environment.get("SHELL", "")
    if PurePath(own).name in POSIX_SHELLS and os.access(own, os.X_OK):
        return own
    return shutil.which("bash") or "/bin/sh"


def shell_argv(shell: str, cmd: str, *, login: bool) -> list[str]:
    """The arguments that make `shell` run the command line `cmd`."""
    name = PurePath(shell).name.lower().removesuffix(".exe")
    if name in {"powershell", "pwsh"}:
        return [shell, *([] if login else ["-NoProfile"]), "-Command", cmd]
    if name == "cmd":
        return [shell, "/c", cmd]
    return [shell, "-lc" if login else "-c", cmd]


def environment_of(inherited: Mapping[str, str]) -> dict[str, str]:
    """What a command finds in its environment: everything the kernel has, with `SURROUNDINGS`.

    Where there is an `rg`, ours is found first (`path/rg` says why).
    """
    environment = {**inherited, **SURROUNDINGS}
    path = inherited.get("PATH", os.defpath)
    if shutil.which("rg", path=path):
        environment["PATH"] = f"{OWN_PROGRAMS}{os.pathsep}{path}"
    return environment

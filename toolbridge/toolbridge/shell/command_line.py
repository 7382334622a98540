"""Which program runs a command line, and in which surroundings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePath

from toolbridge.shell.errors import ShellError, ShellFault

POSIX_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "busybox"})

SURROUNDINGS: Mapping[str, str] = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GH_PAGER": "cat",
}
"""Set for every command: nobody sees colours, and a pager would wait for a person."""

TERMINAL = "xterm-256color"
"""TERM of a command that has a terminal; its escape sequences reach the script as they are."""

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


def environment_of(
    inherited: Mapping[str, str], overlay: Mapping[str, str], *, has_terminal: bool
) -> dict[str, str]:
    """What a command finds in its environment: everything the kernel has, with `SURROUNDINGS`.

    `overlay` is put over both, for this one command (seed 004, 5.10). Where there is an `rg`, ours
    is found first (`path/rg` says why). Raises `ShellError` when no process could be given it.
    """
    _check(overlay)
    terminal = {"TERM": TERMINAL} if has_terminal else {}
    environment = {**inherited, **SURROUNDINGS, **terminal, **overlay}
    path = environment.get("PATH", os.defpath)
    if shutil.which("rg", path=path):
        environment["PATH"] = f"{OWN_PROGRAMS}{os.pathsep}{path}"
    return environment


def _check(overlay: Mapping[str, str]) -> None:
    for name, value in overlay.items():
        is_text = isinstance(name, str) and isinstance(value, str)
        if not is_text or not name or "=" in name or "\0" in name + value:
            # The value may be a secret.
            raise ShellError(
                ShellFault.BAD_ENVIRONMENT,
                f"exec_command failed: {name!r} cannot be set in the environment of a command",
            )

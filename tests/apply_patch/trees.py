"""Folders as the cases of `shared/apply-patch` write them: path -> text, or another form."""

import os
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, TypeAlias

Tree: TypeAlias = dict[str, Any]
"""A file is its text, `{"text", "mode"}`, `{"b64"}` or `{"symlink"}`."""


def plant(folder: Path, tree: Tree) -> None:
    """Make the files of `tree` in a folder."""
    for name, form in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(form, str):
            path.write_bytes(form.encode())
        elif "symlink" in form:
            path.symlink_to(form["symlink"])
        elif "b64" in form:
            path.write_bytes(b64decode(form["b64"]))
        else:
            path.write_bytes(form["text"].encode())
            path.chmod(int(form["mode"], 8))


def grown(folder: Path) -> Tree:
    """Every file of a folder, the hidden and temporary ones, too."""
    tree = {}
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in names + links:
            path = Path(parent) / name
            tree[str(path.relative_to(folder))] = _form(path)
    return tree


def _form(path: Path) -> Any:
    if path.is_symlink():
        return {"symlink": os.readlink(path)}
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"b64": b64encode(data).decode()}
    mode = path.stat().st_mode & 0o7777
    return text if mode == _mode_of_a_new_file() else {"text": text, "mode": f"{mode:04o}"}


def _mode_of_a_new_file() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

"""The line that says where the whole output of a cell is."""

from __future__ import annotations

from html import escape
from pathlib import Path

from codemode_kernel.captures.capture import Snapshot, name_of
from codemode_kernel.outputs.bundles import Bundle
from codemode_kernel.record import CaptureState

_WORDS = {
    CaptureState.CAPTURING: "so far",
    CaptureState.COMPLETE: "complete",
    CaptureState.PARTIAL: "its beginning; the rest could not be written and is lost",
    CaptureState.UNAVAILABLE: "it could not be written and is lost",
}


def capture_bundle(whose: str, snapshot: Snapshot) -> Bundle:
    """What is kept of the output of a cell or a command, with a link to the file if there is one."""
    size = f"{snapshot.captured_bytes:,} of {snapshot.bytes:,} bytes"
    if snapshot.captured_bytes == snapshot.bytes:
        size = f"{snapshot.bytes:,} bytes"
    line = f"Output of {whose}: {size}, {_WORDS[snapshot.state]}"
    if snapshot.path is None:
        return Bundle({"text/html": f"<small>{escape(line)}</small>", "text/plain": f"[{line}]"})
    html = f"<small>{escape(line)} · {file_link(snapshot.path, str(snapshot.path))}</small>"
    return Bundle({"text/html": html, "text/plain": f"[{line} · {snapshot.path}]"})


def file_link(path: Path, text: str) -> str:
    """A link to a file of a capture, as HTML.

    Browsers open no file for a page of a server. There our extension asks the kernel for the text
    and saves it.
    """
    return (
        f'<a href="{escape(path.as_uri())}" title="{escape(str(path))}" '
        f'data-codemode-capture="{escape(name_of(path))}">{escape(text)}</a>'
    )

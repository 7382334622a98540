"""The content of a `kernel_info_reply`.

Built by hand: the base class imports debugpy for it, 50 ms on the way to a ready kernel, and
claims subshells and a debugger. With subshells claimed, JupyterLab moves comms to other threads.
"""

from __future__ import annotations

from typing import Any

from ipykernel._version import kernel_protocol_version

from codemode_kernel import __version__

LANGUAGE_INFO: dict[str, object] = {
    "name": "javascript",
    "version": "ES2023",
    "mimetype": "text/javascript",
    "file_extension": ".js",
    "codemirror_mode": "javascript",
    "pygments_lexer": "javascript",
    "nbconvert_exporter": "script",
}

BANNER = f"Code Mode {__version__}: every cell is an exec cell. %help lists what a cell can say."


def kernel_info() -> dict[str, Any]:
    """What front ends want to know before anything else."""
    return {
        "protocol_version": kernel_protocol_version,
        "implementation": "codemode",
        "implementation_version": __version__,
        "language_info": LANGUAGE_INFO,
        "banner": BANNER,
        "help_links": [],
    }

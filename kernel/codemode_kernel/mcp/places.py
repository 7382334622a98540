"""Where servers are named and agreements kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir

PROJECT_FILE = ".mcp.json"
"""Beside the notebook."""

USER_FILE = "codemode_mcp.json"
"""In the person's own configuration folder of Jupyter."""


@dataclass(frozen=True)
class Places:
    """Of one kernel."""

    project: Path
    user: Path
    agreements: Path

    @classmethod
    def of(cls, folder: Path) -> Places:
        """Those of a kernel that runs in `folder`."""
        return cls(
            folder / PROJECT_FILE,
            Path(jupyter_config_dir()) / USER_FILE,
            Path(jupyter_data_dir()) / "codemode" / "agreed-servers.json",
        )

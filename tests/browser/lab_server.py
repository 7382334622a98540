"""A JupyterLab server with a home of its own."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE_S

TOKEN = "browser-tests"

SETTINGS = {
    # Cells off screen count as not visible in the default mode.
    "notebook-extension/tracker": {"windowingMode": "none"},
    # The question about news covers a corner of the page.
    "apputils-extension/notification": {"fetchNews": "false"},
    # Light or dark as the browser likes it, and it likes light unless a test says otherwise.
    "apputils-extension/themes": {"adaptive-theme": True},
    # What the kernel knows of an offer is shown beside it; off unless a person turns it on.
    "completer-extension/manager": {"showDocumentationPanel": True},
}


class LabServer:
    """Serves one folder; ended, with its kernels, when the `with` block is left."""

    def __init__(self, home: Path, folder: Path, config_path: Path) -> None:
        self._home = home
        self._folder = folder
        self._config_path = config_path
        self._port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def port(self) -> int:
        return self._port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def folder(self) -> Path:
        return self._folder

    def page_of(self, notebook: str, port: int | None = None) -> str:
        """The address of a notebook in a workspace of its own, so that no other one is re-opened.

        `port` is that of a line to the server.
        """
        workspace = notebook.replace("/", "-").removesuffix(".ipynb")
        url = self.url if port is None else f"http://127.0.0.1:{port}"
        return f"{url}/lab/workspaces/{workspace}/tree/{notebook}?token={TOKEN}&reset"

    def __enter__(self) -> Self:
        self._write_settings()
        with (self._home / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                self._command(), env=self._environment(), stdout=log, stderr=log
            )
        self._wait_until_up()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            # By then it has ended its kernels; an idle thread of a library can outlive its loop.
            self._process.kill()
            self._process.wait()

    def _command(self) -> list[str]:
        return [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *("--ip=127.0.0.1", f"--port={self._port}", "--ServerApp.port_retries=0"),
            f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.root_dir={self._folder}",
        ]

    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "HOME": str(self._home),
            "JUPYTER_CONFIG_DIR": str(self._home / "config"),
            "JUPYTER_CONFIG_PATH": str(self._config_path),
            "JUPYTER_DATA_DIR": str(self._home / "data"),
            "JUPYTER_RUNTIME_DIR": str(self._home / "runtime"),
        }

    def _write_settings(self) -> None:
        for plugin, settings in SETTINGS.items():
            path = self._home / f"config/lab/user-settings/@jupyterlab/{plugin}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(settings), encoding="utf-8")

    def _wait_until_up(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + 2 * PATIENCE_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/api?token={TOKEN}", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        self._process.kill()
        self._process.wait()
        log = (self._home / "server.log").read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"JupyterLab did not come up:\n{log[-4000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

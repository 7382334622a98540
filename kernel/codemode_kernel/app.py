"""The kernel's process: ipykernel's application without IPython's parts."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

from ipykernel.kernelapp import IPKernelApp
from jupyter_client.session import Session
from jupyter_core.paths import jupyter_config_path
from traitlets import Any as AnyTrait
from traitlets import List, Unicode
from traitlets.config import Application

from codemode_kernel import __version__
from codemode_kernel.configuration import take_unusable
from codemode_kernel.kernel import CodeModeKernel

CONFIG_NAME = "codemode_config"

GARBAGE_THRESHOLD = 10_000
"""New objects after which Python looks for cycles. Nested calls come by the hundred and leave none;
at Python's own 700 the looking takes a quarter of their time."""

ALIASES = {
    "f": "IPKernelApp.connection_file",
    "ip": "IPKernelApp.ip",
    "transport": "IPKernelApp.transport",
    "hb": "IPKernelApp.hb_port",
    "shell": "IPKernelApp.shell_port",
    "iopub": "IPKernelApp.iopub_port",
    "stdin": "IPKernelApp.stdin_port",
    "control": "IPKernelApp.control_port",
    "log-level": "Application.log_level",
}
"""Short options; ipykernel's own list has IPython's, too."""


class CodeModeApp(IPKernelApp):
    """Starts a `CodeModeKernel` with the sockets and threads of ipykernel.

    No stream is put in the place of `sys.stdout`: flushing it costs two round trips to the IOPub
    thread for each cell, and no output of ours goes through it. What Python prints here is for the
    server's log.
    """

    name = "codemode"
    version = __version__
    description = "A Jupyter kernel in which every cell is an exec cell of code mode."
    kernel_class = CodeModeKernel
    classes: list[Any] = [CodeModeKernel, Session]  # noqa: RUF012
    subcommands: dict[str, Any] = {}  # noqa: RUF012
    aliases = ALIASES
    flags: dict[str, Any] = {}  # noqa: RUF012
    early_host = AnyTrait(help="The `EarlyHost` that was started before the imports, or None.")
    raise_config_file_errors = True
    problems = List(Unicode(), help="What is wrong with the options, one sentence each.")

    def load_config_file(self, *args: Any, **kwargs: Any) -> None:
        """Read `codemode_config.py` and `.json` from Jupyter's configuration folders."""
        for folder in reversed(jupyter_config_path()):  # the first has the last word
            try:
                Application.load_config_file(self, CONFIG_NAME, path=[folder])
            except Exception as error:  # noqa: BLE001 - the file is a program of the user's
                what = f"{type(error).__name__}: {error}"
                self.problems.append(f"{CONFIG_NAME} in {folder} cannot be read: {what}")

    def init_kernel(self) -> None:
        """Make the kernel, from those options that it can take."""
        known = frozenset(CodeModeKernel.class_trait_names(config=True))
        self.problems.extend(take_unusable(self.config, known))
        # The logger makes every record and leaves it to its handler to drop it: four for each cell.
        self.log.setLevel(self.log_level)
        gc.set_threshold(GARBAGE_THRESHOLD)
        super().init_kernel()

    def init_profile_dir(self) -> None:
        """IPython's profiles say nothing about this kernel."""
        self.profile_dir = None

    def init_config_files(self) -> None:
        """There is no profile folder to put files in."""

    def init_io(self) -> None:
        """Leave stdout and stderr as they are; `init_kernel` wants an object to write to."""
        self.displayhook = SimpleNamespace()

    def reset_io(self) -> None:
        """Nothing was redirected."""

    def init_pdb(self) -> None:
        """Python cells run elsewhere."""

    def init_path(self) -> None:
        """The notebook's folder holds no modules of ours."""

    def init_shell(self) -> None:
        """There is no IPython shell."""
        self.shell = None

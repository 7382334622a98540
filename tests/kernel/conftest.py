"""Real kernels, driven through jupyter_client."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import KernelManager

from tests.kernel.notebook import Notebook
from tests.kernel.ports import kernel_ports

StartKernel = Callable[..., Notebook]


@pytest.fixture(scope="module")
def kernel_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the module's kernels run, as if their notebook lay there."""
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="module")
def start_kernel(kernel_folder: Path) -> Iterator[StartKernel]:
    """Start a kernel with these traits, `start_kernel(late_output="origin")`; ended with the module."""
    with ExitStack() as stack:

        def start(**traits: Any) -> Notebook:
            arguments = [f"--CodeModeKernel.{name}={_argument(traits[name])}" for name in traits]
            ports = kernel_ports()
            manager = KernelManager(kernel_name="codemode", cache_ports=False, **ports)
            manager.start_kernel(extra_arguments=arguments, cwd=str(kernel_folder))
            stack.callback(manager.shutdown_kernel, now=True)
            notebook = Notebook(manager)
            stack.callback(notebook.close)
            return notebook

        yield start


@pytest.fixture(scope="module")
def _shared_notebook(start_kernel: StartKernel) -> Notebook:
    return start_kernel()


@pytest.fixture
def notebook(_shared_notebook: Notebook) -> Iterator[Notebook]:
    """A client of a kernel that the module's tests share; no cell of theirs is left in it."""
    yield _shared_notebook
    _shared_notebook.run("%reset")


def _argument(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)

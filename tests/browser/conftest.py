"""JupyterLab in Debian's Chromium, with the product's kernel."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab_server import LabServer
from tests.browser.notebook_page import (
    NotebookPage,
    OpenNotebook,
    OpenSaved,
    SavedNotebookPage,
)
from tests.browser.tour_cells import TOUR
from tests.patience import PATIENCE_S

expect.set_options(timeout=1000 * PATIENCE_S)

VIEWPORT = {"width": 1200, "height": 900}
COMMITS = ("Say hello", "Count the words", "Draw the result")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.fail("no Chromium: `make test` installs it, or names the command that does")
    quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking"]
    quiet += ["--disable-component-update", "--disable-sync"]
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": ["--no-sandbox", "--disable-gpu", *quiet],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": VIEWPORT}


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """A server on a small git repository that holds the tour."""
    home = tmp_path_factory.mktemp("home")
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(TOUR, folder)
    _commit_a_few_times(folder)
    with LabServer(home, folder, TOUR.parent) as server:
        yield server


@pytest.fixture(scope="session")
def screenshots(pytestconfig: pytest.Config) -> Path:
    """Where pictures of the pages go: Playwright's own folder, `test-results`."""
    return Path(pytestconfig.getoption("--output"))


@pytest.fixture
def open_tour(lab: LabServer, page: Page, screenshots: Path) -> OpenNotebook:
    return lambda: NotebookPage(page, lab.page_of(TOUR.name), screenshots)


@pytest.fixture
def open_notebook(
    lab: LabServer, page: Page, screenshots: Path, request: pytest.FixtureRequest
) -> OpenNotebook:
    """Write a notebook with these cells, open it, and wait for its kernel.

    The page goes to the server itself, or to the `port` of a line to it.
    """

    def write_and_open(*cells: str, port: int = lab.port) -> NotebookPage:
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "codemode", "display_name": "Code Mode"}},
        )
        name = f"{request.node.originalname}.ipynb"
        nbformat.write(notebook, lab.folder / name)
        return NotebookPage(page, lab.page_of(name, port), screenshots)

    return write_and_open


@pytest.fixture
def open_saved(
    lab: LabServer, page: Page, screenshots: Path, request: pytest.FixtureRequest
) -> OpenSaved:
    """Write a notebook whose cells have these MIME bundles as their outputs, and open it.

    A list of bundles is one cell with several outputs.
    """

    def write_and_open(*bundles: dict[str, Any] | list[dict[str, Any]]) -> SavedNotebookPage:
        cells = []
        for held in bundles:
            shown = held if isinstance(held, list) else [held]
            outputs = [nbformat.v4.new_output("display_data", bundle) for bundle in shown]
            cells.append(nbformat.v4.new_code_cell(outputs=outputs))
        name = f"{request.node.originalname}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), lab.folder / name)
        return SavedNotebookPage(page, lab.page_of(name), screenshots)

    return write_and_open


def _commit_a_few_times(folder: Path) -> None:
    identity = ["-c", "user.name=Tour", "-c", "user.email=tour@example.org"]
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    for subject in COMMITS:
        commit = [*identity, "commit", "--quiet", "--allow-empty", "--message", subject]
        subprocess.run([*git, *commit], check=True)

"""A notebook open in JupyterLab, as a person uses it."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Locator, Page, Response, expect

from tests.patience import PATIENCE_S, SLOWDOWN

KERNEL_START = 60_000 * SLOWDOWN  # ms
ERROR = ".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']"
"""JupyterLab draws an error's traceback as it draws stderr, which nothing here writes to."""


class NotebookPage:
    def __init__(self, page: Page, url: str, screenshots: Path) -> None:
        self._page = page
        self._url = url
        self._screenshots = screenshots
        page.goto(url)
        self._wait_until_open()

    def _wait_until_open(self) -> None:
        self.wait_until_idle(KERNEL_START)

    @property
    def name(self) -> str:
        """The file's name."""
        return unquote(urlsplit(self._url).path.rsplit("/", 1)[-1])

    def reload(self) -> None:
        """Reload the page at once, as its button does, and wait for the notebook."""
        self._page.goto(self._url.replace("&reset", ""))
        self._wait_until_connected()

    def in_another_page(self) -> "NotebookPage":
        """The same notebook in a second page of the browser, whatever runs in it."""
        return RunningNotebookPage(self._page.context.new_page(), self._url, self._screenshots)

    def _wait_until_connected(self) -> None:
        expect(self._page.get_by_text(re.compile(r"Code Mode \| (Idle|Busy)"))).to_be_visible(
            timeout=KERNEL_START
        )

    def save(self) -> None:
        """Save the notebook and wait until it is; a cell that prints changes it again at once."""
        with self._page.expect_response(_answers_a_save, timeout=1000 * PATIENCE_S):
            self._page.keyboard.press("Control+s")

    def delete(self, index: int) -> None:
        """Delete a cell, as command mode does."""
        self.cell(index).locator(".jp-InputPrompt").click()
        for key in ("Escape", "d", "d"):
            self._page.keyboard.press(key)

    def prompt(self, index: int) -> Locator:
        """The prompt beside a code cell: `[3]:`."""
        return self.cell(index).locator(".jp-InputPrompt")

    def wait_until_idle(self, timeout: float = 1000 * PATIENCE_S) -> None:
        """Wait for the status bar to say so; the notebook's own indicator does too early."""
        expect(self._page.get_by_text("Code Mode | Idle")).to_be_visible(timeout=timeout)

    def cell(self, index: int) -> Locator:
        """The code cell of this index, counted from 0."""
        return self._page.locator(".jp-Notebook .jp-CodeCell").nth(index)

    def output(self, index: int) -> Locator:
        """The whole output area of a code cell."""
        return self.cell(index).locator(".jp-Cell-outputWrapper")

    @property
    def errors(self) -> Locator:
        """Every error that is shown."""
        return self._page.locator(f".jp-Notebook {ERROR}")

    def error(self, index: int) -> Locator:
        """The error that a code cell shows."""
        return self.output(index).locator(ERROR)

    def question(self, index: int) -> Locator:
        """The open question under a code cell, with its input box."""
        return self.cell(index).locator(
            ".jp-OutputArea-stdin-item", has=self._page.locator("input")
        )

    @property
    def offered_question(self) -> Locator:
        """The open question in the corner of the page."""
        return self._page.get_by_role("alertdialog")

    def press(self, keys: str) -> None:
        """Press keys wherever the keyboard is."""
        self._page.keyboard.press(keys)

    def run(self, index: int) -> Locator:
        """Start a code cell; its output area."""
        self.cell(index).locator(".cm-content").click()
        self._page.keyboard.press("Control+Enter")
        return self.output(index)

    def run_all(self) -> None:
        self._page.get_by_role("menuitem", name="Run", exact=True).click()
        self._page.get_by_text("Run All Cells", exact=True).click()

    def stop(self) -> None:
        """Interrupt the kernel from the keyboard, as command mode does."""
        for key in ("Escape", "i", "i"):
            self._page.keyboard.press(key)

    def answer(self, index: int, text: str) -> None:
        """Type into the input box under a cell."""
        box = self.cell(index).locator(".jp-Stdin-input")
        box.fill(text)
        box.press("Enter")

    def expect_execution_count(self, index: int, timeout: float = 1000 * PATIENCE_S) -> None:
        """Wait until a cell has ended: its prompt shows a number instead of a star."""
        expect(self.prompt(index)).to_have_text(re.compile(r"\[\d+\]:"), timeout=timeout)

    def screenshot(self, name: str) -> None:
        self._page.screenshot(path=self._screenshots / f"{name}.png")


class RunningNotebookPage(NotebookPage):
    """A notebook with a cell in the foreground."""

    def _wait_until_open(self) -> None:
        self._wait_until_connected()


class SavedNotebookPage(NotebookPage):
    """A notebook that is only read: it has no kernel, and is not trusted."""

    def _wait_until_open(self) -> None:
        no_kernel = self._page.get_by_role("dialog").get_by_role("button", name="No Kernel")
        no_kernel.click(timeout=KERNEL_START)
        expect(self._page.get_by_text("No Kernel |")).to_be_visible()


OpenNotebook = Callable[..., NotebookPage]
"""What the fixtures of this name are: cells' sources in, the open notebook out."""

OpenSaved = Callable[..., SavedNotebookPage]
"""The same for one that is only read: MIME bundles in, one a cell."""


def _answers_a_save(response: Response) -> bool:
    return response.request.method == "PUT" and "/api/contents/" in response.url

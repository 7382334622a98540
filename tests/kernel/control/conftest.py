"""Pages that attach to a real kernel."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.kernel.control.page import Page
from tests.kernel.notebook import Notebook

OpenPage = Callable[[], Page]


@pytest.fixture
def open_page(notebook: Notebook) -> Iterator[OpenPage]:
    """Another page of the shared kernel; its comm is closed after the test."""
    with ExitStack() as stack:

        def open_page() -> Page:
            page = Page(notebook.manager)
            stack.callback(page.close)
            stack.callback(page.leave)
            return page

        yield open_page


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()

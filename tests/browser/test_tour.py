"""The tour, run by a person."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import COMMITS
from tests.browser.notebook_page import OpenNotebook
from tests.browser.tour_cells import tour_sources

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHOTOGRAPHED = ["text", "exec-command", "wait", "image", "errors", "python-call"]


def test_run_all_takes_the_tour_to_its_end(open_tour: OpenNotebook) -> None:
    cell_ids = list(tour_sources())
    tour = open_tour()
    tour.run_all()
    tour.expect_execution_count(len(cell_ids) - 1)
    tour.wait_until_idle()

    expect(tour.errors).to_have_count(0)
    for subject in COMMITS:
        expect(tour.output(cell_ids.index("exec-command"))).to_contain_text(subject)
    expect(tour.output(cell_ids.index("wait"))).to_contain_text("Tea is ready.")
    expect(tour.output(cell_ids.index("image")).locator("img")).to_be_visible()
    expect(tour.output(cell_ids.index("audio")).locator("audio")).to_be_visible()

    for cell_id in PHOTOGRAPHED:
        tour.output(cell_ids.index(cell_id)).scroll_into_view_if_needed()
        tour.screenshot(f"tour-{cell_id}")

"""The tour, run by a person."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import COMMITS
from tests.browser.notebook_page import OpenNotebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_run_all_takes_the_tour_to_its_end(open_tour: OpenNotebook) -> None:
    tour = open_tour()
    tour.run_all()
    tour.expect_execution_count(tour.number_of_cells - 1)
    tour.wait_until_idle()

    expect(tour.errors).to_have_count(0)
    for subject in COMMITS:
        expect(tour.cell_with("git log")).to_contain_text(subject)
    expect(tour.cell_with("%wait")).to_contain_text("Tea is ready.")
    expect(tour.cell_with("image/png").locator("img")).to_be_visible()
    expect(tour.cell_with("audio/wav").locator("audio")).to_be_visible()

    for number, source in enumerate(("Hello", "git log", "yield_control", "image/png"), start=1):
        tour.cell_with(source).scroll_into_view_if_needed()
        tour.screenshot(f"tour-{number}")

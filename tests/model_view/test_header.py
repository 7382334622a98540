"""The header and the shape of an output."""

import pytest
from codemode_host.wire import ImageItem, TextItem
from codemode_kernel.model_view.model_view import ModelView, header
from codemode_kernel.session.observation import Status


@pytest.mark.parametrize(
    "status, line",
    [
        (Status.COMPLETED, "Script completed"),
        (Status.FAILED, "Script failed"),
        (Status.TERMINATED, "Script terminated"),
        (Status.RUNNING, "Script running with cell ID g2:7"),
    ],
)
def test_the_header_says_how_it_stands(status: Status, line: str) -> None:
    assert header(status, "g2:7", 1.234) == f"{line}\nWall time 1.2 seconds\nOutput:\n"


@pytest.mark.parametrize(
    "seconds, shown",
    [
        (0.0, "0.0"),
        (0.049, "0.0"),
        (0.05, "0.1"),
        (0.25, "0.3"),
        (0.449_999_99, "0.5"),
        (0.45, "0.5"),
        (0.95, "1.0"),
        (12, "12.0"),
        (99.96, "100.0"),
        (3_600.04, "3600.0"),
    ],
)
def test_wall_time_is_rounded_half_away_from_zero_in_single_precision(
    seconds: float, shown: str
) -> None:
    assert header(Status.COMPLETED, "1", seconds).splitlines()[1] == f"Wall time {shown} seconds"


def test_without_items_the_output_is_the_header_as_a_string() -> None:
    view = ModelView()
    assert view.finish(Status.COMPLETED, "1", 0.0) == header(Status.COMPLETED, "1", 0.0)


def test_with_empty_texts_alone_it_is_a_list_of_the_header() -> None:
    view = ModelView()
    view.add(TextItem(""))
    assert view.finish(Status.COMPLETED, "1", 0.0) == [
        {"type": "input_text", "text": header(Status.COMPLETED, "1", 0.0)}
    ]


def test_the_error_is_the_last_item_and_takes_part_in_the_budget() -> None:
    view = ModelView(4)
    view.add(ImageItem("data:image/png;base64,AAAA", "high"))
    view.add(TextItem("abcd"))
    assert view.finish(Status.FAILED, "1", 0.0, "Error: boom")[1:] == [
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "high"},
        {"type": "input_text", "text": "abcd"},
        {"type": "input_text", "text": "Script…4 tokens truncated…: boom"},
    ]

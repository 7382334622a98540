"""The result of a model's own call as content items."""

import pytest
from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem
from codemode_kernel.model_view.direct_results import direct_items, is_failure

from toolbridge import JsonValue


@pytest.mark.parametrize(
    "result, items",
    [
        ("as it is", [TextItem("as it is")]),
        ({"a": [1, "é"]}, [TextItem('{"a":[1,"é"]}')]),
        (None, [TextItem("null")]),
        ({"content": []}, [TextItem('{"content":[]}')]),
        ({"content": "text"}, [TextItem('{"content":"text"}')]),
        ({"content": [{"type": "text", "text": "hi"}]}, [TextItem("hi")]),
        (
            {
                "content": [
                    {"type": "image", "data": "AA==", "mimeType": "image/png"},
                    {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
                    {"type": "resource_link", "uri": "file:///x"},
                ]
            },
            [
                ImageItem("data:image/png;base64,AA=="),
                AudioItem("data:audio/wav;base64,AA=="),
                TextItem('{"type":"resource_link","uri":"file:///x"}'),
            ],
        ),
    ],
)
def test_content_blocks_are_items_and_the_rest_is_text(
    result: JsonValue, items: list[ContentItem]
) -> None:
    assert direct_items(result) == items


def test_only_a_result_that_says_so_is_a_failure() -> None:
    assert is_failure({"content": [], "isError": True})
    assert not is_failure({"isError": "yes"})
    assert not is_failure("isError")

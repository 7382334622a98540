"""The messages that one notebook cell's outputs become."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from codemode_host.wire import ImageItem, TextItem
from codemode_kernel.messages.request import Request
from codemode_kernel.outputs.bundles import Bundle
from codemode_kernel.outputs.outputs import MAX_DISPLAYS, MAX_TEXT, MAX_TREES, CellOutputs
from codemode_kernel.outputs.publisher import Publisher
from codemode_kernel.outputs.traceback import plain_error

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Sent(list[tuple[str, dict[str, Any]]]):
    """Messages as (type, content)."""

    def __call__(self, kind: str, content: Mapping[str, Any], parent: Mapping[str, Any]) -> None:
        assert parent["header"]["msg_id"] == "request"
        json.dumps(content, ensure_ascii=False).encode()  # as the real channel does
        self.append((kind, dict(content)))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self]

    @property
    def stdout(self) -> str:
        return "".join(content["text"] for _, content in self if content.get("name") == "stdout")

    @property
    def stderr(self) -> str:
        return "".join(content["text"] for _, content in self if content.get("name") == "stderr")


@pytest.fixture
def sent() -> Sent:
    return Sent()


def outputs_of(sent: Sent, *, silent: bool = False) -> CellOutputs:
    message = {"header": {"msg_id": "request"}}
    request = Request(message, [], allow_stdin=True, silent=silent, notebook_cell=None)
    return CellOutputs(Publisher(sent, request), asyncio.get_running_loop())


async def test_a_text_item_that_does_not_end_its_line_is_closed_by_a_newline(sent: Sent) -> None:
    outputs = outputs_of(sent)
    outputs.take([TextItem("a"), TextItem("b\n"), TextItem(""), TextItem("c")])
    outputs.flush()
    assert sent == [("stream", {"name": "stdout", "text": "a\nb\n\nc\n"})]


async def test_text_is_published_before_what_follows_it(sent: Sent) -> None:
    outputs = outputs_of(sent)
    outputs.take([TextItem("a"), ImageItem(PIXEL), TextItem("b"), TextItem('{"c":1}')])
    outputs.write("d\n")
    outputs.error(plain_error("Stopped", "now"))
    assert sent.kinds == ["stream", "display_data", "stream", "display_data", "stream", "error"]


async def test_a_display_can_be_updated(sent: Sent) -> None:
    outputs = outputs_of(sent)
    outputs.display(Bundle({"text/plain": "1"}), "id")
    outputs.update(Bundle({"text/plain": "2"}), "id")
    assert sent.kinds == ["display_data", "update_display_data"]
    assert [content["transient"] for _, content in sent] == [{"display_id": "id"}] * 2


async def test_endless_text_ends_with_one_notice(sent: Sent) -> None:
    outputs = outputs_of(sent)
    for _ in range(30):
        outputs.take([TextItem("x" * 100_000)])
    outputs.flush()
    assert len(sent.stdout) == MAX_TEXT
    assert sent.stderr.count("the rest is not shown") == 1


async def test_text_is_counted_in_bytes_and_cut_between_characters(sent: Sent) -> None:
    outputs = outputs_of(sent)
    outputs.take([TextItem("é€" * 1_000_000)])
    assert MAX_TEXT - 4 < len(sent.stdout.encode()) <= MAX_TEXT
    assert set(sent.stdout) == {"é", "€"}


async def test_endless_pictures_end_with_one_notice(sent: Sent) -> None:
    outputs = outputs_of(sent)
    outputs.take([ImageItem(PIXEL)] * (MAX_DISPLAYS + 100))
    outputs.take([TextItem("still here")])
    outputs.flush()
    assert sent.kinds.count("display_data") == MAX_DISPLAYS
    assert sent.stderr.count("the rest is not shown") == 1
    assert sent.stdout == "still here\n"


async def test_many_values_become_plain_lines(sent: Sent) -> None:
    outputs = outputs_of(sent)
    outputs.take([TextItem('{"a":1}')] * (MAX_TREES + 10_000))
    outputs.flush()
    assert sent.kinds.count("display_data") == MAX_TREES
    assert sent.stdout.count('{"a":1}\n') == 10_000
    assert len(sent) < MAX_TREES + 10


async def test_lone_surrogates_do_not_stop_a_message(sent: Sent) -> None:
    outputs = outputs_of(sent)
    outputs.write("a\ud800b\n")
    outputs.take([TextItem('{"a":"\\udc00"}')])
    assert sent.stdout == "a\ufffdb\n"
    assert sent[1][1]["data"]["application/json"] == {"a": "\ufffd"}


async def test_a_silent_request_publishes_nothing(sent: Sent) -> None:
    outputs = outputs_of(sent, silent=True)
    outputs.take([TextItem("a"), ImageItem(PIXEL)])
    outputs.error(plain_error("Stopped", "now"))
    outputs.flush()
    assert sent == []


async def test_what_python_prints_and_shows_counts_as_well(sent: Sent) -> None:
    outputs = outputs_of(sent)
    for _ in range(3):
        outputs.relay("stream", {"name": "stderr", "text": "#" * (MAX_TEXT // 2)})
    for _ in range(MAX_DISPLAYS + 5):
        outputs.relay("display_data", {"data": {}, "metadata": {}})
    assert sent.stderr.count("#") == MAX_TEXT
    assert sent.kinds.count("display_data") == MAX_DISPLAYS
    assert sent.stderr.count("the rest is not shown") == 2


async def test_a_value_that_no_message_can_hold_is_named(sent: Sent) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    outputs_of(sent).relay("display_data", {"data": {"application/json": deep}, "metadata": {}})
    assert sent.stderr == "An output is nested too deeply to be shown.\n"
    while deep:  # Python itself takes such a list apart level by level
        deep = deep.pop()

"""What waits for the next observation: kept in order, bounded, told of."""

import pytest
from codemode_host.wire import AudioItem, ContentItem, ImageItem, TextItem
from codemode_kernel.session.waiting import ITEM_BYTES, NOTICE, Allowance, WaitingOutput

HUNDRED = ITEM_BYTES + 100


def hundred(letter: str) -> TextItem:
    return TextItem(letter * 100)


def drained(waiting: WaitingOutput, count: int | None = None) -> list[str]:
    entries = waiting.drain(len(waiting) if count is None else count)
    return [entry.item.text[0] for entry in entries if isinstance(entry.item, TextItem)]


def test_items_come_out_in_order_and_once() -> None:
    waiting = WaitingOutput(Allowance())
    waiting.add([hundred("a"), hundred("b")])
    waiting.add([hundred("c")])
    assert drained(waiting, 2) == ["a", "b"]
    assert drained(waiting) == ["c"]
    assert len(waiting) == 0


def test_what_the_person_has_seen_is_marked() -> None:
    waiting = WaitingOutput(Allowance())
    waiting.add([hundred("a")], shown=True)
    waiting.add([hundred("b")])
    assert [entry.shown for entry in waiting.drain(2)] == [True, False]


def test_a_cell_that_floods_leaves_one_notice() -> None:
    waiting = WaitingOutput(Allowance(), size=2 * HUNDRED)
    waiting.add(hundred(letter) for letter in "abcd")
    waiting.add([hundred("e")])
    assert drained(waiting) == ["a", "b", NOTICE[0]]


def test_a_collected_cell_keeps_output_again() -> None:
    waiting = WaitingOutput(Allowance(), size=HUNDRED)
    waiting.add([hundred("a"), hundred("b")])
    waiting.drain(len(waiting))
    waiting.add([hundred("c")])
    assert drained(waiting) == ["c"]


def test_cells_share_one_allowance() -> None:
    allowance = Allowance(2 * HUNDRED)
    first, second = WaitingOutput(allowance), WaitingOutput(allowance)
    first.add([hundred("a"), hundred("b")])
    second.add([hundred("c")])
    assert drained(second) == [NOTICE[0]]
    first.drain(2)
    second.add([hundred("d")])
    assert drained(second) == ["d"]


@pytest.mark.parametrize(
    "items, lines, tail",
    [
        ([], 3, ""),
        ([TextItem("a"), TextItem("b\n"), TextItem("c")], 2, "b\nc"),
        ([TextItem("a\nb\nc\n")], 2, "b\nc"),
        ([TextItem("a"), ImageItem("data:image/png,"), AudioItem("data:audio/wav,")], 2, "[image]\n[audio]"),
        ([TextItem("a"), TextItem("")], 2, "a\n"),
    ],
)  # fmt: skip
def test_the_tail_is_the_last_lines(items: list[ContentItem], lines: int, tail: str) -> None:
    waiting = WaitingOutput(Allowance())
    waiting.add(items)
    assert waiting.tail(lines) == tail

"""The log of outputs: what it keeps, in which shape, and its bounds. No kernel."""

from collections.abc import Mapping
from typing import Any

import pytest
from codemode_kernel.control.facts import missing_outputs
from codemode_kernel.control.from_front import SeenCell
from codemode_kernel.messages.request import Request
from codemode_kernel.replay import LoggedRun, OutputLog
from codemode_kernel.replay.run import NOTICE


class Kernel:
    """Runs notebook cells by hand: what it publishes is kept."""

    def __init__(self, **bounds: int) -> None:
        self.log = OutputLog(**bounds)
        self._send = self.log.tee(lambda kind, content, parent: None)
        self._count = 0

    def run(self, notebook_cell: str | None = "x", *, silent: bool = False) -> Request:
        self._count += 1
        header = {"msg_id": f"run-{self._count}", "session": "page"}
        request = Request({"header": header}, [], True, silent, notebook_cell)
        self.log.begin(request, self._count)
        return request

    def publish(self, request: Request, kind: str, **content: Any) -> None:
        self._send(kind, content, request.message)

    def print(self, request: Request, text: str, name: str = "stdout") -> None:
        self.publish(request, "stream", name=name, text=text)

    def display(self, request: Request, plain: str, display_id: str | None = None) -> None:
        self.publish(request, "display_data", **bundle(plain, display_id))

    def update(self, request: Request, plain: str, display_id: str) -> None:
        self.publish(request, "update_display_data", **bundle(plain, display_id))

    def kept(self, notebook_cell: str = "x") -> LoggedRun:
        run = self.log.newest_run_of(notebook_cell)
        assert run is not None
        return run

    def plain(self, notebook_cell: str = "x") -> list[str]:
        """What is kept, one line an output."""
        return [plain_text(output) for output in self.kept(notebook_cell).outputs()]


def bundle(plain: str, display_id: str | None) -> Mapping[str, Any]:
    transient = {"display_id": display_id} if display_id else {}
    return {"data": {"text/plain": plain}, "metadata": {}, "transient": transient}


def plain_text(output: Mapping[str, Any]) -> str:
    return str(output["text"] if "text" in output else output["data"]["text/plain"])


def test_adjacent_pieces_of_a_stream_are_one_output() -> None:
    kernel = Kernel()
    run = kernel.run()
    for name, text in (("stdout", "a"), ("stdout", "b"), ("stderr", "c"), ("stdout", "d")):
        kernel.print(run, text, name)
    kernel.display(run, "picture")
    kernel.print(run, "e")
    assert kernel.plain() == ["ab", "c", "d", "picture", "e"]
    assert kernel.kept().output_count == 5
    assert kernel.kept().characters == 5


def test_a_page_is_one_more_output() -> None:
    kernel = Kernel()
    run = kernel.run()
    kernel.print(run, "a")
    kernel.log.paged(run, {"text/plain": "help"})
    assert kernel.plain() == ["a", "help"]
    assert kernel.kept().output_count == 2


def test_an_update_replaces_its_display_whichever_request_sends_it() -> None:
    kernel = Kernel()
    first = kernel.run("x")
    kernel.display(first, "running", "footer")
    kernel.update(kernel.run("y"), "collected", "footer")
    assert kernel.plain("x") == ["collected"]
    assert kernel.plain("y") == []


def test_clear_output_takes_all_away_and_waits_if_it_is_told_to() -> None:
    kernel = Kernel()
    run = kernel.run()
    kernel.print(run, "old")
    kernel.publish(run, "clear_output", wait=True)
    assert kernel.plain() == ["old"]
    kernel.print(run, "new")
    assert kernel.plain() == ["new"]
    kernel.publish(run, "clear_output", wait=False)
    assert kernel.plain() == []


def test_the_newest_run_of_a_notebook_cell_is_kept() -> None:
    kernel = Kernel()
    first = kernel.run()
    kernel.display(first, "one", "d")
    kernel.print(kernel.run(), "two")
    kernel.print(first, "late")
    kernel.update(first, "late", "d")
    assert kernel.plain() == ["two"]


@pytest.mark.parametrize("options", [{"notebook_cell": None}, {"silent": True}])
def test_nothing_is_kept_that_nobody_could_ask_for(options: dict[str, Any]) -> None:
    kernel = Kernel()
    kernel.print(kernel.run(**options), "text")
    assert kernel.log.size == 0


def test_a_flood_is_cut_with_a_notice_and_its_footer_lives_on() -> None:
    kernel = Kernel(cell_bytes=2000)
    run = kernel.run()
    kernel.print(run, "ä" * 5000)
    kernel.print(run, "more")
    kernel.display(run, "no room")
    kernel.display(run, "running", "footer")
    kernel.update(run, "ended", "footer")
    head, notice, footer = kernel.plain()
    assert head == "ä" * len(head)
    assert 500 < len(head) < 1000
    assert (notice, footer) == (NOTICE, "ended")
    assert kernel.kept().characters == 5004


def test_the_runs_that_were_written_to_last_are_kept_when_all_is_full() -> None:
    kernel = Kernel(all_bytes=20_000)
    runs = [kernel.run(str(number)) for number in range(4)]
    for number in (0, 1, 2, 0, 3):
        kernel.log.replied(runs[number])
        kernel.print(runs[number], "x" * 3000)
    kernel.print(runs[3], "y" * 6000)
    assert [len(kernel.plain(cell)[0]) for cell in "023"] == [6000, 3000, 9000]
    assert kernel.plain("1") == [NOTICE]
    assert kernel.log.size <= 20_000


def test_a_run_in_the_foreground_is_kept_whatever_comes() -> None:
    kernel = Kernel(all_bytes=10_000)
    kernel.print(kernel.run("foreground"), "first")
    for number in range(10):
        other = kernel.run(str(number))
        kernel.log.replied(other)
        kernel.print(other, "x" * 5000)
    assert kernel.plain("foreground") == ["first"]
    assert kernel.log.size <= 10_000


def test_the_size_is_zero_again_when_runs_are_replaced_by_empty_ones() -> None:
    kernel = Kernel(cell_bytes=3000, all_bytes=5000)
    for number in range(5):
        run = kernel.run(str(number))
        kernel.print(run, "x" * 4000)
        kernel.display(run, "d", "display")
        kernel.update(run, "longer", "display")
        kernel.log.replied(run)
    for number in range(5):
        kernel.run(str(number))
    assert kernel.log.size == 0


def test_a_value_that_is_nested_too_deeply_is_cut() -> None:
    kernel = Kernel()
    run = kernel.run()
    value: Any = []
    for _ in range(100_000):
        value = [value]
    kernel.publish(run, "display_data", data={"application/json": value}, metadata={})
    assert kernel.plain() == [NOTICE]


def test_a_page_that_has_more_than_is_kept_loses_nothing() -> None:
    kernel = Kernel(cell_bytes=2000)
    run = kernel.run()
    kernel.print(run, "x" * 5000)
    kernel.display(run, "running", "footer")
    seen = SeenCell("x", outputs=1, characters=4000)
    missing = missing_outputs(kernel.kept(), seen, shown_elsewhere=False)
    assert missing is not None
    assert missing.adds
    assert [plain_text(output) for output in missing.outputs] == [NOTICE, "running"]

"""The tool `apply_patch` behind the gate: who is asked what, one patch at a time, Stop."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from toolbridge.errors import PolicyRefusedError
from toolbridge.patch.errors import Fault, PatchIncompleteError, PatchRefusedError
from toolbridge.patch.files import FileOperations
from toolbridge.sources.apply_patch import ApplyPatchSource

from tests.toolbridge.boxes import ALLOW_ALL, Person, call
from tests.toolbridge.patch.workbench import (
    Operation,
    WatchedFiles,
    Workbench,
    full_disk,
    patch_of,
)
from toolbridge import Answer, CallContext, Gate, Toolbox, ToolError, parse_rules

DEADLINE_S = 15
BEFORE = {"a": "a\n", "b": "b\n"}
PATCH = patch_of(
    "*** Update File: a", "-a", "+A", "*** Add File: new/c", "+c", "*** Delete File: b"
)
AFTER = {"a": "A\n", "new/c": "c\n"}

OpenBox = Callable[..., Toolbox]


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path, BEFORE)


@pytest.fixture
async def open_box(bench: Workbench) -> AsyncIterator[OpenBox]:
    """Gives a toolbox with the tool, `open_box(files=..., gate=...)`; closed after the test."""
    boxes: list[Toolbox] = []

    def open_one(files: FileOperations | None = None, gate: Gate = ALLOW_ALL) -> Toolbox:
        toolbox = Toolbox(gate)
        toolbox.add(ApplyPatchSource(bench.folder, files))
        boxes.append(toolbox)
        return toolbox

    yield open_one
    for toolbox in boxes:
        await toolbox.close()


class HeldFiles(WatchedFiles):
    """A disk that stands still before one operation until it is let go."""

    def __init__(self, name: str, path: str, fails: bool = False) -> None:
        self._held = (name, path)
        self._fails = fails
        self._reached = threading.Event()
        self._let_go = threading.Event()

    def around(self, name: str, path: Path, operation: Operation) -> Any:
        wanted, at = self._held
        if name == wanted and at in path.name and not self._let_go.is_set():
            self._reached.set()
            assert self._let_go.wait(DEADLINE_S)
            if self._fails:
                raise full_disk(path)
        return operation()

    async def reached(self) -> None:
        assert await asyncio.to_thread(self._reached.wait, DEADLINE_S)

    def let_go(self) -> None:
        self._let_go.set()


async def test_a_patch_resolves_to_an_empty_object(bench: Workbench, open_box: OpenBox) -> None:
    assert await call(open_box(), "apply_patch", PATCH) == {}
    assert bench.tree == AFTER


async def test_the_person_sees_every_file_and_its_lines(
    bench: Workbench, open_box: OpenBox
) -> None:
    person = Person(Answer.ONCE)
    patch = patch_of(
        *("*** Add File: n", "+one"),
        *(
            "*** Update File: new/../a",
            "*** Move to: ./z",
            "@@",
            "-a",
            "+A",
            "+B",
            "*** End of File",
        ),
        "*** Delete File: b",
    )
    await call(open_box(gate=Gate()), "apply_patch", patch, CallContext(asker=person))
    assert person.questions[0].text == "\n".join(
        [
            f"in {bench.folder}",
            "add n (1 line, in place of a file that may be there)",
            "move a to z (+2 -1)",
            "delete b",
            "",
            "n:",
            "+one",
            "",
            "a:",
            "@@",
            "-a",
            "+A",
            "+B",
            "(( end of the file ))",
        ]
    )


async def test_a_long_file_is_shown_in_part(open_box: OpenBox) -> None:
    person = Person(Answer.NO)
    patch = patch_of("*** Add File: n", *[f"+{n}" for n in range(1000)], "*** Add File: m", "+last")
    with pytest.raises(PolicyRefusedError):
        await call(open_box(gate=Gate()), "apply_patch", patch, CallContext(asker=person))
    lines = person.questions[0].text.split("\n")
    assert len(lines) < 60
    assert "(( 960 more lines of n ))" in lines
    assert lines[-1] == "+last"


async def test_a_no_leaves_the_files_unseen(bench: Workbench, open_box: OpenBox) -> None:
    class Unseen(WatchedFiles):
        def around(self, name: str, path: Path, operation: Operation) -> Any:
            raise AssertionError(f"{name} {path}")

    toolbox = open_box(Unseen(), Gate())
    context = CallContext(asker=Person(Answer.NO))
    with pytest.raises(PolicyRefusedError):
        await call(toolbox, "apply_patch", PATCH, context)
    with pytest.raises(PolicyRefusedError):
        await call(toolbox, "apply_patch", PATCH)
    toolbox.gate = Gate(parse_rules([{"decision": "deny", "destructive": True}]))
    with pytest.raises(PolicyRefusedError):
        await call(toolbox, "apply_patch", PATCH)
    assert bench.tree == BEFORE


@pytest.mark.parametrize(
    "patch, fault",
    [
        ("hello", Fault.SYNTAX),
        (patch_of(), Fault.EMPTY),
        (patch_of("*** Add File: ../x", "+x"), Fault.CONTAINMENT),
        (patch_of("*** Update File: a", "*** Move to: /x", "-a"), Fault.CONTAINMENT),
    ],
)
async def test_nobody_is_asked_about_a_text_that_is_no_patch(
    open_box: OpenBox, patch: str, fault: Fault
) -> None:
    person = Person()
    with pytest.raises(PatchRefusedError) as raised:
        await call(open_box(gate=Gate()), "apply_patch", patch, CallContext(asker=person))
    assert raised.value.fault is fault
    assert person.questions == []


@pytest.mark.parametrize("given", [None, {"input": PATCH}, [PATCH], 1])
async def test_the_patch_is_a_string(open_box: OpenBox, given: Any) -> None:
    with pytest.raises(ToolError, match="tool `apply_patch` expects a string input"):
        await call(open_box(), "apply_patch", given)


async def test_patches_that_come_at_once_are_applied_one_after_the_other(
    bench: Workbench, open_box: OpenBox
) -> None:
    (bench.folder / "n").write_text("end\n")
    toolbox = open_box()
    patches = [patch_of("*** Update File: n", f"+{n}", " end") for n in range(50)]
    await asyncio.gather(*(call(toolbox, "apply_patch", patch) for patch in patches))
    assert bench.tree["n"] == "".join(f"{n}\n" for n in range(50)) + "end\n"


async def test_patches_of_several_sources_wait_for_each_other(
    bench: Workbench, open_box: OpenBox
) -> None:
    (bench.folder / "n").write_text("end\n")
    boxes = [open_box() for _ in range(8)]
    patches = [patch_of("*** Update File: n", f"+{n}", " end") for n in range(64)]
    await asyncio.gather(
        *(call(boxes[n % 8], "apply_patch", patch) for n, patch in enumerate(patches))
    )
    lines = bench.tree["n"].splitlines()
    assert sorted(lines[:-1], key=int) == [str(n) for n in range(64)]


async def test_the_loop_goes_on_while_the_disk_stands_still(open_box: OpenBox) -> None:
    files = HeldFiles("read", "a")
    patch = asyncio.create_task(call(open_box(files), "apply_patch", PATCH))
    await files.reached()
    files.let_go()
    assert await patch == {}


@pytest.mark.parametrize(
    "name, path", [("look", "a"), ("read", "a"), ("write", ".tmp"), ("read", "b"), ("look", ".tmp")]
)
async def test_a_stop_before_the_first_rename_changes_nothing(
    bench: Workbench, open_box: OpenBox, name: str, path: str
) -> None:
    files = HeldFiles(name, path)
    patch = asyncio.create_task(call(open_box(files), "apply_patch", PATCH))
    await files.reached()
    patch.cancel()
    await asyncio.sleep(0)
    files.let_go()
    with pytest.raises(asyncio.CancelledError):
        await patch
    assert bench.tree == BEFORE


@pytest.mark.parametrize("name, path", [("rename", "a"), ("make", "new"), ("remove", "b")])
async def test_a_stop_after_it_lets_the_patch_be_finished_and_told(
    bench: Workbench, open_box: OpenBox, name: str, path: str
) -> None:
    files = HeldFiles(name, path)
    patch = asyncio.create_task(call(open_box(files), "apply_patch", PATCH))
    await files.reached()
    patch.cancel()
    await asyncio.sleep(0)
    files.let_go()
    assert await patch == {}
    assert bench.tree == AFTER


async def test_a_commit_that_breaks_off_after_a_stop_is_told_as_well(
    bench: Workbench, open_box: OpenBox
) -> None:
    files = HeldFiles("rename", "c", fails=True)
    patch = asyncio.create_task(call(open_box(files), "apply_patch", PATCH))
    await files.reached()
    patch.cancel()
    await asyncio.sleep(0)
    files.let_go()
    with pytest.raises(PatchIncompleteError, match="done: update a; make folder new\n"):
        await patch
    assert bench.tree == {"a": "A\n", "b": "b\n"}


async def test_a_patch_that_waits_for_its_turn_is_stopped_at_once(
    bench: Workbench, open_box: OpenBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbridge.sources.apply_patch.STOP_S", 10 * DEADLINE_S)
    files = HeldFiles("read", "a")
    toolbox = open_box(files)
    first = asyncio.create_task(call(toolbox, "apply_patch", PATCH))
    await files.reached()
    second = asyncio.create_task(
        call(toolbox, "apply_patch", patch_of("*** Add File: second", "+x"))
    )
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second], timeout=DEADLINE_S)
    assert second.cancelled()
    assert not first.done()
    files.let_go()
    assert await first == {}
    assert bench.tree == AFTER


async def test_closing_the_toolbox_stops_what_has_not_begun_to_change(
    bench: Workbench, open_box: OpenBox
) -> None:
    files = HeldFiles("read", "a")
    toolbox = open_box(files)
    patch = asyncio.create_task(call(toolbox, "apply_patch", PATCH))
    await files.reached()
    closing = asyncio.create_task(toolbox.close())
    await asyncio.sleep(0)
    files.let_go()
    await closing
    with pytest.raises(ToolError, match="apply_patch was stopped; nothing was changed"):
        await patch
    assert bench.tree == BEFORE


async def test_a_rule_can_speak_of_the_patch(bench: Workbench, open_box: OpenBox) -> None:
    deletes = {"regex": r"(?s).*\*\*\* Delete File.*"}
    gate = Gate(
        parse_rules(
            [
                {"decision": "deny", "tool": "apply_patch", "arguments": {"input": deletes}},
                {"decision": "allow", "source": "apply_patch"},
            ]
        )
    )
    toolbox = open_box(gate=gate)
    with pytest.raises(PolicyRefusedError):
        await call(toolbox, "apply_patch", PATCH)
    await call(toolbox, "apply_patch", patch_of("*** Add File: x", f"+{json.dumps('x')}"))
    assert bench.tree == BEFORE | {"x": '"x"\n'}

"""The capture of one cell: in memory, in files, and when the disk fails."""

import asyncio
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from codemode_host.wire import AudioItem, ImageItem, TextItem
from codemode_kernel.captures.capture import MEMORY_CHARACTERS, MEMORY_ITEMS, Capture, Snapshot
from codemode_kernel.captures.folder import CaptureFolder
from codemode_kernel.captures.writer import Writer
from codemode_kernel.record import CaptureState

from tests.patience import PATIENCE_S

LARGE = "x" * MEMORY_CHARACTERS


class Stage:
    """A capture on a disk that can fail."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = CaptureFolder(root)
        self.writer = Writer()
        self.capture = Capture("cell-1", self.folder, self.writer)

    async def settled(self) -> None:
        await self.capture.settled(PATIENCE_S)

    @property
    def state(self) -> CaptureState:
        return self.capture.snapshot().state

    def files(self) -> dict[str, bytes]:
        found = self.root.rglob("cell-*")
        return {path.name: path.read_bytes() for path in found}


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    stage = Stage(tmp_path / "captures")
    yield stage
    stage.writer.offer(0, stage.folder.remove)
    assert await stage.writer.drained(PATIENCE_S)
    stage.writer.close()


async def test_a_small_output_needs_no_file(stage: Stage) -> None:
    stage.capture.take([TextItem("a"), TextItem("b\n"), TextItem("é")])
    assert stage.state is CaptureState.CAPTURING
    stage.capture.finish("boom")
    assert stage.capture.read(0, 100).decode() == "a\nb\né\nScript error:\nboom\n"
    assert stage.capture.snapshot().path is None
    assert stage.state is CaptureState.COMPLETE
    assert not stage.root.exists()


@pytest.mark.parametrize("items", [[TextItem(LARGE)], [TextItem("")] * MEMORY_ITEMS])
async def test_more_than_memory_holds_goes_to_a_private_file(
    stage: Stage, items: list[TextItem]
) -> None:
    stage.capture.take([TextItem("first"), *items])
    stage.capture.take([TextItem("last")])
    stage.capture.finish(None)
    await stage.settled()
    snapshot = stage.capture.snapshot()
    assert snapshot.path is not None
    written = "first\n" + "".join(f"{item.text}\n" for item in items) + "last\n"
    assert snapshot.path.read_text() == written
    assert stat.S_IMODE(snapshot.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(snapshot.path.parent.stat().st_mode) == 0o700
    assert (snapshot.state, snapshot.bytes) == (CaptureState.COMPLETE, len(written))
    assert snapshot.captured_bytes == snapshot.bytes


async def test_media_of_a_small_output_are_named_and_counted(stage: Stage) -> None:
    image = ImageItem("data:image/png;base64,AAAA", "high")
    stage.capture.take([image, AudioItem("data:;base64,AAAAAA"), ImageItem("data:nothing", "high")])
    text = "[image: image/png, 3 bytes]\n[audio: 4 bytes]\n[image: data:nothing…]\n"
    assert stage.capture.read(0, 200).decode() == text
    assert stage.capture.snapshot().bytes == len(text.encode()) + 3 + 4


async def test_media_have_files_of_their_own(stage: Stage) -> None:
    stage.capture.take([ImageItem("data:image/png;base64,AAAA"), TextItem("between")])
    stage.capture.publish()
    stage.capture.take([AudioItem("data:audio/x-wav;base64,AAEC"), ImageItem("https://x/")])
    await stage.settled()
    files = stage.files()
    assert files["cell-1-image-1.png"] == bytes(3)
    assert files["cell-1-audio-2.wav"] == bytes([0, 1, 2])
    assert files["cell-1.txt"].decode().split("\n") == [
        "[image: image/png, 3 bytes, cell-1-image-1.png]",
        "between",
        "[audio: audio/x-wav, 3 bytes, cell-1-audio-2.wav]",
        "[image: https://x/…]",
        "",
    ]


@pytest.mark.parametrize("subtype", ["", "svg+xml", "a/..", "x" * 5000, "\u0661"])
async def test_a_media_type_that_is_made_up_names_no_file(stage: Stage, subtype: str) -> None:
    stage.capture.publish()
    stage.capture.take([ImageItem(f"data:image/{subtype};base64,AAAA")])
    stage.capture.finish(None)
    await stage.settled()
    assert stage.state is CaptureState.COMPLETE
    assert stage.files().keys() == {"cell-1-image-1", "cell-1.txt"}


async def test_a_full_disk_leaves_the_beginning_and_says_so(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.capture.take([TextItem("kept")])
    stage.capture.publish()
    await stage.settled()

    def full(name: str, data: bytes) -> Path:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(stage.folder, "append", full)
        stage.capture.take([TextItem("lost")])
        await stage.settled()
    stage.capture.take([TextItem("after the gap")])
    stage.capture.finish(None)
    await stage.settled()
    snapshot = stage.capture.snapshot()
    assert snapshot.state is CaptureState.PARTIAL
    assert (snapshot.captured_bytes, snapshot.bytes) == (5, 5 + 5 + 14)
    assert stage.capture.read(0, 100) == b"kept\n"


async def test_without_a_folder_a_capture_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    stage = Stage(tmp_path / "file")
    stage.capture.take([TextItem(LARGE * 2)])
    await stage.settled()
    assert stage.state is CaptureState.UNAVAILABLE
    with pytest.raises(FileNotFoundError):
        stage.capture.read(0, 1)
    stage.writer.close()


async def test_a_file_that_was_replaced_is_left_alone(stage: Stage) -> None:
    stage.capture.take([TextItem("ours")])
    stage.capture.publish()
    await stage.settled()
    path = stage.capture.snapshot().path
    assert path is not None
    other = path.with_name("other")
    other.write_text("theirs")
    other.replace(path)
    stage.capture.take([TextItem("more")])
    await stage.settled()
    assert path.read_text() == "theirs"
    assert stage.state is CaptureState.PARTIAL
    with pytest.raises(FileNotFoundError):
        stage.capture.read(0, 100)
    assert stage.capture.snapshot() == Snapshot(CaptureState.UNAVAILABLE, 10, 0, None)
    stage.folder.remove()
    assert path.read_text() == "theirs"
    path.unlink()
    path.parent.rmdir()


async def test_a_folder_that_was_removed_costs_what_was_in_it_and_no_later_capture(
    stage: Stage,
) -> None:
    stage.capture.take([TextItem("lost")])
    stage.capture.publish()
    await stage.settled()
    path = stage.capture.snapshot().path
    assert path is not None
    shutil.rmtree(path.parent)

    later = Capture("cell-2", stage.folder, stage.writer)
    later.take([TextItem("kept")])
    later.publish()
    await later.settled(PATIENCE_S)
    assert later.read(0, 100) == b"kept\n"

    image = ImageItem("data:image/png;base64,AAAA", "high")
    stage.capture.take([image, TextItem("after a gap")])
    await stage.settled()
    assert stage.state is CaptureState.PARTIAL
    assert b"after a gap" not in b"".join(stage.files().values())


@pytest.mark.parametrize("offset", [5, 6, 10**15, 10**300])
@pytest.mark.parametrize("is_published", [False, True])
async def test_there_is_nothing_beyond_the_end(
    stage: Stage, offset: int, *, is_published: bool
) -> None:
    stage.capture.take([TextItem("text")])
    if is_published:
        stage.capture.publish()
        await stage.settled()
    assert stage.capture.read(offset, 100) == b""


async def test_what_waits_for_the_disk_is_bounded(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    writer = Writer(max_pending=100)
    capture = Capture("cell-1", stage.folder, writer)
    capture.publish()
    gate = asyncio.Event()
    loop = asyncio.get_running_loop()
    held = asyncio.run_coroutine_threadsafe
    writer.offer(0, lambda: held(gate.wait(), loop).result() and None)  # type: ignore[func-returns-value]
    capture.take([TextItem("x" * 60)])
    capture.take([TextItem("y" * 60)])
    assert capture.snapshot().state is CaptureState.UNAVAILABLE
    gate.set()
    assert await writer.drained(PATIENCE_S)
    writer.close()


async def test_what_is_removed_is_gone_for_good(stage: Stage) -> None:
    stage.capture.take([TextItem("a")])
    stage.capture.publish()
    await stage.settled()
    stage.capture.discard()
    stage.capture.take([TextItem("b")])
    stage.writer.offer(0, stage.folder.remove)
    assert await stage.writer.drained(PATIENCE_S)
    assert list(stage.root.iterdir()) == []
    assert stage.state is CaptureState.UNAVAILABLE


@pytest.mark.skipif(os.name == "nt", reason="no locks of this kind")
async def test_a_sweep_takes_what_nobody_owns(tmp_path: Path) -> None:
    from codemode_kernel.captures.folder import OWNER, sweep

    living = CaptureFolder(tmp_path)
    kept = living.append("cell-1.txt", b"mine")
    orphan = tmp_path / "orphan"
    (orphan / "sub").mkdir(parents=True)
    for name in (OWNER, "cell-1.txt"):
        (orphan / name).write_text("left")
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    sweep(tmp_path)
    assert [path.name for path in orphan.iterdir()] == ["sub"]  # it made no folders there
    (orphan / "sub").rmdir()
    (orphan / OWNER).touch()
    sweep(tmp_path)
    assert not orphan.exists()
    assert kept.read_bytes() == b"mine"
    assert foreign.exists()
    living.remove()
    sweep(tmp_path / "absent")


KILLED = """
import os, sys
from pathlib import Path
from codemode_kernel.captures.folder import CaptureFolder

real = getattr(Path, sys.argv[2])
setattr(Path, sys.argv[2], lambda path, *a, **b: (
    real(path, *a, **b) if str(path) == sys.argv[1] else os.kill(os.getpid(), 9)
))
CaptureFolder(Path(sys.argv[1])).append("cell-1.txt", b"never")
"""


@pytest.mark.skipif(os.name == "nt", reason="no locks of this kind")
@pytest.mark.parametrize("step, left", [("mkdir", 1), ("rename", 2)])
def test_a_sweep_takes_what_a_kernel_left_that_was_killed_while_it_made_its_folder(
    tmp_path: Path, step: str, left: int
) -> None:
    from codemode_kernel.captures.folder import sweep

    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), step], check=False)
    assert len(list(tmp_path.iterdir())) == left
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="no locks of this kind")
@pytest.mark.parametrize("step", ["_lock", "mkdir", "rename"])
def test_a_sweep_at_any_moment_spares_a_folder_that_is_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    from codemode_kernel.captures import folder

    owner = folder if step == "_lock" else Path
    real, swept = getattr(owner, step), list[str]()

    def sweeping(*arguments: Any, **options: Any) -> Any:
        if not swept and arguments != (tmp_path,):
            swept.append(step)
            folder.sweep(tmp_path)
        return real(*arguments, **options)

    monkeypatch.setattr(owner, step, sweeping)
    living = CaptureFolder(tmp_path)
    assert living.append("cell-1.txt", b"mine").read_bytes() == b"mine"
    assert swept == [step]
    folder.sweep(tmp_path)
    assert len(list(tmp_path.rglob("*"))) == 3
    living.remove()
    assert list(tmp_path.iterdir()) == []

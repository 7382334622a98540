"""What a model's view costs: a large text, and large images that must not hold up the loop."""

import asyncio
import io
import statistics
import time
from base64 import b64encode
from collections.abc import Iterator

from codemode_host.wire import ImageItem, TextItem
from codemode_kernel.model_view.model_view import ModelView
from codemode_kernel.session.observation import Status
from PIL import Image
from toolbridge.media import MediaPreparation, media_rules

from benchmarks.report import Row, below

TEXT = "0123456789\n" * 1_000_000
IMAGES = 10
SIZE = (4000, 3000)
REPEATS = 5


def measure() -> Iterator[Row]:
    """Rows in the order of the report."""
    taken = statistics.median(_text_milliseconds() for _ in range(REPEATS))
    yield Row("model's view of 10 MB of text", "ms", taken, target=below(50))
    whole, longest = asyncio.run(_images())
    what = f"{IMAGES} images of 12 megapixels prepared"
    yield Row(f"{what}, all", "s", whole)
    yield Row(f"{what}, longest hold-up of the loop", "ms", longest, target=below(20))


def _text_milliseconds() -> float:
    begin = time.perf_counter()
    view = ModelView()
    view.add(TextItem(TEXT))
    view.finish(Status.COMPLETED, "1", 0.0)
    return (time.perf_counter() - begin) * 1e3


async def _images() -> tuple[float, float]:
    """Seconds for all of them, and the longest time in which the loop did nothing else, in ms."""
    items = [ImageItem(_photograph(strength), "high") for strength in range(10, 10 + IMAGES)]
    preparation = MediaPreparation(media_rules("codex"))
    lags: list[float] = []
    watch = asyncio.get_running_loop().create_task(_watch(lags))
    await asyncio.sleep(0)  # it has to watch already when the images come
    begin = time.perf_counter()
    media = preparation.begin()
    view = ModelView(media=media)
    for item in items:
        view.add(item)
    await media.settle()
    whole = time.perf_counter() - begin
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)
    await preparation.close()
    return whole, max(lags) * 1e3


def _photograph(strength: int) -> str:
    target = io.BytesIO()
    Image.effect_noise(SIZE, strength).convert("RGB").save(target, "JPEG", quality=40)
    return f"data:image/jpeg;base64,{b64encode(target.getvalue()).decode()}"


async def _watch(lags: list[float]) -> None:
    """Note how late each turn of the loop is."""
    pause = 0.001
    while True:
        begin = time.perf_counter()
        await asyncio.sleep(pause)
        lags.append(time.perf_counter() - begin - pause)

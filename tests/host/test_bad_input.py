"""Ten thousand random and mutated frames: never a hang, never a crash without a message."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest
from codemode_host.engine.frames import Kind
from codemode_host.errors import EngineError, ProtocolError
from codemode_host.framing import frame
from codemode_host.wire import decode_client_message, decode_host_message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.host.mutations import malformed, well_formed
from tests.host.raw_host import RawHost
from tests.host.stage import Stage

pytestmark = pytest.mark.slow

OWN_PROCESSES = 60
"""A fatal message needs a host of its own, so only so many of them are sent to one."""

WELL_FORMED = 3000
MALFORMED = 7000


@dataclass
class Corpus:
    """Messages by what they do to a host whose session `s` has a cell with a call under way."""

    harmless: list[bytes] = field(default_factory=list)
    fatal: list[bytes] = field(default_factory=list)


def refusal(read: Callable[[], object]) -> str | None:
    """Why something is refused; any other error is a crash and fails the test."""
    try:
        read()
    except (ProtocolError, EngineError) as error:
        return str(error)
    return None


def often(count: int) -> settings:
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    corpus = Corpus()

    def sort(payload: bytes) -> None:
        stage = Stage()
        stage.execute()
        stage.call(1)
        why = refusal(lambda: stage.connection.receive(decode_client_message(payload), stage.now))
        assert why != ""
        (corpus.harmless if why is None else corpus.fatal).append(payload)

    for frames, count in ((well_formed, WELL_FORMED), (malformed, MALFORMED)):
        often(count)(given(frames)(sort))()
    return corpus


def test_the_host_takes_or_refuses_each_of_them(corpus: Corpus) -> None:
    assert len(corpus.harmless) > WELL_FORMED / 2
    assert len(corpus.fatal) > MALFORMED / 2
    assert len(corpus.harmless) + len(corpus.fatal) >= WELL_FORMED + MALFORMED


def test_a_client_takes_or_refuses_each_of_them(corpus: Corpus) -> None:
    for payload in corpus.harmless + corpus.fatal:
        assert refusal(partial(decode_host_message, payload)) != ""


async def test_a_host_process_takes_the_harmless_ones(
    host_command: Sequence[str], corpus: Corpus
) -> None:
    async with RawHost(host_command) as host:
        await host.open()
        for number, payload in enumerate(corpus.harmless):
            message = json.loads(payload)
            if message["type"] == "operation/request":
                message["id"] = 1_000_000 + number  # ids of requests must differ
            host.send(message)
        last = {"method": "session/open", "sessionId": "last"}
        host.send({"type": "operation/request", "id": -1, "request": last})
        *_, answer = await host.until(lambda message: message.get("id") == -1)
        assert answer["result"]["status"] == "ok"
        host.close_stdin()
        await host.rest()
        assert (await host.end())[0] == 0


async def test_a_host_process_ends_with_a_word_at_the_fatal_ones(
    host_command: Sequence[str], corpus: Corpus
) -> None:
    different = sorted(set(corpus.fatal), key=len)
    for payload in different[:: len(different) // OWN_PROCESSES]:
        async with RawHost(host_command) as host:
            await host.open()
            host.send_bytes(frame(payload))
            assert await host.rest() == [], payload
            status, said = await host.end()
        assert status == 1, payload
        assert said.startswith("codemode-host: failed to read code-mode client message: "), payload
        assert "Traceback" not in said


@often(2000)
@given(st.sampled_from([*Kind, 99]), st.integers(0, 2), malformed)
def test_a_cell_takes_or_refuses_what_its_worker_sends(
    kind: int, number: int, payload: bytes
) -> None:
    stage = Stage()
    stage.execute()
    assert refusal(lambda: stage.cells["1"].frame(kind, number, payload, stage.now)) != ""

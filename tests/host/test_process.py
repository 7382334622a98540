"""The host as a process: how it is started, how it ends, and what it stands."""

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from codemode_host.framing import FrameReader, frame
from codemode_host.output import OVERLONG_NOTICE
from codemode_host.wire import Hello, Ready, decode_host_message, encode

from tests.host.raw_host import HELLO, RawHost, outcome
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

MIB = 1024 * 1024


@pytest.fixture
def command(host_command: Sequence[str]) -> list[str]:
    return list(host_command)


class TestStart:
    @pytest.mark.parametrize("arguments", [[], ["--listen", "stdio"], ["--listen", "stdio://"]])
    async def test_it_listens_on_stdio(self, command: list[str], arguments: list[str]) -> None:
        async with RawHost([*command[:-2], *arguments]) as host:
            host.send(HELLO)
            assert (await host.receive())["type"] == "connection/ready"

    async def test_it_listens_on_nothing_else(self, command: list[str]) -> None:
        async with RawHost([*command[:-2], "--listen", "tcp://:1"]) as host:
            status, said = await host.end()
        assert status == 2
        assert "tcp://:1" in said

    def test_one_socket_may_be_both_ends(self, command: list[str]) -> None:
        ours, theirs = socket.socketpair()
        with (
            ours,
            subprocess.Popen(command, stdin=theirs.fileno(), stdout=theirs.fileno()) as process,
        ):
            theirs.close()
            ours.settimeout(PATIENCE_S)
            ours.sendall(frame(encode(Hello([1], [], []))))
            (payload,) = FrameReader().feed(ours.recv(4096))
            assert decode_host_message(payload) == Ready(1, [])
            ours.shutdown(socket.SHUT_RDWR)
            assert process.wait(PATIENCE_S) == 0

    def test_files_may_be_both_ends(self, command: list[str], tmp_path: Path) -> None:
        asked, answered = tmp_path / "asked", tmp_path / "answered"
        asked.write_bytes(frame(encode(Hello([1], [], []))))
        with asked.open("rb") as stdin, answered.open("wb") as stdout:
            ended = subprocess.run(
                command, stdin=stdin, stdout=stdout, timeout=PATIENCE_S, check=False
            )
        (payload,) = FrameReader().feed(answered.read_bytes())
        assert decode_host_message(payload) == Ready(1, [])
        assert ended.returncode == 0

    def test_nothing_to_read_is_a_clean_end(self, command: list[str]) -> None:
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


class TestEnd:
    @pytest.mark.parametrize(
        "source",
        [None, "while (true) {}", "for (;;) await null", "await tools.t()", "for (;;) text('x')"],
    )
    async def test_the_end_of_input_is_a_clean_end(
        self, command: list[str], source: str | None
    ) -> None:
        async with RawHost(command) as host:
            await host.open()
            if source is not None:
                host.execute(source)
                await host.until_type("operation/response")
            host.close_stdin()
            assert await host.end() == (0, "")

    @pytest.mark.parametrize(
        "data,reason",
        [
            (frame(b"{not json"), "failed to decode code-mode IPC frame: "),
            (frame(b""), "failed to decode code-mode IPC frame: "),
            (frame(b"[1, 2]"), "failed to decode code-mode IPC frame: "),
            (b"\xff\xff\xff\x7f", "code-mode IPC frame length 2147483647 exceeds 67108864 bytes"),
            (b"\x10\x00\x00\x00{", "code-mode IPC stream ended inside a frame"),
        ],
        ids=["not json", "empty", "array", "oversized", "truncated"],
    )
    async def test_a_malformed_frame_is_the_end_with_a_word_why(
        self, command: list[str], data: bytes, reason: str
    ) -> None:
        async with RawHost(command) as host:
            await host.open()
            host.execute("while (true) {}")
            await host.until_type("operation/response")
            host.send_bytes(data)
            host.close_stdin()
            assert await host.rest() == []
            status, said = await host.end()
        assert status == 1
        assert said.startswith("codemode-host: ")
        assert reason in said

    async def test_an_interrupt_from_the_console_is_the_clients_business(
        self, command: list[str]
    ) -> None:
        async with RawHost(command) as host:
            await host.open()
            host.process.send_signal(signal.SIGINT)
            host.execute("text('alive')")
            answer = await host.until_type("execute/initialResponse")
        assert outcome(answer) == ("Result", ["alive"], None)

    async def test_answers_that_are_due_are_still_sent(self, command: list[str]) -> None:
        async with RawHost(command) as host:
            host.send(HELLO)
            host.close_stdin()
            assert [message["type"] for message in await host.rest()] == ["connection/ready"]
            assert await host.end() == (0, "")

    async def test_a_fault_of_ours_ends_with_a_word_instead_of_a_hang(self) -> None:
        broken = "import codemode_host.cell as cell; cell.Cell.observe = None; import sys; "
        main = "from codemode_host.__main__ import main; sys.exit(main([]))"
        async with RawHost([sys.executable, "-c", broken + main]) as host:
            await host.open()
            host.execute("await tools.t()", 0)
            host.request("session/wait", request={"cell_id": "1", "yield_time_ms": 1})
            await host.rest()
            status, said = await host.end()
        assert status == 1
        assert "'NoneType' object is not callable" in said


class TestDeadlines:
    async def test_a_wait_before_the_first_worker_is_there_ends_in_time(
        self, command: list[str]
    ) -> None:
        async with RawHost(command) as host:
            host.send({**HELLO, "optionalCapabilities": []})
            host.request("session/open")
            host.execute("await tools.t()", 0)
            wait = host.request("session/wait", request={"cell_id": "1", "yield_time_ms": 1})
            *_, answer = await host.until(lambda message: message.get("id") == wait)
        assert "Yielded" in answer["result"]["value"]["outcome"]["LiveCell"]


class TestFaults:
    async def test_a_cell_that_is_given_a_dead_spare_gets_another(self, command: list[str]) -> None:
        async with RawHost(command) as host:
            await host.open()
            host.execute("text('first')")
            await host.until_type("execute/initialResponse")
            process = psutil.Process(host.process.pid)
            process.suspend()  # it finds the cell and the deaths at the same time
            for zygote in process.children():
                for spare in zygote.children():
                    with suppress(psutil.NoSuchProcess):  # the first cell's worker
                        spare.kill()
            host.execute("text('second')")
            process.resume()
            answer = await host.until_type("execute/initialResponse")
        assert outcome(answer) == ("Result", ["second"], None)


class TestLimits:
    async def test_a_session_can_limit_the_heap_of_its_cells(self, command: list[str]) -> None:
        async with RawHost(command) as host:
            host.send(HELLO)
            host.request("session/open", cellExecutionLimits={"maxHeapSizeBytes": 16 * MIB})
            host.execute("let all = null; for (;;) all = {all}")
            answer = await host.until_type("execute/initialResponse")
        kind, _, error = outcome(answer)
        assert kind == "Result"
        assert "JavaScript heap is limited to 16 MiB" in (error or "")


class TestLoad:
    @pytest.mark.parametrize("count", [200, 1000, 5000])
    async def test_a_burst_of_calls_works(self, command: list[str], count: int) -> None:
        async with RawHost(command) as host:
            await host.open()
            host.execute(
                f"const calls = Array.from({{length: {count}}}, (_, i) => tools.t(i));\n"
                "const all = await Promise.all(calls);\n"
                "text(all.every((value, i) => value === i)); text(all.length)"
            )
            while (message := await host.receive())["type"] != "execute/initialResponse":
                if message["type"] == "delegate/request":
                    argument = message["request"]["invocation"]["input"]
                    value = {"type": "tool/result", "result": argument}
                    result = {"status": "ok", "value": value}
                    host.send({"type": "delegate/response", "id": message["id"], "result": result})
        assert outcome(message) == ("Result", ["true", str(count)], None)

    async def test_a_burst_that_nobody_answers_can_be_terminated(self, command: list[str]) -> None:
        async with RawHost(command) as host:
            await host.open()
            host.execute("for (let i = 0; ; i++) tools.t(i)")
            await host.until(lambda message: message.get("id") == 1024)
            host.terminate()
            *_, answer = await host.until(lambda message: message["type"] == "cell/closed")
            host.execute("text('next')")
            answer = await host.until_type("execute/initialResponse")
            assert outcome(answer) == ("Result", ["next"], None)
            assert memory_mib(host) < 300

    async def test_a_slow_client_slows_the_script_and_nothing_grows(
        self, command: list[str]
    ) -> None:
        async with RawHost(command) as host:
            await host.open("content-stream-v1")
            host.execute("const line = 'x'.repeat(999); for (;;) text(line)", 0)
            await until_all_sleep(host)
            assert memory_mib(host) < 60
            host.terminate()
            messages = await host.until(lambda message: message["type"] == "cell/closed")
        contents = [message for message in messages if message["type"] == "cell/content"]
        seq = 1
        for content in contents:
            assert content["seq"] == seq
            seq += len(content["items"])
        (answer,) = (
            message["result"]["value"]["outcome"]["LiveCell"]["Terminated"]
            for message in messages
            if message.get("result", {}).get("value", {}).get("type") == "wait/completed"
        )
        assert answer["content_seq"] == seq - 1
        assert answer["content_items"] == []

    async def test_output_that_nobody_collects_is_bounded(self, command: list[str]) -> None:
        async with RawHost(command) as host:
            await host.open()
            host.execute("const m = 'x'.repeat(1 << 20); for (let i = 0; i < 150; i++) text(m)")
            answer = await host.until_type("execute/initialResponse")
            peak = memory_mib(host)
        kind, texts, _ = outcome(answer)
        assert kind == "Result"
        assert len(texts) == 64
        assert texts[-1].startswith("Code mode output was truncated because")
        assert peak < 400

    async def test_an_item_that_fits_no_frame_is_a_notice_in_the_stream(
        self, command: list[str]
    ) -> None:
        async with RawHost(command) as host:
            await host.open("content-stream-v1")
            host.execute(f"text('a'); text('x'.repeat({65 * MIB})); text('b')")
            messages = await host.until(lambda message: message["type"] == "cell/closed")
        texts = [item["text"] for message in messages for item in message.get("items", ())]
        assert texts == ["a", OVERLONG_NOTICE, "b"]

    async def test_a_large_result_of_a_tool_arrives(self, command: list[str]) -> None:
        async with RawHost(command) as host:
            await host.open()
            host.execute("text((await tools.t()).length)")
            request = await host.until_type("delegate/request")
            value = {"type": "tool/result", "result": "é" * (16 * MIB)}
            result = {"status": "ok", "value": value}
            host.send({"type": "delegate/response", "id": request["id"], "result": result})
            answer = await host.until_type("execute/initialResponse")
        assert outcome(answer) == ("Result", [str(16 * MIB)], None)


def memory_mib(host: RawHost) -> float:
    return float(psutil.Process(host.process.pid).memory_info().rss) / MIB


async def until_all_sleep(host: RawHost) -> None:
    """Until the host and its workers have stopped making progress: all wait for the client."""
    process = psutil.Process(host.process.pid)
    family = [process, *process.children(recursive=True)]
    spent = -1.0
    while True:
        now = sum(sum(member.cpu_times()[:2]) for member in family)
        if now == spent:
            return
        spent = now
        await asyncio.sleep(0.3)

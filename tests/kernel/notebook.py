"""A front end for tests: runs cells in a real kernel and keeps every message by its request."""

import time
from collections import defaultdict
from collections.abc import Callable
from queue import Empty
from typing import Any
from uuid import uuid4

from codemode_kernel.messages.sender import STAMP
from codemode_kernel.record import MIME
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.patience import PATIENCE_S

Message = dict[str, Any]


def _is_record(message: Message) -> bool:
    return MIME in message["content"].get("data", {})


def _client_of_its_own(manager: KernelManager) -> BlockingKernelClient:
    """A client whose message ids are none of the manager's, which sends each Stop itself."""
    client: BlockingKernelClient = manager.client()
    client.session = client.session.clone()
    client.session.session = uuid4().hex
    return client


class Execution:
    """One cell that was sent, and what has come for it so far."""

    def __init__(self, notebook: "Notebook", msg_id: str) -> None:
        self.msg_id = msg_id
        self._notebook = notebook

    @property
    def every_message(self) -> list[Message]:
        """IOPub messages whose parent is this cell, without status and input."""
        return [
            message
            for message in self._notebook.iopub[self.msg_id]
            if message["msg_type"] not in ("status", "execute_input")
        ]

    @property
    def messages(self) -> list[Message]:
        """Those that are no record: what the cell shows."""
        return [message for message in self.every_message if not _is_record(message)]

    @property
    def records(self) -> list[Message]:
        """Contents of the messages with a record, in order: of this request, not of this cell."""
        return [message["content"] for message in self.every_message if _is_record(message)]

    @property
    def record(self) -> Message:
        """The one record of this cell."""
        (content,) = self.records
        record: Message = content["data"][MIME]
        return record

    @property
    def first_record(self) -> Message:
        """The record as it was when the cell gave the notebook back; later ones bring it up to
        date."""
        record: Message = self.records[0]["data"][MIME]
        return record

    @property
    def quiet_line(self) -> str | None:
        """What the record's line says to who does not see the record; None without one."""
        (content,) = self.records
        line: str | None = content["data"].get("text/plain")
        return line

    @property
    def kinds(self) -> list[str]:
        return [message["msg_type"] for message in self.messages]

    def of(self, kind: str) -> list[Message]:
        """Contents of the messages of one type."""
        return [message["content"] for message in self.messages if message["msg_type"] == kind]

    def text(self, name: str = "stdout") -> str:
        """Everything written to one stream."""
        return "".join(content["text"] for content in self.of("stream") if content["name"] == name)

    @property
    def footer(self) -> str:
        """The footer's plain text as it is now; empty without one."""
        shown = [*self.of("display_data"), *self.of("update_display_data")]
        texts = [content["data"]["text/plain"] for content in shown]
        return next((text for text in reversed(texts) if text.startswith("[Cell ")), "")

    @property
    def reply(self) -> Message | None:
        """The content of the reply, once it has come."""
        return self._notebook.replies.get(self.msg_id)

    @property
    def is_idle(self) -> bool:
        return any(
            message["msg_type"] == "status" and message["content"]["execution_state"] == "idle"
            for message in self._notebook.iopub[self.msg_id]
        )

    def done(self) -> "Execution":
        """Wait for reply and idle."""
        return self.until(lambda: self.reply is not None and self.is_idle)

    def until(self, condition: Callable[[], bool]) -> "Execution":
        """Take messages until `condition` holds."""
        self._notebook.until(condition)
        return self

    @property
    def status(self) -> str:
        self.done()
        assert self.reply is not None
        return str(self.reply["status"])


class Notebook:
    """A client of one running kernel."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient | None = None) -> None:
        """By default it gets a client of its own."""
        self.manager = manager
        self.iopub: dict[str, list[Message]] = defaultdict(list)
        self.replies: dict[str, Message] = {}
        self.questions: list[Message] = []
        self.client: BlockingKernelClient = client or _client_of_its_own(manager)
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE_S)

    def send(
        self,
        code: str,
        *,
        allow_stdin: bool = True,
        silent: bool = False,
        cell_id: str | None = None,
        principal: str | None = None,
        **content: Any,
    ) -> Execution:
        """Send a cell without waiting for anything; `principal` is whom a server would name."""
        metadata = {"cellId": cell_id} if cell_id else {}
        if principal is not None:
            metadata[STAMP] = principal
        request = self.client.session.msg(
            "execute_request",
            {
                "code": code,
                "silent": silent,
                "store_history": not silent,
                "user_expressions": {},
                "allow_stdin": allow_stdin,
                "stop_on_error": True,
                **content,
            },
            metadata=metadata,
        )
        self.client.shell_channel.send(request)
        return Execution(self, request["header"]["msg_id"])

    def run(self, code: str, **options: Any) -> Execution:
        """Send a cell and wait until it is done."""
        return self.send(code, **options).done()

    def ask(self, kind: str, *, principal: str | None = None, **content: Any) -> Message:
        """Send any other shell request; the content of its reply."""
        metadata = None if principal is None else {STAMP: principal}
        request = self.client.session.msg(f"{kind}_request", content, metadata=metadata)
        msg_id = request["header"]["msg_id"]
        self.client.shell_channel.send(request)
        self.until(lambda: msg_id in self.replies)
        return self.replies[msg_id]

    @property
    def pid(self) -> int:
        """The kernel's process."""
        provisioner: Any = self.manager.provisioner
        pid: int = provisioner.pid
        return pid

    def stop(self) -> None:
        """Press Stop."""
        self.manager.interrupt_kernel()

    def restart(self) -> None:
        """Restart the kernel, as the button does."""
        self.manager.restart_kernel()
        self.client.wait_for_ready(timeout=PATIENCE_S)

    def answer(self, text: str) -> None:
        """Wait for an input box and type into it."""
        self.until(lambda: bool(self.questions))
        self.questions.pop(0)
        self.client.input(text)

    def until(self, condition: Callable[[], bool]) -> None:
        """Take messages until `condition` holds; fails after `PATIENCE_S`."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"it did not come to pass; so far:\n{self._told()}")
            self._take(0.02)

    def run_for(self, seconds: float) -> None:
        """Take what comes in `seconds`: for tests that something does not happen."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._take(0.02)

    def _told(self) -> str:
        """The last messages, one a line."""
        messages = [message for of_one in self.iopub.values() for message in of_one]
        lines = [f"{message['msg_type']}: {message['content']}"[:300] for message in messages]
        return "\n".join(lines[-20:])

    def _take(self, wait_s: float) -> None:
        client = self.client
        for get, keep in (
            (client.get_shell_msg, self._keep_reply),
            (client.get_stdin_msg, self.questions.append),
            (client.get_iopub_msg, self._keep_output),
        ):
            try:
                keep(get(timeout=wait_s if get == client.get_iopub_msg else 0))
            except Empty:
                continue

    def _keep_reply(self, message: Message) -> None:
        self.replies[message["parent_header"]["msg_id"]] = message["content"]

    def _keep_output(self, message: Message) -> None:
        self.iopub[message["parent_header"].get("msg_id", "")].append(message)

    def close(self) -> None:
        self.client.stop_channels()

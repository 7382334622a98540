"""A page with our extension, as far as the kernel can tell."""

from typing import Any
from uuid import uuid4

from codemode_kernel.messages.sender import STAMP
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.notebook import Message, Notebook


class Page(Notebook):
    """A client with a session of its own and a control comm."""

    def __init__(self, manager: KernelManager) -> None:
        client = BlockingKernelClient()
        client.load_connection_file(manager.connection_file)
        super().__init__(manager, client)
        self.comm_id = uuid4().hex
        self.principal: str | None = None
        """Whom the server names as its user."""
        self.told: list[Message] = []
        """What the kernel said on the comm, oldest first."""
        self.all_told: list[Message] = []
        """The same, and nothing is taken from it."""
        self.timeline: list[Message] = []
        """Every IOPub message in the order it came."""
        self.is_closed = False

    def open(self, **data: Any) -> None:
        """Open the comm; `data` is its first message."""
        self._send("comm_open", {"target_name": "codemode.control", "data": data})

    def say(self, type: str, **fields: Any) -> None:
        """Send a message."""
        self.send_content({"data": {"type": type, **fields}})

    def send_content(self, content: Message) -> None:
        """Send any content on the comm."""
        self._send("comm_msg", content)

    def attach(self, *cells: Message, **fields: Any) -> Message:
        """Open the comm with an attach; the snapshot."""
        self.open(type="attach", version=1, cells=list(cells), **fields)
        return self.hear("snapshot")

    def hear(self, kind: str) -> Message:
        """Wait for the first message of a type that was not heard yet, and take it."""
        self.until(lambda: any(message["type"] == kind for message in self.told))
        found = next(message for message in self.told if message["type"] == kind)
        self.told.remove(found)
        return found

    def hear_of(self, cell_id: str, happened: str) -> Message:
        """Wait for an event of a cell; the cell as the event tells it."""
        self.until(lambda: bool(self._told_of(cell_id, happened)))
        return self._told_of(cell_id, happened)[0]

    def _told_of(self, cell_id: str, happened: str) -> list[Message]:
        return [
            event["cell"]
            for message in self.all_told
            for event in message.get("cells", [])
            if message["type"] == "events"
            and event["cell"]["cell_id"] == cell_id
            and happened in event["happened"]
        ]

    def order(self, id: str, type: str, **fields: Any) -> Message:
        """Send a command; its answer."""
        self.say(type, id=id, **fields)
        self.until(lambda: any(message.get("id") == id for message in self.told))
        return next(message for message in self.told if message.get("id") == id)

    def is_idle(self, run: str) -> bool:
        """Whether the run of that message id has left the foreground."""
        return any(
            message["content"].get("execution_state") == "idle" for message in self.iopub[run]
        )

    def text_after_replay(self, run: str) -> str:
        """Stream text of a run that came after its replay."""
        replays = (
            index
            for index, message in enumerate(self.timeline)
            if message["msg_type"] == "comm_msg"
            and message["content"]["comm_id"] == self.comm_id
            and message["content"]["data"]["type"] == "replay"
            and any(told["run"] == run for told in message["content"]["data"]["runs"])
        )
        later = self.timeline[next(replays) :]
        return "".join(
            message["content"]["text"]
            for message in later
            if message["msg_type"] == "stream" and message["parent_header"]["msg_id"] == run
        )

    def leave(self) -> None:
        """Close the comm."""
        self._send("comm_close", {"data": {}})

    def _send(self, kind: str, content: Message) -> None:
        metadata = {STAMP: self.principal} if self.principal else None
        content = {"comm_id": self.comm_id, **content}
        message = self.client.session.msg(kind, content, metadata=metadata)
        self.client.shell_channel.send(message)

    def _keep_output(self, message: Message) -> None:
        super()._keep_output(message)
        self.timeline.append(message)
        if message["content"].get("comm_id") == self.comm_id:
            self.is_closed |= message["msg_type"] == "comm_close"
            if message["msg_type"] == "comm_msg":
                self.told.append(message["content"]["data"])
                self.all_told.append(message["content"]["data"])

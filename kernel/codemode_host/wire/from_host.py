"""What a host says (contract 11.2, 11.4)."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, Raw, UnsetType

from codemode_host.wire.payloads import ContentItem, Failure, Invocation
from codemode_host.wire.shapes import DelegateId, Envelope, Payload, RequestId, Unsigned


class NoCompatibleVersion(Envelope, frozen=True, tag_field="type", tag="noCompatibleVersion"):
    supported_versions: list[int]


class MissingRequiredCapability(
    Envelope, frozen=True, tag_field="type", tag="missingRequiredCapability"
):
    capability: str


class InvalidHello(Envelope, frozen=True, tag_field="type", tag="invalidHello"):
    message: str


RejectionReason: TypeAlias = NoCompatibleVersion | MissingRequiredCapability | InvalidHello


class Ready(Envelope, frozen=True, tag_field="type", tag="connection/ready"):
    """`capabilities`: what both sides know, sorted."""

    selected_version: int
    capabilities: list[str]


class Rejected(Envelope, frozen=True, tag_field="type", tag="connection/rejected"):
    reason: RejectionReason


class Yielded(Payload, frozen=True):
    """The cell goes on; `content_items` is what it emitted since the previous observation.

    With `content-stream-v1` `content_items` is empty and `content_seq` is the number of the last
    item that belongs to this observation (0 when the cell has emitted none so far).
    """

    cell_id: str
    content_items: list[ContentItem]
    code_mode_host_duration_ns: Unsigned
    content_seq: Unsigned | UnsetType = UNSET


class Terminated(Yielded, frozen=True):
    """The cell was ended from outside; fields as in `Yielded`."""


class Result(Payload, frozen=True):
    """The cell ended by itself; `error_text` is None when it completed. Durations in ns."""

    cell_id: str
    content_items: list[ContentItem]
    code_mode_host_duration_ns: Unsigned
    error_text: str | None = None
    result_buffered_for_ns: Unsigned | UnsetType = UNSET
    content_seq: Unsigned | UnsetType = UNSET


class RuntimeResponse(
    Payload,
    frozen=True,
    omit_defaults=True,
    rename={"yielded": "Yielded", "terminated": "Terminated", "result": "Result"},
):
    """How an observation ended; externally tagged, so exactly one field is set."""

    yielded: Yielded | UnsetType = UNSET
    terminated: Terminated | UnsetType = UNSET
    result: Result | UnsetType = UNSET

    def __post_init__(self) -> None:
        if [self.yielded, self.terminated, self.result].count(UNSET) != 2:
            raise ValueError("expected exactly one of `Yielded`, `Terminated`, `Result`")

    @property
    def body(self) -> Yielded | Terminated | Result:
        """The one variant that is set."""
        for variant in (self.yielded, self.terminated, self.result):
            if variant is not UNSET:
                return variant
        raise AssertionError("one variant is always set")


class WaitOutcome(
    Payload,
    frozen=True,
    omit_defaults=True,
    rename={"live_cell": "LiveCell", "missing_cell": "MissingCell"},
):
    """Externally tagged: the cell was there, or it was not."""

    live_cell: RuntimeResponse | UnsetType = UNSET
    missing_cell: RuntimeResponse | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.live_cell is UNSET) == (self.missing_cell is UNSET):
            raise ValueError("expected exactly one of `LiveCell`, `MissingCell`")


class SessionReady(Envelope, frozen=True, tag_field="type", tag="session/ready"):
    session_id: str


class ExecutionStarted(Envelope, frozen=True, tag_field="type", tag="execution/started"):
    cell_id: str


class WaitCompleted(Envelope, frozen=True, tag_field="type", tag="wait/completed"):
    """Answers a wait and a terminate."""

    outcome: WaitOutcome


class SessionClosed(Envelope, frozen=True, tag_field="type", tag="session/closed"):
    session_id: str


class StoredValues(Envelope, frozen=True, tag_field="type", tag="session/storedValues"):
    """The committed values by key, each as its JSON."""

    session_id: str
    values: dict[str, Raw]


class StoredCleared(Envelope, frozen=True, tag_field="type", tag="session/storedCleared"):
    session_id: str


class HostDescription(Envelope, frozen=True, tag_field="type", tag="session/hostDescription"):
    """The engine by name and version; each hardening layer, `active` or why it is not."""

    session_id: str
    engine: str
    layers: dict[str, str]
    """Of the newest worker; empty before there is one."""


OperationValue: TypeAlias = (
    SessionReady
    | ExecutionStarted
    | WaitCompleted
    | SessionClosed
    | StoredValues
    | StoredCleared
    | HostDescription
)


class OperationOk(Envelope, frozen=True, tag_field="status", tag="ok"):
    value: OperationValue


class OperationResponse(Envelope, frozen=True, tag_field="type", tag="operation/response"):
    id: RequestId
    result: OperationOk | Failure


class InitialOk(Envelope, frozen=True, tag_field="status", tag="ok"):
    value: RuntimeResponse


class InitialResponse(Envelope, frozen=True, tag_field="type", tag="execute/initialResponse"):
    """How the first observation of a cell ended; `id` is the execute's."""

    id: RequestId
    result: InitialOk | Failure


class ToolInvoke(Envelope, frozen=True, tag_field="type", tag="tool/invoke"):
    invocation: Invocation


class NotificationSend(Envelope, frozen=True, tag_field="type", tag="notification/send"):
    """`call_id` is the `tool_call_id` of the cell's execute request."""

    call_id: str
    cell_id: str
    text: str


class DelegateRequest(Envelope, frozen=True, tag_field="type", tag="delegate/request"):
    id: DelegateId
    session_id: str
    request: ToolInvoke | NotificationSend


class DelegateCancel(Envelope, frozen=True, tag_field="type", tag="delegate/cancel"):
    id: DelegateId


class CellClosed(Envelope, frozen=True, tag_field="type", tag="cell/closed"):
    session_id: str
    cell_id: str


class CellBegun(Envelope, frozen=True, tag_field="type", tag="cell/begun"):
    """The script is about to run, and with it the clock of its execute (`cell-begun-v1`)."""

    session_id: str
    cell_id: str


class CellContent(Envelope, frozen=True, tag_field="type", tag="cell/content"):
    """Items as a cell emits them (`content-stream-v1`).

    `seq` is the number of the first item of `items`; the items of a cell count from 1. The first
    message of a cell has no items: it says that the script is about to run.
    """

    session_id: str
    cell_id: str
    seq: Unsigned
    items: list[ContentItem]


HostMessage: TypeAlias = (
    Ready
    | Rejected
    | OperationResponse
    | InitialResponse
    | DelegateRequest
    | DelegateCancel
    | CellBegun
    | CellClosed
    | CellContent
)

"""The messages of protocol V1, in both directions (contract 11.2 to 11.4).

Envelopes and methods are camelCase on the wire, payload objects snake_case. Decoding is strict:
an unknown type, an unknown or missing field and a wrong type are all `ProtocolError`s. JSON that
is only passed on (tool input, tool results, schemas) stays a `msgspec.Raw`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from codemode_rules.white_space import WHITE_SPACE
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from codemode_host.errors import ProtocolError
from codemode_host.raw_json import check_unique_keys, check_utf8

U64_MAX = 2**64 - 1

RequestId: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""Chosen by the client, unique on its connection; i64."""
DelegateId: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""Chosen by the host: 1, 2, ... on a connection; i64."""
Unsigned: TypeAlias = Annotated[int, Meta(ge=0)]
"""A u64; the fields that clients send are checked against `U64_MAX` as well."""
TokenBudget: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
"""An i32; that it must not be negative is an error of the request, not of the frame."""


NULL = Raw(b"null")
"""Absent JSON. A `Raw | None` would not do: msgspec then decodes nothing but null."""


class _Envelope(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Base of messages and methods."""


class _Payload(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of payload objects."""


def _check_u64(field: str, value: int | UnsetType | None) -> None:
    if isinstance(value, int) and value > U64_MAX:
        raise ValueError(f"`{field}` is above {U64_MAX}")


def _check_session_id(session_id: str) -> None:
    if not session_id.strip(WHITE_SPACE):
        raise ValueError("`sessionId` must not be blank")


# Payload objects


class TextItem(_Payload, frozen=True, tag_field="type", tag="input_text"):
    text: str


class ImageItem(_Payload, frozen=True, tag_field="type", tag="input_image", omit_defaults=True):
    image_url: str
    detail: Literal["auto", "low", "high", "original"] | None = None


class AudioItem(_Payload, frozen=True, tag_field="type", tag="input_audio"):
    audio_url: str


ContentItem: TypeAlias = TextItem | ImageItem | AudioItem


class ToolName(_Payload, frozen=True):
    """A tool's own name; `namespace` is None in the default one."""

    name: str
    namespace: str | None = None


ToolKind: TypeAlias = Literal["function", "freeform"]


class ToolDefinition(_Payload, frozen=True):
    """One tool a cell may call. The host makes the callable identifier of `name` itself."""

    name: str
    tool_name: ToolName
    description: str
    kind: ToolKind
    input_schema: Raw = NULL
    output_schema: Raw = NULL


class ExecuteRequest(_Payload, frozen=True):
    """`yield_time_ms` in milliseconds, None for the default; `max_output_tokens` is not used."""

    tool_call_id: str
    enabled_tools: list[ToolDefinition]
    source: str
    yield_time_ms: Unsigned | None = None
    max_output_tokens: TokenBudget | None = None

    def __post_init__(self) -> None:
        _check_u64("yield_time_ms", self.yield_time_ms)


class WaitRequest(_Payload, frozen=True):
    """`yield_time_ms` in milliseconds."""

    cell_id: str
    yield_time_ms: Unsigned

    def __post_init__(self) -> None:
        _check_u64("yield_time_ms", self.yield_time_ms)


class CellExecutionLimits(_Envelope, frozen=True, omit_defaults=True):
    """Bounds of every cell of a session: milliseconds, bytes."""

    max_yield_time_ms: Unsigned | None = None
    max_heap_size_bytes: Unsigned | None = None

    def __post_init__(self) -> None:
        _check_u64("maxYieldTimeMs", self.max_yield_time_ms)
        _check_u64("maxHeapSizeBytes", self.max_heap_size_bytes)


# Client to host


class Hello(_Envelope, frozen=True, tag_field="type", tag="connection/hello"):
    """The first message. Violations of its rules drop the connection (contract 11.2)."""

    supported_versions: list[Annotated[int, Meta(ge=1, le=2**32 - 1)]]
    required_capabilities: list[str]
    optional_capabilities: list[str]

    def __post_init__(self) -> None:
        versions = self.supported_versions
        if not versions or len(set(versions)) != len(versions):
            raise ValueError("`supportedVersions` must be unique and not empty")
        capabilities = self.required_capabilities + self.optional_capabilities
        if len(set(capabilities)) != len(capabilities):
            raise ValueError("capabilities must be unique")
        if not all(capability.strip(WHITE_SPACE) for capability in capabilities):
            raise ValueError("capabilities must not be blank")


class OpenSession(_Envelope, frozen=True, tag_field="method", tag="session/open"):
    session_id: str
    cell_execution_limits: CellExecutionLimits | None = None

    def __post_init__(self) -> None:
        _check_session_id(self.session_id)


class Execute(_Envelope, frozen=True, tag_field="method", tag="session/execute"):
    session_id: str
    request: ExecuteRequest

    def __post_init__(self) -> None:
        _check_session_id(self.session_id)


class Wait(_Envelope, frozen=True, tag_field="method", tag="session/wait"):
    session_id: str
    request: WaitRequest

    def __post_init__(self) -> None:
        _check_session_id(self.session_id)


class Terminate(_Envelope, frozen=True, tag_field="method", tag="session/terminate"):
    session_id: str
    cell_id: str

    def __post_init__(self) -> None:
        _check_session_id(self.session_id)


class ShutdownSession(_Envelope, frozen=True, tag_field="method", tag="session/shutdown"):
    session_id: str

    def __post_init__(self) -> None:
        _check_session_id(self.session_id)


class ListStored(_Envelope, frozen=True, tag_field="method", tag="session/storedValues"):
    """What is stored now (`stored-values-v1`)."""

    session_id: str

    def __post_init__(self) -> None:
        _check_session_id(self.session_id)


class ClearStored(_Envelope, frozen=True, tag_field="method", tag="session/clearStored"):
    """Forget what is stored, or one key; running cells keep what they see (`stored-values-v1`)."""

    session_id: str
    key: str | None = None

    def __post_init__(self) -> None:
        _check_session_id(self.session_id)


SessionRequest: TypeAlias = (
    OpenSession | Execute | Wait | Terminate | ShutdownSession | ListStored | ClearStored
)


class OperationRequest(_Envelope, frozen=True, tag_field="type", tag="operation/request"):
    id: RequestId
    request: SessionRequest


class OperationCancel(_Envelope, frozen=True, tag_field="type", tag="operation/cancel"):
    """Ends a wait, or an execute that has not started (contract 11.6)."""

    id: RequestId


class OperationYield(_Envelope, frozen=True, tag_field="type", tag="operation/yield"):
    """Makes the observation of an execute or a wait yield now (contract 11.6)."""

    id: RequestId


class ToolResult(_Envelope, frozen=True, tag_field="type", tag="tool/result"):
    """What a tool call resolves with, as JSON text."""

    result: Raw


class NotificationDelivered(_Envelope, frozen=True, tag_field="type", tag="notification/delivered"):
    pass


class Failure(_Envelope, frozen=True, tag_field="status", tag="error"):
    """The `error` variant of every result."""

    message: str


class DelegateOk(_Envelope, frozen=True, tag_field="status", tag="ok"):
    value: ToolResult | NotificationDelivered


class DelegateResponse(_Envelope, frozen=True, tag_field="type", tag="delegate/response"):
    id: DelegateId
    result: DelegateOk | Failure


ClientMessage: TypeAlias = (
    Hello | OperationRequest | OperationCancel | OperationYield | DelegateResponse
)


# Host to client


class NoCompatibleVersion(_Envelope, frozen=True, tag_field="type", tag="noCompatibleVersion"):
    supported_versions: list[int]


class MissingRequiredCapability(
    _Envelope, frozen=True, tag_field="type", tag="missingRequiredCapability"
):
    capability: str


class InvalidHello(_Envelope, frozen=True, tag_field="type", tag="invalidHello"):
    message: str


RejectionReason: TypeAlias = NoCompatibleVersion | MissingRequiredCapability | InvalidHello


class Ready(_Envelope, frozen=True, tag_field="type", tag="connection/ready"):
    """`capabilities`: what both sides know, sorted."""

    selected_version: int
    capabilities: list[str]


class Rejected(_Envelope, frozen=True, tag_field="type", tag="connection/rejected"):
    reason: RejectionReason


class Yielded(_Payload, frozen=True):
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


class Result(_Payload, frozen=True):
    """The cell ended by itself; `error_text` is None when it completed. Durations in ns."""

    cell_id: str
    content_items: list[ContentItem]
    code_mode_host_duration_ns: Unsigned
    error_text: str | None = None
    result_buffered_for_ns: Unsigned | UnsetType = UNSET
    content_seq: Unsigned | UnsetType = UNSET


class RuntimeResponse(
    _Payload,
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
    _Payload,
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


class SessionReady(_Envelope, frozen=True, tag_field="type", tag="session/ready"):
    session_id: str


class ExecutionStarted(_Envelope, frozen=True, tag_field="type", tag="execution/started"):
    cell_id: str


class WaitCompleted(_Envelope, frozen=True, tag_field="type", tag="wait/completed"):
    """Answers a wait and a terminate."""

    outcome: WaitOutcome


class SessionClosed(_Envelope, frozen=True, tag_field="type", tag="session/closed"):
    session_id: str


class StoredValues(_Envelope, frozen=True, tag_field="type", tag="session/storedValues"):
    """The committed values by key, each as its JSON."""

    session_id: str
    values: dict[str, Raw]


class StoredCleared(_Envelope, frozen=True, tag_field="type", tag="session/storedCleared"):
    session_id: str


OperationValue: TypeAlias = (
    SessionReady | ExecutionStarted | WaitCompleted | SessionClosed | StoredValues | StoredCleared
)


class OperationOk(_Envelope, frozen=True, tag_field="status", tag="ok"):
    value: OperationValue


class OperationResponse(_Envelope, frozen=True, tag_field="type", tag="operation/response"):
    id: RequestId
    result: OperationOk | Failure


class InitialOk(_Envelope, frozen=True, tag_field="status", tag="ok"):
    value: RuntimeResponse


class InitialResponse(_Envelope, frozen=True, tag_field="type", tag="execute/initialResponse"):
    """How the first observation of a cell ended; `id` is the execute's."""

    id: RequestId
    result: InitialOk | Failure


class Invocation(_Payload, frozen=True):
    """A nested tool call; `runtime_tool_call_id` is `tool-1`, `tool-2`, ... of the cell."""

    cell_id: str
    runtime_tool_call_id: str
    tool_name: ToolName
    tool_kind: ToolKind
    input: Raw


class ToolInvoke(_Envelope, frozen=True, tag_field="type", tag="tool/invoke"):
    invocation: Invocation


class NotificationSend(_Envelope, frozen=True, tag_field="type", tag="notification/send"):
    """`call_id` is the `tool_call_id` of the cell's execute request."""

    call_id: str
    cell_id: str
    text: str


class DelegateRequest(_Envelope, frozen=True, tag_field="type", tag="delegate/request"):
    id: DelegateId
    session_id: str
    request: ToolInvoke | NotificationSend


class DelegateCancel(_Envelope, frozen=True, tag_field="type", tag="delegate/cancel"):
    id: DelegateId


class CellClosed(_Envelope, frozen=True, tag_field="type", tag="cell/closed"):
    session_id: str
    cell_id: str


class CellBegun(_Envelope, frozen=True, tag_field="type", tag="cell/begun"):
    """The script is about to run, and with it the clock of its execute (`cell-begun-v1`)."""

    session_id: str
    cell_id: str


class CellContent(_Envelope, frozen=True, tag_field="type", tag="cell/content"):
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

_encoder = msgspec.json.Encoder()
_client_messages: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_host_messages: msgspec.json.Decoder[HostMessage] = msgspec.json.Decoder(HostMessage)


def encode(message: ClientMessage | HostMessage) -> bytes:
    """The JSON payload of one frame."""
    return _encoder.encode(message)


def decode_client_message(payload: bytes) -> ClientMessage:
    """Decode what a client sent; raises `ProtocolError`."""
    try:
        check_utf8(payload)
        message = _client_messages.decode(payload)
        # A compact message in its shortest form repeats no field; only others are looked at again.
        # Nested answers are not: they are the hot path, and repetition in a result is legal.
        if not isinstance(message, DelegateResponse) and len(encode(message)) != len(payload):
            check_unique_keys(payload)
        return message
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"failed to decode code-mode IPC frame: {error}") from error


def decode_host_message(payload: bytes) -> HostMessage:
    """Decode what a host sent; raises `ProtocolError`."""
    try:
        check_utf8(payload)
        return _host_messages.decode(payload)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"failed to decode code-mode IPC frame: {error}") from error

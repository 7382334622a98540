"""What a client says (contract 11.2, 11.3)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from codemode_rules.white_space import WHITE_SPACE
from msgspec import Meta, Raw

from codemode_host.wire.payloads import CellExecutionLimits, ExecuteRequest, Failure, WaitRequest
from codemode_host.wire.shapes import DelegateId, Envelope, RequestId, check_session_id


class Hello(Envelope, frozen=True, tag_field="type", tag="connection/hello"):
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


class OpenSession(Envelope, frozen=True, tag_field="method", tag="session/open"):
    session_id: str
    cell_execution_limits: CellExecutionLimits | None = None

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


class Execute(Envelope, frozen=True, tag_field="method", tag="session/execute"):
    session_id: str
    request: ExecuteRequest

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


class Wait(Envelope, frozen=True, tag_field="method", tag="session/wait"):
    session_id: str
    request: WaitRequest

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


class Terminate(Envelope, frozen=True, tag_field="method", tag="session/terminate"):
    session_id: str
    cell_id: str

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


class ShutdownSession(Envelope, frozen=True, tag_field="method", tag="session/shutdown"):
    session_id: str

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


class ListStored(Envelope, frozen=True, tag_field="method", tag="session/storedValues"):
    """What is stored now (`stored-values-v1`)."""

    session_id: str

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


class ClearStored(Envelope, frozen=True, tag_field="method", tag="session/clearStored"):
    """Forget what is stored, or one key; running cells keep what they see (`stored-values-v1`)."""

    session_id: str
    key: str | None = None

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


class DescribeHost(Envelope, frozen=True, tag_field="method", tag="session/describeHost"):
    """What runs the cells, and how well it is locked in (`host-description-v1`)."""

    session_id: str

    def __post_init__(self) -> None:
        check_session_id(self.session_id)


SessionRequest: TypeAlias = (
    OpenSession
    | Execute
    | Wait
    | Terminate
    | ShutdownSession
    | ListStored
    | ClearStored
    | DescribeHost
)


class OperationRequest(Envelope, frozen=True, tag_field="type", tag="operation/request"):
    id: RequestId
    request: SessionRequest


class OperationCancel(Envelope, frozen=True, tag_field="type", tag="operation/cancel"):
    """Ends a wait, or an execute that has not started (contract 11.6)."""

    id: RequestId


class OperationYield(Envelope, frozen=True, tag_field="type", tag="operation/yield"):
    """Makes the observation of an execute or a wait yield now (contract 11.6)."""

    id: RequestId


class ToolResult(Envelope, frozen=True, tag_field="type", tag="tool/result"):
    """What a tool call resolves with, as JSON text."""

    result: Raw


class NotificationDelivered(Envelope, frozen=True, tag_field="type", tag="notification/delivered"):
    pass


class DelegateOk(Envelope, frozen=True, tag_field="status", tag="ok"):
    value: ToolResult | NotificationDelivered


class DelegateResponse(Envelope, frozen=True, tag_field="type", tag="delegate/response"):
    id: DelegateId
    result: DelegateOk | Failure


ClientMessage: TypeAlias = (
    Hello | OperationRequest | OperationCancel | OperationYield | DelegateResponse
)

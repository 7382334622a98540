"""A Jupyter server extension that says who sends a message to a kernel.

Opt in with `jupyter server extension enable codemode_kernel.identity`, or by setting
`ServerApp.kernel_websocket_connection_class` to `codemode_kernel.identity.StampingConnection`.

Every message that a page sends is stamped by the server with the user it has authenticated: the
username in the header, and the principal in the metadata (`codemode_kernel.messages.sender`). What
the page itself says about either is overwritten, on both of the server's websocket protocols. Users
are who the server's identity provider says; JupyterHub gives real names, with a token everybody is
an anonymous user of their own browser. A process that can read the kernel's connection file needs
no server, and no stamp stops it.
"""

from __future__ import annotations

import json
from typing import Any

from jupyter_server.services.kernels.connection.base import (
    deserialize_binary_message,
    deserialize_msg_from_ws_v1,
    serialize_binary_message,
    serialize_msg_to_ws_v1,
)
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from toolbridge.principals import principal_of

from codemode_kernel.messages.sender import STAMP

PLATFORM = "jupyter"
"""Realm of the principals: `jupyter:USERNAME`."""

V1 = "v1.kernel.websocket.jupyter.org"

HEADER, METADATA = 0, 2
"""Places of a message's parts on the wire."""


class StampingConnection(ZMQChannelsWebsocketConnection):
    """One page's connection to one kernel."""

    def handle_incoming_message(self, incoming_msg: Any) -> None:
        """Stamp a message on its way to the kernel."""
        if self.subprotocol == V1:
            stamped: Any = self._stamped_v1(incoming_msg)
        else:
            stamped = self._stamped_legacy(incoming_msg)
        super().handle_incoming_message(stamped)

    def _stamped_v1(self, frame: Any) -> bytes:
        channel, parts = deserialize_msg_from_ws_v1(frame)
        header, metadata = json.loads(bytes(parts[HEADER])), json.loads(bytes(parts[METADATA]))
        self._stamp(header, metadata)
        parts[HEADER] = json.dumps(header).encode()
        parts[METADATA] = json.dumps(metadata).encode()
        return bytes(serialize_msg_to_ws_v1(parts, channel))

    def _stamped_legacy(self, frame: Any) -> Any:
        is_binary = isinstance(frame, bytes)
        message = deserialize_binary_message(frame) if is_binary else json.loads(frame)
        if not isinstance(message.get("metadata"), dict):
            message["metadata"] = {}
        self._stamp(message["header"], message["metadata"])
        return serialize_binary_message(message) if is_binary else json.dumps(message)

    def _stamp(self, header: dict[str, Any], metadata: dict[str, Any]) -> None:
        user = self.websocket_handler.current_user
        header["username"] = user.username
        metadata[STAMP] = principal_of(platform=PLATFORM, sender=user.username)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    """Put the connection class in its place, unless another subclass of it is there already."""
    current = server.web_app.settings["kernel_websocket_connection_class"]
    if issubclass(current, StampingConnection):
        return
    if current is not ZMQChannelsWebsocketConnection:
        raise RuntimeError(
            "codemode_kernel.identity cannot say who sends a message: the server uses "
            f"{current.__module__}.{current.__qualname__} for its kernels. Kernels that are shared "
            "refuse every request until one of the two is turned off."
        )
    server.kernel_websocket_connection_class = StampingConnection
    server.web_app.settings["kernel_websocket_connection_class"] = StampingConnection
    server.log.info("codemode_kernel.identity: kernels are told who sends a message")

"""Answers small requests while a cell runs.

The base class takes one lock for each shell message, so completion, inspection and `kernel_info`
would wait for the running cell. What is listed here touches no cell and is answered at once, with
a busy and an idle of its own: a front end's future resolves at the idle that names its request.
"""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from typing import Any

from ipykernel.kernelbase import Kernel

ANSWERED = frozenset(
    {
        "complete_request",
        "inspect_request",
        "is_complete_request",
        "kernel_info_request",
        "history_request",
        "comm_info_request",
    }
)


class BusyAnswers(Kernel):
    """Overrides one semi-private method of ipykernel 7.4; a test watches over it."""

    session: Any

    async def shell_main(self, subshell_id: str | None, msg: Any) -> None:
        """Answer what can be answered beside the running cell, pass on the rest."""
        if subshell_id is None and self._main_asyncio_lock.locked():
            request = self._peek(msg)
            if request is not None and request["header"]["msg_type"] in ANSWERED:
                await self._answer_beside(request, msg)
                return
        await super().shell_main(subshell_id, msg)

    def _peek(self, msg: Any) -> dict[str, Any] | None:
        """The request with its header read, its content not; None for what is no message."""
        try:
            _, frames = self.session.feed_identities(msg, copy=False)
            return dict(self.session.deserialize(frames, content=False, copy=False))
        except ValueError:
            return None

    async def _answer_beside(self, request: dict[str, Any], msg: Any) -> None:
        running = self.get_parent("shell")
        running_ident = self._get_shell_context_var(self._shell_parent_ident)
        self._publish_status("busy", "shell", parent=request)
        try:
            # A task has a context of its own: the parent of the running cell stays what it is.
            await asyncio.create_task(
                self.dispatch_shell(msg, subshell_id=None, concurrent=True),
                context=copy_context(),
            )
        finally:
            self.set_parent(running_ident, running, channel="shell")
            self._publish_status("idle", "shell", parent=request)
            if self._main_asyncio_lock.locked():
                # Front ends show the last status they saw; the cell still runs.
                self._publish_status("busy", "shell", parent=running)

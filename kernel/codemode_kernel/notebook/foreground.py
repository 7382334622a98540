"""Performs notebook cells: their text goes in, the content of the reply comes out."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Any

from codemode_kernel.errors import KernelError, MagicError, ModelCallRefused, ShownError
from codemode_kernel.fault_log import fault_of
from codemode_kernel.magics import MAGICS, MagicCall
from codemode_kernel.messages.request import Request
from codemode_kernel.notebook.endings import NOT_STARTED, stopped
from codemode_kernel.notebook.interrupt import Interrupts
from codemode_kernel.notebook.runs import NotebookRun
from codemode_kernel.notebook.source import Exec, Source, Wait, parse_source
from codemode_kernel.notebook.stop_button import StopButton
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.outputs.publisher import Publisher, Send
from codemode_kernel.outputs.traceback import plain_error
from codemode_kernel.rooms import Rooms

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Foreground:
    """Performs one notebook cell at a time and lets Stop reach it."""

    rooms: Rooms
    interrupts: Interrupts
    send: Send

    async def perform(self, text: str, request: Request, execution_count: int) -> dict[str, Any]:
        """Perform the notebook cell `text`; gives the content of its `execute_reply`."""
        logged = self.rooms.log.begin(request, execution_count)
        if logged is not None:
            self.rooms.door.announce(logged)
        send = self.rooms.log.tee(self.send)
        outputs = CellOutputs(Publisher(send, request), asyncio.get_running_loop())
        run = NotebookRun(f"In [{execution_count}]", text, execution_count, outputs)
        button = StopButton()
        self.interrupts.enter(button.press)
        try:
            if self.interrupts.overtook(time.monotonic(), request.sent):
                raise stopped(NOT_STARTED)
            page = await self._perform(parse_source(run.text), run, button)
        except ShownError as error:
            return self._failed(run, error)
        except KernelError as error:
            if isinstance(error, ModelCallRefused):
                self.rooms.records.show_refused(error, run.outputs)
            view = plain_error(type(error).__name__, str(error))
            return self._failed(run, ShownError(view))
        except Exception as error:  # noqa: BLE001 - logged without its text
            # A fault of ours must not leave the client without a reply.
            log.error("Internal error in %s: %s", run.label, fault_of(error))
            view = plain_error("InternalError", f"{type(error).__name__}: {error}")
            return self._failed(run, ShownError(view))
        finally:
            self.interrupts.leave()
            run.outputs.flush()
            self.rooms.log.replied(request)
        return self._succeeded(run, request, page)

    async def _perform(self, source: Source, run: NotebookRun, button: StopButton) -> str | None:
        if self.rooms.problem is not None:
            raise self.rooms.problem
        match source:
            case Exec():
                await self.rooms.exec_cells.run(source, run, button)
                return None
            case Wait():
                await self.rooms.waits.run(source, run, button)
                return None
            case _:
                magic = MAGICS.get(source.name)
                if magic is None:
                    raise MagicError(_no_such_magic(source.name))
                call = MagicCall(source.arguments, source.body, run, button, self.rooms)
                return await magic.perform(call)

    def _failed(self, run: NotebookRun, error: ShownError) -> dict[str, Any]:
        if not error.published:
            run.outputs.error(error.view)
        return {
            "status": "error",
            "execution_count": run.execution_count,
            **error.view.content(),
        }

    def _succeeded(self, run: NotebookRun, request: Request, page: str | None) -> dict[str, Any]:
        payload = []
        if page is not None:
            data = {"text/plain": page}
            payload.append({"source": "page", "data": data, "start": 0})
            self.rooms.log.paged(request, data)
        return {
            "status": "ok",
            "execution_count": run.execution_count,
            "payload": payload,
            "user_expressions": {},
        }


def _no_such_magic(name: str) -> str:
    from difflib import get_close_matches

    known = ["%wait", *MAGICS]
    near = get_close_matches(name, known, n=1)
    or_this = f": did you mean {near[0]}?" if near else "."
    return f"There is no magic {name}{or_this} There are: {' '.join(known)}"

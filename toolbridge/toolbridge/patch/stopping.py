"""The moment from which a patch can no longer be stopped."""

from __future__ import annotations

from threading import Lock

from toolbridge.patch.errors import PatchStoppedError


class Stop:
    """Decides, once, between a caller that stops and a commit that begins.

    The caller is on the event loop, the patch in a thread.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_wanted = False
        self._is_too_late = False
        self.has_begun = False
        """Whether the patch has a thread; until then there is nothing to wait for."""

    def begin(self) -> None:
        """The patch has its turn; raises `PatchStoppedError` when nobody wants it any more."""
        self.has_begun = True
        self.check()

    def request(self) -> bool:
        """Stop the patch; False: its commit has begun, and it goes on to its end."""
        with self._lock:
            self._is_wanted = not self._is_too_late
            return self._is_wanted

    def check(self) -> None:
        """Raise `PatchStoppedError` when somebody wants the patch stopped."""
        if self._is_wanted:
            raise PatchStoppedError("apply_patch was stopped; nothing was changed")

    def begin_commit(self) -> None:
        """Go past the point of no return, or raise `PatchStoppedError`."""
        with self._lock:
            self.check()
            self._is_too_late = True

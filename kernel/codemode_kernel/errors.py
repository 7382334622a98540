"""What the Jupyter side raises; every message is written for the person at the notebook."""

from __future__ import annotations

from codemode_kernel.outputs.traceback import ErrorView


class KernelError(Exception):
    """Base of the errors that end one notebook cell with their text."""


class ShownError(KernelError):
    """A notebook cell ends in an error whose view is made already."""

    def __init__(self, view: ErrorView, *, published: bool = False) -> None:
        """`published`: its `error` message has been sent already; only the reply is due."""
        super().__init__(f"{view.name}: {view.message}")
        self.view = view
        self.published = published


class SourceError(KernelError):
    """The text of a notebook cell is no exec source, no wait and no magic (contract 1.2)."""


class ModelCallRefused(SourceError):
    """An exec or a wait that a model's host refuses likewise, in the words that a model gets."""

    def __init__(self, text: str, *, is_wait: bool = False) -> None:
        super().__init__(text)
        self.is_wait = is_wait


class ConfigurationError(KernelError):
    """An option of the kernel cannot be used as it is set."""


class SenderUnknown(KernelError):
    """Several people share this kernel, and a request does not say whose it is."""

    def __init__(self) -> None:
        super().__init__(
            "This kernel is shared, and the request does not say who sends it. The Jupyter server "
            "has to: enable its extension codemode_kernel.identity."
        )


class MagicError(KernelError):
    """A magic cannot do what it was asked; the text says what to write instead."""


class NobodyToAsk(KernelError):
    """A question needs a person, but the client that ran the cell takes no input."""


class SessionError(KernelError):
    """A session refused or lost a call."""

    def __init__(self, text: str, advice: str = "") -> None:
        """`advice` tells a person what to do; a model does not get it."""
        super().__init__(f"{text}\n{advice}" if advice else text)
        self.model_text = text
        """The whole output of the call for a model (model view 2)."""


class CellRefused(SessionError):
    """The host did not start the cell; the text is the host's own."""


class CellBusy(SessionError):
    """Another exec or wait is observing the cell (contract 3.2)."""


class CellTerminating(SessionError):
    """A terminate of the cell is in progress already (contract 3.2)."""


class StaleCell(SessionError):
    """The cell belonged to a host that is gone (contract 11.7)."""


class HostUnavailable(SessionError):
    """The host died, or could not be started; running cells and stored values are lost."""


class NotOffered(SessionError):
    """The host in use does not have a capability that this needs."""

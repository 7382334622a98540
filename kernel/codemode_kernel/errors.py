"""What the Jupyter side raises; every message is written for the person at the notebook."""

from __future__ import annotations


class KernelError(Exception):
    """Base of the errors that end one notebook cell with their text."""


class SourceError(KernelError):
    """The text of a notebook cell is no exec source, no wait and no magic (contract 1.2)."""


class MagicError(KernelError):
    """A magic cannot do what it was asked; the text says what to write instead."""


class NobodyToAsk(KernelError):
    """A question needs a person, but the client that ran the cell takes no input."""

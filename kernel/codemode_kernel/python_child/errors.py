"""What can go wrong with a session's Python."""

from __future__ import annotations


class PythonChildError(RuntimeError):
    """The Python process cannot do what was asked; the message is for the person."""


class PythonStartError(PythonChildError):
    """No Python process could be started."""


class PythonDiedError(PythonChildError):
    """The process ended while a cell ran; its variables and tools are gone."""

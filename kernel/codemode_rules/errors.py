"""What the rules refuse. The texts are interface: a model reads them (contract 1.3 and 3.1)."""

from __future__ import annotations


class PragmaError(ValueError):
    """An exec source that is refused before anything runs; `str(error)` is the model's output."""


class WaitArgumentsError(ValueError):
    """Arguments of a wait that do not decode; `str(error)` is the model's output."""


class JsonTextError(ValueError):
    """Text that is no JSON, worded and positioned as the reference's parser does."""


class DataUrlError(ValueError):
    """A URL that is no data URL, or whose base64 does not decode."""

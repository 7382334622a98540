"""Data URLs, in which images and audio travel."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass

from codemode_rules.errors import DataUrlError

_SCHEME = "data:"


@dataclass(frozen=True, slots=True)
class DataUrl:
    """The parts of ``data:{media type};{parameters},{payload}``."""

    media_type: str
    """As written, without parameters; may be empty."""
    is_base64: bool
    payload: str
    """As written: neither decoded nor checked."""

    def base64_bytes(self) -> bytes:
        """Decode a base64 payload.

        Padding is whole or absent and nothing is skipped, as the reference wants it. Raises
        `DataUrlError` for everything else.
        """
        if not self.is_base64:
            raise DataUrlError("the data URL is not base64")
        unpadded = self.payload.removesuffix("=").removesuffix("=")
        padded = unpadded + "=" * (-len(unpadded) % 4)
        if self.payload not in (unpadded, padded):
            raise DataUrlError("the base64 of the data URL is not padded correctly")
        try:
            data = b64decode(padded, validate=True)
        except (binascii.Error, ValueError) as error:
            raise DataUrlError(f"the base64 of the data URL does not decode: {error}") from None
        # The decoder lets bits pass that belong to no byte; only the last group can have some.
        if not padded.endswith(b64encode(data[len(data) // 3 * 3 :]).decode()):
            raise DataUrlError("the base64 of the data URL ends in bits that belong to no byte")
        return data


def parse_data_url(url: str) -> DataUrl:
    """Split a data URL at its first comma; raises `DataUrlError` when it is none."""
    header, comma, payload = url.partition(",")
    if header[: len(_SCHEME)].lower() != _SCHEME or not comma:
        raise DataUrlError("not a data URL")
    media_type, *parameters = header[len(_SCHEME) :].split(";")
    is_base64 = any(parameter.lower() == "base64" for parameter in parameters)
    return DataUrl(media_type, is_base64, payload)

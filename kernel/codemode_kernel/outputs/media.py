"""What is in the data URL of an image or a sound."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from codemode_rules.data_url import parse_data_url
from codemode_rules.errors import DataUrlError


def media_data(url: str) -> tuple[str, bytes] | None:
    """Media type in lower case and bytes; None where it is no data URL or does not decode."""
    try:
        parsed = parse_data_url(url)
        data = parsed.base64_bytes() if parsed.is_base64 else unquote_to_bytes(parsed.payload)
    except DataUrlError:
        return None
    return parsed.media_type.lower(), data

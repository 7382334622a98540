"""Which data URLs of an observation are looked into at all: bytes and headers. Sans-I/O."""

from __future__ import annotations

from codemode_rules.data_url import DataUrl, parse_data_url
from codemode_rules.errors import DataUrlError

from toolbridge.media.rules import MediaRules


class MediaRefusedError(Exception):
    """The URL is not looked into."""

    def __init__(self, *, is_too_large: bool) -> None:
        super().__init__("too large" if is_too_large else "no base64 data URL")
        self.is_too_large = is_too_large


class Admission:
    """Counts what the media of one exec or wait take, and refuses what is too much."""

    def __init__(self, rules: MediaRules) -> None:
        self._rules = rules
        self._left = rules.max_observation_bytes

    def admit(self, url: str) -> DataUrl:
        """The parts of a URL that may come in; raises `MediaRefusedError`.

        Nothing is decoded for that: base64 says how long it is.
        """
        # Searched only as far as a header may go: the rest can be megabytes.
        if url.find(",", 0, self._rules.max_header_characters + 1) < 0:
            raise MediaRefusedError(is_too_large=False)
        try:
            parsed = parse_data_url(url)
        except DataUrlError:
            raise MediaRefusedError(is_too_large=False) from None
        if not parsed.is_base64:
            raise MediaRefusedError(is_too_large=False)
        self._take(decoded_bytes(parsed.payload))
        return parsed

    def exchange(self, before: str, after: str) -> None:
        """Count the payload `after`, which was made of `before`; raises `MediaRefusedError`."""
        self._left += decoded_bytes(before)
        self._take(decoded_bytes(after))

    def _take(self, size: int) -> None:
        if size > min(self._rules.max_item_bytes, self._left):
            raise MediaRefusedError(is_too_large=True)
        self._left -= size


def decoded_bytes(payload: str) -> int:
    """Bytes that a base64 payload holds, if it is one."""
    end = payload[-2:]
    padding = len(end) - len(end.rstrip("="))
    return (len(payload) - padding) * 3 // 4

"""Media type of a sound, read from its first bytes: a player goes by the type, whoever named it."""

from __future__ import annotations

_MAGICS = (
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"\x1aE\xdf\xa3", "audio/webm"),
    (4, b"ftyp", "audio/mp4"),
)


def audio_type(data: bytes) -> str | None:
    """The type of WAV, MP3, Ogg, MP4, WebM or FLAC data; None for anything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return "audio/wav"
    for at, magic, media_type in _MAGICS:
        if data.startswith(magic, at):
            return media_type
    # A frame of MPEG audio: eleven bits of sync, then a version and a layer that exist.
    if len(data) > 1 and data[0] == 0xFF and data[1] >= 0xE0 and data[1] & 0x06:
        return "audio/mpeg" if data[1] & 0x18 != 0x08 else None
    return None

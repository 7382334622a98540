"""What a model gets of the images and sounds that a cell emits.

Theory. Each image and sound of an observation takes its place in the output at once (`Slot`), and
the work on it goes on while the cell does. Everything that looks into a file a script made happens
in processes of their own (`decoders`, and `decoder`, their program), so a bomb or a crash costs one
image, which then is a notice. `rules` says what differs between models and profiles, `admission`
how many bytes may come, `preparation` joins them for one observation.
"""

from toolbridge.media.preparation import (
    SETTLE_S,
    MediaPreparation,
    ObservationMedia,
    Slot,
    audio_slot,
    image_slot,
)
from toolbridge.media.rules import MediaRules, media_rules

__all__ = [
    "SETTLE_S",
    "MediaPreparation",
    "MediaRules",
    "ObservationMedia",
    "Slot",
    "audio_slot",
    "image_slot",
    "media_rules",
]

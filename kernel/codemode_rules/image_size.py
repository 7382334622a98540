"""How large an image may be for a model, and the size it is scaled to (deferral document, 9).

A model reads an image in patches of 32 x 32 pixels. First the longer side is fitted, then the
number of patches: by area, and then down to where the tighter side is made of whole patches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

PATCH = 32
"""Pixels of a patch's side."""


@dataclass(frozen=True)
class ImageLimits:
    """The largest image that is left as it is."""

    max_dimension: int
    """Pixels of the longer side."""
    max_patches: int


HIGH = ImageLimits(2048, 2500)
ORIGINAL = ImageLimits(6000, 10_000)


def patches(width: int, height: int) -> int:
    """Patches that an image takes, begun ones included."""
    return -(-width // PATCH) * -(-height // PATCH)


def fitted_size(width: int, height: int, limits: ImageLimits) -> tuple[int, int]:
    """The size in pixels at which an image of `width` x `height` is shown; both at least 1."""
    longer = max(width, height)
    if longer > limits.max_dimension:
        width = _scaled(width, limits.max_dimension, longer)
        height = _scaled(height, limits.max_dimension, longer)
    if patches(width, height) <= limits.max_patches:
        return width, height
    scale = math.sqrt(limits.max_patches / (width * height))
    across, down = width * scale, height * scale
    if min(across, down) < 1:  # a strip, narrower than a patch once it is short enough
        fitted = limits.max_patches * PATCH
        if across < down:
            return max(1, width * fitted // height), fitted
        return fitted, max(1, height * fitted // width)
    if math.floor(across) / across <= math.floor(down) / down:
        fitted = math.floor(across) * PATCH
        return fitted, max(1, height * fitted // width)
    fitted = math.floor(down) * PATCH
    return max(1, width * fitted // height), fitted


def _scaled(side: int, numerator: int, denominator: int) -> int:
    """Rounded half up, and never nothing."""
    return max(1, (2 * side * numerator + denominator) // (2 * denominator))

"""The size at which a model is shown an image."""

import pytest
from codemode_rules.image_size import HIGH, ORIGINAL, ImageLimits, fitted_size, patches
from hypothesis import given
from hypothesis import strategies as st

sides = st.integers(1, 100_000)
limits = st.builds(ImageLimits, st.integers(1, 10_000), st.integers(1, 20_000))


@pytest.mark.parametrize(
    "size, shown",
    [((7000, 5000), (3762, 2688)), ((2600, 1200), (2600, 1200)), ((1, 50_000), (1, 6000))],
)
def test_sizes_are_those_of_the_reference(size: tuple[int, int], shown: tuple[int, int]) -> None:
    assert fitted_size(*size, ORIGINAL) == shown


@given(sides, sides, limits | st.sampled_from([HIGH, ORIGINAL]))
def test_what_is_shown_fits_and_is_no_larger_than_it_was(
    width: int, height: int, limit: ImageLimits
) -> None:
    shown = fitted_size(width, height, limit)
    assert max(shown) <= limit.max_dimension
    assert patches(*shown) <= limit.max_patches
    assert 1 <= shown[0] <= width
    assert 1 <= shown[1] <= height


@given(sides, sides)
def test_what_fits_stays_as_it_is(width: int, height: int) -> None:
    shown = fitted_size(width, height, ORIGINAL)
    assert fitted_size(*shown, ORIGINAL) == shown

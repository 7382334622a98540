"""Public cell ids name the host's generation from the second on (contract 11.7)."""

import pytest
from codemode_kernel.session.generations import generation_of, public_id


@pytest.mark.parametrize("generation, cell_id", [(1, "3"), (2, "g2:3"), (10, "g10:3")])
def test_an_id_tells_its_generation(generation: int, cell_id: str) -> None:
    assert public_id("3", generation) == cell_id
    assert generation_of(cell_id) == generation


@pytest.mark.parametrize("cell_id", ["", "g:3", "g0:3", "g2", "G2:3", "x2:3"])
def test_anything_else_counts_as_of_the_first(cell_id: str) -> None:
    assert generation_of(cell_id) == 1

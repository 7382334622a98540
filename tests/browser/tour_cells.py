"""The tour's code cells, by the ids they have in the file."""

from pathlib import Path

import nbformat

TOUR = Path(__file__).parents[2] / "notebooks" / "01-tour.ipynb"


def tour_sources() -> dict[str, str]:
    """Source by id, in the order of the notebook."""
    cells = nbformat.read(TOUR, as_version=4).cells
    return {cell.id: cell.source for cell in cells if cell.cell_type == "code"}

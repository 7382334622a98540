"""Gathers what hints are made from while cells run, and gives the hint when one has ended."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from codemode_kernel.fault_log import fault_of
from codemode_kernel.hints.earlier_cells import EarlierCells
from codemode_kernel.session.observation import Observation, Status

if TYPE_CHECKING:
    from codemode_kernel.notebook.runs import CellRun

log = logging.getLogger(__name__)


class Adviser:
    """One kernel's. The grammar is imported when the first cell is worth a look."""

    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled
        self._earlier = EarlierCells()

    def begin(self, cell_run: CellRun) -> None:
        """A cell is about to run."""
        self._earlier.add(cell_run.run.label, cell_run.cell.code)

    def hint(self, cell_run: CellRun | None, observation: Observation) -> str | None:
        """What to say of a cell that `observation` has seen end; None most of the time."""
        if not self._enabled or cell_run is None:
            return None
        if observation.status not in (Status.COMPLETED, Status.FAILED):
            return None
        try:
            return self._hint(cell_run, observation.error_text)
        except Exception as error:  # noqa: BLE001 - logged without its text
            # A fault of ours here must not take the place of the cell's own result.
            log.error("No hint for %s: %s", cell_run.run.label, fault_of(error))
            return None

    def _hint(self, cell_run: CellRun, error_text: str | None) -> str | None:
        from codemode_kernel.hints.facts import Facts
        from codemode_kernel.hints.rules import hint_for

        cell, label = cell_run.cell, cell_run.run.label
        facts = Facts(
            code=cell_run.run.text,
            error_text=error_text,
            silent=cell_run.is_silent,
            calls=cell_run.calls,
            declared_earlier=lambda name: self._earlier.declaration_of(name, before=label),
            **({"catalog": cell.catalog} if cell.catalog is not None else {}),
        )
        return hint_for(facts)

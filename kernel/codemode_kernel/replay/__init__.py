"""What recent runs of notebook cells have shown, kept for a page that is opened anew.

A front end that is reloaded has only the notebook as it was saved: the messages that came since
then, and those of cells that still run, were for a page that is gone. The log holds the outputs as
that page would hold them, so that another one can be made complete (`codemode_kernel.control`).
"""

from __future__ import annotations

from codemode_kernel.replay.log import OutputLog
from codemode_kernel.replay.run import LoggedRun

__all__ = ["LoggedRun", "OutputLog"]

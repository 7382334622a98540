"""Keeps the whole output of cells, of which a model and a page get a part (seed 004, 5.9).

Theory. The beginning of each cell's output is kept in memory (`capture`). When there is more than
that, or when a model got less than there was, all of it goes to files in a folder that only the
user can read (`folder`), written by one thread (`writer`), so that no disk holds up a cell. A fault
of the disk makes a capture `partial` or `unavailable` and changes nothing else. The files go with
the session; what a killed kernel left is swept by the next one. `source` lets later cells read them.

`shells` has the outputs of shell commands, over all that read them, each stream by itself; `merged`
reads both as one. `calls` has the calls of cells that are too long for a record.
"""

from codemode_kernel.captures.capture import Capture, Snapshot
from codemode_kernel.captures.captures import Captures

__all__ = ["Capture", "Captures", "Snapshot"]

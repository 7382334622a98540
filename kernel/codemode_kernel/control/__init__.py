"""The control comm: what a front end of ours and the kernel say to each other.

A page opens a comm to the target `codemode.control` and attaches. It gets a snapshot of cells and
shells, the outputs that it missed, then changes as they come, and it may send commands. The messages
are defined in `from_front` and `from_kernel`, once: `schemas/control.v1.schema.json` and the front
end's types are made from the structs.

*Why outputs and messages do not race.* Outputs and comm messages leave by one socket and arrive in
the order they were sent. So a replay is its own sequence number: it holds all that was sent before
it, and what comes after it is new.

Nothing in here is imported before the first comm is opened (`codemode_kernel.front_door`).
"""

from __future__ import annotations

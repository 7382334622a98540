"""Entry of the process: `python -P -m codemode_kernel.python_child FOLDER CHANNEL LIFELINE`.

FOLDER holds `connection.json` and goes with the process; CHANNEL and LIFELINE are inherited
descriptors, a connected stream socket for tools (`toolbridge.child`) and the guardian's pipe.
"""

from __future__ import annotations

import os
import sys

from codemode_kernel.python_child.guardian import guard


def main() -> None:
    """Split off the guardian, then be an ipykernel."""
    folder, channel, lifeline = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.set_inheritable(channel, False)
    os.set_inheritable(lifeline, False)
    guard(lifeline, folder)

    from codemode_kernel.python_child.app import serve  # heavy: the guardian does without

    serve(channel, os.path.join(folder, "connection.json"))


if __name__ == "__main__":
    main()

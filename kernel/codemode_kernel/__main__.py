"""`python -m codemode_kernel -f CONNECTION_FILE`: one kernel."""

from __future__ import annotations

import sys

# `-m` puts the notebook's folder in front: a file there must not shadow a module of ours.
if not sys.flags.safe_path:
    del sys.path[0]

from codemode_kernel.host_command import start_early

if __name__ == "__main__":
    # The host comes up while the imports below take their time.
    early_host = start_early(sys.argv)
    from codemode_kernel.app import CodeModeApp

    CodeModeApp.launch_instance(early_host=early_host)

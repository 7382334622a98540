"""A client that starts a host, says where, and waits to be killed: `doomed_client.py FD COMMAND...`.

The host's stdin and stdout are the socket FD, whose other end the test keeps: only the death of
this process can tell the host that its client is gone.
"""

import subprocess
import sys

descriptor = int(sys.argv[1])
with subprocess.Popen(sys.argv[2:], stdin=descriptor, stdout=descriptor) as host:
    print(host.pid, flush=True)

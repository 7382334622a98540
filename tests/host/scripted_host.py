"""A host that follows a script, to see what a client does with it: `scripted_host.py JSON`.

The script is a list of steps: `{"read": n}` reads that many frames, `{"send": message}` sends one,
`{"raw": hex}` sends bytes as they are, `{"close": true}` closes stdin and stdout, `{"say": text}`
writes to stderr, `{"exit": status}` ends. After the last step it reads and ignores what comes; a
host that has closed its stdin just lives on.
"""

import contextlib
import json
import os
import signal
import struct
import sys
from typing import Any


def read_frame() -> None:
    (length,) = struct.unpack("<I", read_bytes(4))
    read_bytes(length)


def read_bytes(count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece:
            sys.exit(0)
        data += piece
    return data


def send(message: Any) -> None:
    payload = json.dumps(message).encode()
    os.write(1, struct.pack("<I", len(payload)) + payload)


def perform(step: dict[str, Any]) -> None:
    ((action, value),) = step.items()
    match action:
        case "read":
            for _ in range(value):
                read_frame()
        case "send":
            send(value)
        case "raw":
            os.write(1, bytes.fromhex(value))
        case "close":
            os.close(0)
            os.close(1)
        case "say":
            print(value, file=sys.stderr, flush=True)
        case "exit":
            sys.exit(value)


if __name__ == "__main__":
    for one in json.loads(sys.argv[1]):
        perform(one)
    with contextlib.suppress(OSError):
        while os.read(0, 65536):
            pass
        sys.exit(0)
    signal.pause()

"""The kernel, with an ear for a test: `python watched_kernel.py SOCKET -f CONNECTION_FILE`.

Whoever connects to SOCKET gets, as JSON, how many asyncio tasks of each kind the kernel has at that
moment, and how many objects of the kinds that belong to one cell or one call.
"""

import asyncio
import gc
import json
import socket
import sys
import threading
from collections import Counter

OF_ONE_CELL = ("Cell", "CellRun", "Call", "Observer", "CellOutputs", "RecordedCalls", "ModelView")


def main() -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv.pop(1))
    server.listen()
    threading.Thread(target=_answer, args=(server,), daemon=True).start()
    from codemode_kernel.app import CodeModeApp

    CodeModeApp.launch_instance()


def _answer(server: socket.socket) -> None:
    while True:
        connection, _ = server.accept()
        with connection:
            gc.collect()
            connection.sendall(json.dumps(_held()).encode())


def _held() -> Counter[str]:
    held: Counter[str] = Counter()
    for thing in gc.get_objects():
        kind = type(thing)
        if isinstance(thing, asyncio.Task):
            if not thing.done():
                held[f"task {getattr(thing.get_coro(), '__qualname__', None)}"] += 1
        elif kind.__name__ in OF_ONE_CELL and kind.__module__.startswith("codemode_kernel"):
            held[kind.__name__] += 1
    return held


if __name__ == "__main__":
    main()

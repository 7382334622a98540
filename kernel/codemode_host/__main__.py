"""The host as a program: `python -m codemode_host --listen stdio`.

The order of the imports matters: the zygote is forked while this process is small and has neither
asyncio nor a second thread.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemode_host.engine.zygote import Zygote

LISTEN_ON = ("stdio", "stdio://")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="codemode-host",
        description="Runs code-mode cells for one client, in protocol V1 (length-prefixed JSON).",
    )
    parser.add_argument(
        "--listen",
        choices=LISTEN_ON,
        default=LISTEN_ON[0],
        help="where the client is (default: %(default)s)",
    )
    parser.add_argument(
        "--catchable-exit",
        action="store_true",
        help="make exit() throw a string that a script can catch, as older hosts did",
    )
    return parser.parse_args(arguments)


def fork_early() -> Zygote | None:
    """The worker zygote, where forking is safe; elsewhere workers are started one by one."""
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        return None
    from codemode_host.engine.zygote import fork_zygote

    return fork_zygote()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve stdin and stdout; returns the exit status."""
    options = parse(arguments)
    # A console's Ctrl-C goes to the whole process group; what it means is the client's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    zygote = fork_early()

    import asyncio
    import logging

    from codemode_host.engine.workers import Workers, make_launcher
    from codemode_host.server import serve_stdio

    logging.basicConfig(format="codemode-host: %(message)s")

    async def serve() -> int:
        workers = Workers(make_launcher(zygote=zygote))
        return await serve_stdio(workers, options.catchable_exit)

    return asyncio.run(serve())


if __name__ == "__main__":
    sys.exit(main())

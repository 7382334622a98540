"""Run every measurement and print one table."""

import argparse
import os
import sys
from collections.abc import Iterator

from benchmarks import (
    host_suite,
    kernel_suite,
    mcp_suite,
    media_suite,
    record_suite,
    tool_call_suite,
    toolbridge_suite,
)
from benchmarks.report import Row, table


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--codex",
        metavar="PATH",
        default=os.environ.get("CODEMODE_CODEX_HOST") or None,
        help="the Codex CLI's host, to measure beside (default: $CODEMODE_CODEX_HOST)",
    )
    parser.add_argument("--rounds", type=int, default=200, help="cells in each latency series")
    parser.add_argument("--starts", type=int, default=7, help="starts of each kernel")
    parser.add_argument("--only", choices=["kernel", "host", "toolbridge"], help="measure one part")
    options = parser.parse_args()

    rows: list[Row] = []
    if options.only in (None, "kernel"):
        rows += _collect(kernel_suite.measure(options.rounds, options.starts))
        rows += _collect(record_suite.measure(options.rounds))
        rows += _collect(media_suite.measure())
    if options.only in (None, "host"):
        rows += _collect(host_suite.measure(options.rounds, options.codex))
    if options.only in (None, "toolbridge"):
        rows += _collect(toolbridge_suite.measure(options.rounds))
        rows += _collect(tool_call_suite.measure())
        rows += _collect(mcp_suite.measure(options.rounds))
    print(table(rows))
    missed = [row.what for row in rows if row.verdict == "missed"]
    print(f"\n{len(missed)} of {sum(row.target is not None for row in rows)} targets missed")
    return 0


def _collect(rows: Iterator[Row]) -> list[Row]:
    """All rows, each named on stderr as soon as it is measured."""
    collected = []
    for row in rows:
        print(f"measured: {row.what}", file=sys.stderr)
        collected.append(row)
    return collected


if __name__ == "__main__":
    sys.exit(main())

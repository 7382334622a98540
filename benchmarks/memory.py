"""Memory of a process tree."""

import psutil


def tree_pss(pid: int) -> float:
    """Proportional set size of a process and all its descendants, MiB. Linux only."""
    root = psutil.Process(pid)
    total = 0
    for process in [root, *root.children(recursive=True)]:
        try:
            total += process.memory_full_info().pss
        except psutil.NoSuchProcess:  # a worker that ended while we were adding up
            continue
    return total / 2**20

"""How long tests wait: next to nothing on a quiet machine, on a loaded one as long as it takes."""

import os

SLOWDOWN = float(os.environ.get("CODEMODE_TEST_SLOWDOWN", "1"))
"""How many times slower than a quiet machine this one may be; time bounds are multiplied by it."""

PATIENCE_S = 30.0 * SLOWDOWN
"""Longest wait for something that must come."""

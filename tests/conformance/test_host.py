"""Our host does what the reference host did, in every recorded scenario."""

import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.recorded import DATA

CHECK = DATA / "conformance" / "check.py"
LIMIT_S = 880
SKIPPED = ("--skip-tag", "intl", "--skip-tag", "engine_gap")


@pytest.mark.slow
@pytest.mark.timeout(LIMIT_S + 20)
@pytest.mark.parametrize("scenarios", ["conformance", "scripts/outcomes.jsonl"])
def test_the_host_passes_the_scenarios(host_command: Sequence[str], scenarios: str) -> None:
    checked = subprocess.run(
        [sys.executable, CHECK, "check", *SKIPPED, DATA / scenarios, "--", *host_command],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert checked.returncode == 0, checked.stdout[-5000:] + checked.stderr[-2000:]

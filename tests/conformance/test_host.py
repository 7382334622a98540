"""Our host does what the reference host did, in every recorded scenario."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.recorded import DATA, shared

CHECK = DATA / "conformance" / "check.py"
AREAS = sorted((DATA / "conformance").glob("*.jsonl"))
LIMIT_S = 880
AGAIN = ("--retries", "2")
"""Some scenarios are recorded with times, which a loaded machine may miss."""

SKIPPED = ("--skip-tag", "intl", "--skip-tag", "engine_gap")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(LIMIT_S + 20)]


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.stem)
def test_the_host_passes_every_scenario(area: Path, host_command: Sequence[str]) -> None:
    _check(area, host_command)


def test_scripts_that_models_wrote_end_as_on_the_reference(host_command: Sequence[str]) -> None:
    _check(shared("scripts") / "outcomes.jsonl", host_command)


def _check(scenarios: Path, host_command: Sequence[str]) -> None:
    checked = subprocess.run(
        [sys.executable, CHECK, "check", *SKIPPED, *AGAIN, scenarios, "--", *host_command],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert checked.returncode == 0, checked.stdout[-5000:] + checked.stderr[-2000:]

"""Options and fixtures that every part of the suite may use."""

import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest

DATA = Path(__file__).parent / "data"

# Where this optional grammar of jsonschema's formats is installed, importing jsonschema builds it:
# seconds in every test process. None says that it is absent.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

BACKGROUND_IGNORES: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGQUIT: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}

# A loaded machine takes its time over one example; a test as a whole has its own limit.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")


def pytest_configure() -> None:
    """Let what tests start be interrupted, also where a shell that ran this in the background has
    signals ignored: processes inherit that."""
    for number, handler in BACKGROUND_IGNORES.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--codex",
        metavar="PATH",
        default=os.environ.get("CODEMODE_CODEX_HOST") or None,
        help="the Codex CLI's own code-mode host, to run the foreign-host tests on "
        "(default: $CODEMODE_CODEX_HOST; `make codex` fetches it)",
    )
    parser.addoption(
        "--part",
        choices=("browser", "rest"),
        help="only the tests that drive a browser, or only the others, whatever else selects them",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browser tests go last: Playwright keeps an event loop running from its first test to the
    end of the run, and asyncio tests cannot start theirs beside it."""
    items.sort(key=_drives_a_browser)
    part = config.getoption("--part")
    if part is not None:
        other = [item for item in items if _drives_a_browser(item) is not (part == "browser")]
        config.hook.pytest_deselected(items=other)
        items[:] = [item for item in items if _drives_a_browser(item) is (part == "browser")]


def _drives_a_browser(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of recorded cases, one sub-folder a kind."""
    return DATA


@pytest.fixture(scope="session")
def host_command() -> Sequence[str]:
    """The command of our own host."""
    return (sys.executable, "-m", "codemode_host", "--listen", "stdio")


@pytest.fixture(scope="session")
def codex_command(pytestconfig: pytest.Config) -> Sequence[str]:
    """The command of the Codex host; tests that need it are skipped on a machine without."""
    path = pytestconfig.getoption("--codex")
    if path is None:
        pytest.skip("no Codex host here: give --codex PATH")
    found = shutil.which(path)
    if found is None:
        pytest.fail(f"--codex {path} is not a program")
    return (found, "--listen", "stdio")


def pytest_report_header(config: pytest.Config) -> str:
    return f"Codex host: {config.getoption('--codex') or 'absent, its tests are left out'}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of `any_host` run on our own host and, where there is one, on the Codex host."""
    if "any_host" in metafunc.fixturenames:
        hosts = ["own"] + ["codex"] * bool(metafunc.config.getoption("--codex"))
        metafunc.parametrize("any_host", hosts, indirect=True)


@pytest.fixture
def any_host(request: pytest.FixtureRequest) -> Sequence[str]:
    """The command of each host that a client must get on with."""
    fixture = {"own": "host_command", "codex": "codex_command"}[request.param]
    command: Sequence[str] = request.getfixturevalue(fixture)
    return command

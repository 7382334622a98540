"""The house's import rules (CONTRIBUTING.md), read off the source of every package."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PACKAGES = {
    "codemode_kernel": ROOT / "kernel" / "codemode_kernel",
    "codemode_host": ROOT / "kernel" / "codemode_host",
    "codemode_rules": ROOT / "kernel" / "codemode_rules",
    "toolbridge": ROOT / "toolbridge" / "toolbridge",
}

MAY_IMPORT = {
    "codemode_kernel": {"codemode_host", "codemode_rules", "toolbridge"},
    "codemode_host": {"codemode_rules"},
    "codemode_rules": set[str](),
    "toolbridge": {"codemode_rules"},
}

# The kernel sees the host's protocol and client, not its insides.
HOST_INSIDES = "codemode_host.engine"

# Slow to import, so imported by the first call that needs them.
HEAVY = {"pydantic", "jsonschema", "tree_sitter", "PIL", "mcp", "rank_bm25", "numpy"}

# What is loaded before the first cell can run.
START_UP = ["codemode_kernel.__main__", "codemode_host.__main__", "toolbridge"]


def imported_modules(source: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every absolute import in a file, wherever it stands."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def files_of(package: str) -> list[Path]:
    return sorted(PACKAGES[package].rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_is_below_it(package: str) -> None:
    assert files_of(package), f"no source found for {package}"
    forbidden = PACKAGES.keys() - MAY_IMPORT[package] - {package}
    broken = [
        f"{source.relative_to(ROOT)}:{line} imports {module}"
        for source in files_of(package)
        for line, module in imported_modules(source)
        if module.split(".")[0] in forbidden
    ]
    assert not broken


def test_the_kernel_does_not_reach_into_the_engine() -> None:
    broken = [
        f"{source.relative_to(ROOT)}:{line} imports {module}"
        for source in files_of("codemode_kernel")
        for line, module in imported_modules(source)
        if module == HOST_INSIDES or module.startswith(f"{HOST_INSIDES}.")
    ]
    assert not broken


@pytest.mark.parametrize("module", START_UP)
def test_starting_up_imports_nothing_heavy(module: str) -> None:
    program = f"import sys, {module}; print(*sorted({HEAVY!r} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []


def test_a_kernel_without_a_page_does_not_import_what_answers_pages() -> None:
    program = "import sys, codemode_kernel.rooms; print('codemode_kernel.control' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"

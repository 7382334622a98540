"""The copies in `tests/data` are what the specification holds."""

from pathlib import Path

import pytest

from tests.recorded import DATA, shared


@pytest.mark.parametrize("collection", sorted(path.name for path in DATA.iterdir()))
def test_the_copy_equals_its_source(collection: str) -> None:
    source = shared(collection)
    assert _contents(DATA / collection) == _contents(source), "`make data` refreshes the copies"


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

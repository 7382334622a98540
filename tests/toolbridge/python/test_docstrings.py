"""Docstrings in the three common styles."""

import pytest
from toolbridge.python.docstrings import read_docstring

GOOGLE = """Find files.

    Looks into folders, too.

    Args:
        pattern: a glob such as
            `*.py`: no regex
        **rest (dict): passed on

    Returns:
        names: sorted
    """

NUMPY = """Find files.

    Looks into folders, too.

    Parameters
    ----------
    pattern : str
        a glob such as
        `*.py`: no regex
    a, b : int, optional
        limits

    Returns
    -------
    list
    """

SPHINX = """Find files.

    Looks into folders, too.

    :param str pattern: a glob such as
        `*.py`: no regex
    :type pattern: str
    :param limit: how many
    :returns: names
        of files
    """

PATTERN = "a glob such as `*.py`: no regex"


@pytest.mark.parametrize(
    "text, parameters",
    [
        (GOOGLE, {"pattern": PATTERN, "rest": "passed on"}),
        (NUMPY, {"pattern": PATTERN, "a": "limits", "b": "limits"}),
        (SPHINX, {"pattern": PATTERN, "limit": "how many"}),
    ],
    ids=["google", "numpy", "sphinx"],
)
def test_style(text: str, parameters: dict[str, str]) -> None:
    read = read_docstring(text)
    assert read.description == "Find files.\n\nLooks into folders, too."
    assert read.parameters == parameters


@pytest.mark.parametrize("text", [None, "", "   "])
def test_nothing(text: str | None) -> None:
    read = read_docstring(text)
    assert (read.description, read.parameters) == ("", {})


def test_prose_with_colons_and_lists_stays_prose() -> None:
    text = "Note: careful.\n\n- a: one\n- b: two\n\nTime is h:m:s."
    assert read_docstring(text).description == text

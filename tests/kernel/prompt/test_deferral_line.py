"""What can be chosen with %deferral."""

from typing import Any

import pytest
from codemode_kernel.errors import MagicError
from codemode_kernel.prompt.deferral_line import read_deferral_line


@pytest.mark.parametrize(
    "line, chosen",
    [
        ("", {}),
        ("--profile seed --route=local", {"profile": "seed", "tool_route": "local"}),
        ("--loader find_tools", {"tool_loader": "find_tools"}),
        ("--threshold 4", {"deferral_threshold": 4}),
        ("--threshold none", {"deferral_threshold": None}),
        (
            "--defer mcp:git --declare mcp:time",
            {"deferral_sources": {"mcp:git": "deferred", "mcp:time": "immediate"}},
        ),
    ],
)
def test_options_are_traits_of_the_kernel(line: str, chosen: dict[str, Any]) -> None:
    assert read_deferral_line(line) == chosen


@pytest.mark.parametrize(
    "line, error",
    [
        ("local", "local is no option."),
        ("--root local", "Unknown option --root."),
        ("--route", "--route takes a value."),
        ("--threshold few", "--threshold takes a number or none."),
        ("--defer 'mcp", "This cannot be read: No closing quotation."),
    ],
)
def test_what_cannot_be_read_is_said_with_the_usage(line: str, error: str) -> None:
    with pytest.raises(MagicError) as raised:
        read_deferral_line(line)
    assert str(raised.value).startswith(f"{error} Usage: %deferral [--profile ")

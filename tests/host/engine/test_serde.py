"""What the reference's JSON reader refuses, in its words (measured fact 16)."""

import pytest
from codemode_host.engine.quickjs.serde import refusal

ACCEPTED = [
    "null",
    '"plain"',
    r'"\\ud800"',
    '"😀"',
    r'"\ud83d\ude00"',
    "[" * 127 + "]" * 127,
    '{"a":' * 127 + "1" + "}" * 127,
    '"' + "[{" * 200 + '"',
    '["$serde_json::private::Number"]',
    "1e308",
    "9" * 308,
    '"' + "9" * 400 + '"',
    '"1e999"',
]

REFUSED = {
    "[" * 128 + "]" * 128: "recursion limit exceeded at line 1 column 128",
    '{"a":' * 128 + "1" + "}" * 128: "recursion limit exceeded at line 1 column 636",
    r'"\ud800"': "unexpected end of hex escape at line 1 column 8",
    r'"\ud800x"': "unexpected end of hex escape at line 1 column 8",
    r'"\ud800\n"': "unexpected end of hex escape at line 1 column 9",
    r'"\ud800\\"': "unexpected end of hex escape at line 1 column 9",
    r'"\ud800\ud800"': "lone leading surrogate in hex escape at line 1 column 13",
    r'"a\udc00b"': "lone leading surrogate in hex escape at line 1 column 8",
    r'["é","\ud800"]': "unexpected end of hex escape at line 1 column 14",
    r'{"\ud800":1}': "unexpected end of hex escape at line 1 column 9",
    '{"a":{"$serde_json::private::RawValue":1}}': "reserved JSON object key",
    "[1e999]": "number out of range at line 1 column 6",
    f"[{' ' * 500}{'9' * 309}]": "number out of range at line 1 column 810",
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert refusal(text) is None


@pytest.mark.parametrize("text, reason", REFUSED.items(), ids=REFUSED.values())
def test_refused(text: str, reason: str) -> None:
    assert refusal(text) == f"failed to serialize JavaScript value: {reason}"

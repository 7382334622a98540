"""Numbers and texts in the order and form of American English, without `Intl`."""

import json

import pytest

from tests.host.engine.stage import Engine

NUMBERS = {
    "(1234567.891).toLocaleString()": "1,234,567.891",
    "(0).toLocaleString()": "0",
    "(-0).toLocaleString()": "-0",
    "(-1234.5).toLocaleString('de-DE')": "-1,234.5",
    "(1.0005).toLocaleString()": "1.001",
    "(99.9996).toLocaleString()": "100",
    "(0.0000001).toLocaleString()": "0",
    "(1.005).toLocaleString('en-US', {maximumFractionDigits: 2})": "1.01",
    "(5).toLocaleString('en-US', {minimumFractionDigits: 2})": "5.00",
    "(2.5).toLocaleString('en-US', {maximumFractionDigits: 0})": "3",
    "(1e21).toLocaleString()": "1,000,000,000,000,000,000,000",
    "NaN.toLocaleString()": "NaN",
    "(-Infinity).toLocaleString()": "-∞",
    "(123456789n).toLocaleString()": "123,456,789",
    "[1234.5, 'x', null].toLocaleString()": "1,234.5,x,",
}

ORDERS = {
    "names": (["README.md", "a.py", "B.py", "src", "b.py"], "", "a.py b.py B.py README.md src"),
    "accents": (["z", "é", "e", "ä", "a"], "", "a ä e é z"),
    "case": (["B", "a", "A", "b"], "", "a A b B"),
    "marks": (["a", "1", "_x", "-y", "~"], "", "_x -y ~ 1 a"),
    "digits": (["f10", "f9", "f2"], "", "f10 f2 f9"),
    "numbers": (["f10", "f9", "f2"], "{numeric: true}", "f2 f9 f10"),
}


@pytest.mark.parametrize("expression, text", NUMBERS.items())
async def test_numbers_are_grouped(engine: Engine, expression: str, text: str) -> None:
    assert (await engine.run(f"text({expression})")).texts == [text]


@pytest.mark.parametrize("words, options, order", ORDERS.values(), ids=ORDERS.keys())
async def test_texts_are_ordered_as_words(
    engine: Engine, words: list[str], options: str, order: str
) -> None:
    compare = f"(a, b) => a.localeCompare(b, undefined, {options or 'undefined'})"
    run = await engine.run(f"text({json.dumps(words)}.sort({compare}).join(' '))")
    assert run.texts == [order]


async def test_sensitivity_leaves_differences_out(engine: Engine) -> None:
    run = await engine.run("""
        const compare = (a, b, sensitivity) => a.localeCompare(b, 'en', {sensitivity});
        text([compare('É', 'e', 'base'), compare('E', 'e', 'accent'), compare('é', 'e', 'accent')]);
    """)
    assert run.texts == ["[0,0,1]"]

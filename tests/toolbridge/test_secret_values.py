"""Values of secret fields are left out of texts that quote them."""

from typing import Any

import pytest
from toolbridge.masking import SECRET, without_secrets
from toolbridge.secret_fields import SchemaSecrets
from toolbridge.secret_values import MOST, SecretValues

PIN = {"writeOnly": True}
SCHEMA = {
    "properties": {
        "pin": PIN,
        "cards": {"type": "array", "items": {"properties": {"pin": PIN}}},
        "codes": {"type": "array", "items": PIN},
        "login": {"writeOnly": True, "properties": {"user": {}}},
    }
}


def values(value: Any, schema: Any = SCHEMA) -> SecretValues:
    return SecretValues.of(value, SchemaSecrets(schema))


@pytest.mark.parametrize(
    "value",
    [
        {"pin": "hunter-22"},
        {"cards": [{"pin": "other"}, {"pin": "hunter-22"}]},
        {"codes": ["hunter-22"]},
        {"login": {"user": ["hunter-22"]}},
        {"deep": [{"api_key": "hunter-22"}]},
        {"password": {"old": "hunter-22"}},
    ],
)
def test_a_secret_is_found_wherever_its_field_stands(value: Any) -> None:
    said = values(value).left_out_of("no user has hunter-22.")
    assert said == f"no user has {SECRET}."


@pytest.mark.parametrize(
    "value",
    [None, 5, "hunter-22", {"user": "hunter-22"}, {"pin": None}, {"pin": True}, {"pin": ""}],
)
def test_without_a_secret_a_text_stays(value: Any) -> None:
    found = values(value)
    assert not found
    assert found.left_out_of("hunter-22 True") == "hunter-22 True"


@pytest.mark.parametrize("value", ["hunter-22", ["hunter-22"], {"a": "hunter-22"}])
def test_a_whole_value_can_be_the_secret(value: Any) -> None:
    schema = {"type": ["string", "array", "object"], **PIN}
    assert values(value, schema).left_out_of("hunter-22") == SECRET
    assert without_secrets(value, SchemaSecrets(schema)) == SECRET


def test_a_number_is_a_secret_where_the_schema_says_so() -> None:
    assert values({"pin": 4711}).left_out_of("4711?") == f"{SECRET}?"
    assert not values({"token": 4711})


@pytest.mark.parametrize(
    "quoted", [r"a \"b\" é", r"a \"b\" \u00e9", 'a "b" é', "a%20%22b%22%20%C3%A9"]
)
def test_a_secret_is_known_in_the_spellings_of_json_python_and_urls(quoted: str) -> None:
    assert values({"pin": 'a "b" é'}).left_out_of(f"<{quoted}>") == f"<{SECRET}>"


def test_a_short_one_is_only_left_out_as_a_word_of_its_own() -> None:
    assert values({"pin": "12"}).left_out_of("12 in 120, 'x12'") == f"{SECRET} in 120, 'x12'"


def test_nothing_is_left_of_a_secret_that_begins_with_another() -> None:
    both = values({"codes": ["hunter", "hunter-22", "secret"]})
    assert both.left_out_of("hunter-22 hunter secret") == f"{SECRET} {SECRET} {SECRET}"


def test_of_more_than_can_be_looked_for_the_text_is_left_out() -> None:
    many = values({"codes": [f"code-{number}" for number in range(MOST + 1)]})
    assert many.left_out_of("code-7 is taken") == SECRET


def test_the_values_of_two_places_are_left_out_together() -> None:
    both = values({"pin": "hunter-22"}) | values({"token": "abcdef"})
    assert both.left_out_of_all({"text": ["hunter-22", {"abcdef": "abcdef", "n": 1}]}) == {
        "text": [SECRET, {"abcdef": SECRET, "n": 1}]
    }


def test_half_a_surrogate_pair_breaks_nothing() -> None:
    assert values({"pin": "hunter\ud800"}).left_out_of("<hunter\ud800>") == f"<{SECRET}>"

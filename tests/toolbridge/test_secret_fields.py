"""Which fields are secrets."""

import pytest
from toolbridge.secret_fields import SchemaSecrets, has_secret_name, is_marked_secret


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "Password",
        "db_password",
        "apiKey",
        "api-key",
        "X-API-Key",
        "openai_api_key",
        "token",
        "accessToken",
        "GITHUB_TOKEN",
        "Authorization",
        "client_secret",
        "private_key",
        "credentials",
        "Set-Cookie",
    ],
)
def test_names_that_nothing_but_a_secret_has(name: str) -> None:
    assert has_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "max_tokens",
        "next_page_token",
        "nextToken",
        "continuation_token",
        "tokenizer",
        "key",
        "secretary",
        "password_hint",
        "",
    ],
)
def test_names_that_merely_sound_like_one(name: str) -> None:
    assert not has_secret_name(name)


def secret(schema: object, name: str) -> bool:
    secrets = SchemaSecrets(schema)
    return is_marked_secret(secrets.of_property(secrets.top, name))


def test_a_property_is_secret_in_any_of_its_alternatives() -> None:
    hidden = {"type": "string", "writeOnly": True}
    assert secret({"properties": {"a": {"anyOf": [hidden, {"type": "null"}]}}}, "a")
    assert secret({"allOf": [{"properties": {"a": hidden}}]}, "a")
    assert secret({"additionalProperties": hidden}, "a")
    assert secret({"$ref": "#/$defs/x~1y", "$defs": {"x/y": {"properties": {"a": hidden}}}}, "a")


@pytest.mark.parametrize(
    "schema",
    [
        None,
        True,
        {"properties": {"a": {"type": "string"}}},
        {"properties": {"a": {"writeOnly": False}}},
        {"properties": {"a": {"$ref": "#/$defs/gone"}}},
        {"properties": {"a": {"$ref": "https://example.org/schema"}}},
        {"properties": {"a": {"$ref": "#"}}},
        {"properties": []},
    ],
)
def test_other_schemas_say_nothing(schema: object) -> None:
    assert not secret(schema, "a")

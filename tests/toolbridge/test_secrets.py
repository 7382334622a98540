"""What a tool declares secret is not shown: not in questions, explanations or refusals."""

from typing import Any

import pytest
from toolbridge.errors import ArgumentsRefusedError
from toolbridge.masking import SECRET, without_secrets
from toolbridge.secret_fields import SchemaSecrets

from tests.toolbridge.boxes import Person, StubSource, call
from toolbridge import (
    Answer,
    CallContext,
    Gate,
    JsonValue,
    Tool,
    Toolbox,
    ToolError,
    parse_rules,
)

PIN = {"type": "string", "writeOnly": True, "minLength": 4}
LOGIN = Tool(
    "login",
    "bank",
    input_schema={
        "type": "object",
        "properties": {
            "user": {"type": "string"},
            "pin": PIN,
            "cards": {"type": "array", "items": {"properties": {"pin": PIN}}},
        },
        "required": ["user"],
        "additionalProperties": False,
        "maxProperties": 3,
    },
)
SECRETS: dict[str, Any] = {
    "user": "amy",
    "pin": "1234-5",
    "cards": [{"pin": "5432-1"}, {"pin": "6789-0"}],
}
SHOWN = {"user": "amy", "pin": SECRET, "cards": [{"pin": SECRET}, {"pin": SECRET}]}


@pytest.fixture
def bank() -> StubSource:
    return StubSource("bank", [LOGIN])


@pytest.fixture
def toolbox(bank: StubSource) -> Toolbox:
    box = Toolbox()
    box.add(bank)
    return box


async def test_a_question_shows_the_call_without_its_secrets(
    toolbox: Toolbox, bank: StubSource
) -> None:
    person = Person(Answer.SAME)
    await call(toolbox, "login", SECRETS, CallContext(asker=person))
    (question,) = person.questions
    assert question.arguments == SHOWN
    assert "1234-5" not in question.text
    assert bank.calls == [SECRETS]


async def test_what_is_kept_of_a_call_holds_no_secret(toolbox: Toolbox) -> None:
    await call(toolbox, "login", SECRETS, CallContext(asker=Person(Answer.SAME)))
    (grant,) = toolbox.questions.grants.of(None)
    (explanation,) = toolbox.questions.lately(None)
    assert grant.arguments == explanation.arguments == SHOWN
    assert toolbox.explain(LOGIN, SECRETS).arguments == SHOWN


async def test_rules_and_answers_look_at_the_real_values(toolbox: Toolbox) -> None:
    await call(toolbox, "login", SECRETS, CallContext(asker=Person(Answer.SAME)))
    with pytest.raises(ToolError):
        await call(toolbox, "login", {**SECRETS, "pin": "9999-9"})
    toolbox.gate = Gate(parse_rules([{"decision": "deny", "arguments": {"pin": "1234-5"}}]))
    with pytest.raises(ToolError, match="a rule denies it"):
        await call(toolbox, "login", SECRETS)


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({"user": "amy", "pin": "123"}, "pin: it breaks `minLength`"),
        ({"user": "amy", "cards": [{"pin": "123"}]}, "cards[0].pin: it breaks `minLength`"),
        ({"pin": "1234-5"}, "'user' is a required property"),
        ({"user": 5, "pin": "1234-5"}, "user: 5 is not of type 'string'"),
        ({**SECRETS, "x": 1, "y": 2}, "it breaks `maxProperties`"),
    ],
)
async def test_a_refusal_quotes_no_secret(
    toolbox: Toolbox, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        await call(toolbox, "login", arguments)
    assert said in str(refused.value)
    assert "123" not in str(refused.value)


def test_a_name_gives_a_secret_away_too() -> None:
    value: JsonValue = {"api_key": "k", "deep": [{"password": "p", "n": 1}], "token": ""}
    assert without_secrets(value, SchemaSecrets(None)) == {
        "api_key": SECRET,
        "deep": [{"password": SECRET, "n": 1}],
        "token": "",
    }

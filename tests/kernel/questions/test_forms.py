"""Forms of elicitations and free questions, answered line by line."""

from typing import Any

import pytest
from codemode_kernel.questions import wording
from codemode_kernel.questions.forms import Field, UnfitError, fields_of
from codemode_kernel.questions.line import ask_by_line
from codemode_kernel.questions.question import Said

from toolbridge import Inquiry

FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name"},
        "age": {"type": "integer", "description": "in years"},
        "colour": {"enum": ["red", "green"], "default": "red"},
        "sure": {"type": "boolean"},
    },
    "required": ["name", "sure"],
}


@pytest.mark.parametrize(
    "schema, line, value",
    [
        ({"type": "string"}, " as it is ", "as it is"),
        ({}, "x", "x"),
        ({"type": "integer"}, "5", 5),
        ({"type": "number"}, "2.5", 2.5),
        ({"type": "boolean"}, "Yes", True),
        ({"type": "boolean"}, "no", False),
        ({"enum": ["a", 5]}, "5", 5),
        ({"oneOf": [{"const": "r", "title": "Red"}]}, "R", "r"),
        ({"type": "string"}, "", None),
        ({"type": "integer", "default": 3}, "", 3),
    ],
)
def test_a_line_is_a_value(schema: dict[str, Any], line: str, value: Any) -> None:
    assert Field("f", schema, is_required=True).read(line) == value


@pytest.mark.parametrize(
    "schema", [{"type": "integer"}, {"type": "number"}, {"type": "boolean"}, {"enum": ["a"]}]
)
def test_a_line_that_does_not_fit_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(UnfitError):
        Field("f", schema, is_required=False).read("x5")


@pytest.mark.parametrize(
    "schema, line, why",
    [
        ({"type": "integer", "minimum": 1, "maximum": 3}, "9", "it is more than 3"),
        ({"type": "number", "minimum": 0.5}, "0.25", "it is less than 0.5"),
        ({"type": "number"}, "nan", "it is no number"),
        ({"type": "number"}, "-inf", "it is no number"),
        ({"type": "string", "minLength": 3}, "ab", "it is less than 3 characters"),
        ({"type": "string", "maxLength": 1}, "ab", "it is more than 1 characters"),
    ],
)
def test_a_value_out_of_its_bounds_is_refused(schema: dict[str, Any], line: str, why: str) -> None:
    with pytest.raises(UnfitError, match=f"^{why}$"):
        Field("f", schema, is_required=True).read(line)


def test_a_form_that_makes_no_sense_is_asked_as_far_as_it_does() -> None:
    form = {"properties": {"a": {"oneOf": [5]}, "b": 3}, "required": 7}
    assert [field.read("x") for field in fields_of(form)] == ["x", "x"]


def test_a_prompt_says_what_can_be_written() -> None:
    assert [field.prompt for field in fields_of(FORM)] == [
        "Your name: ",
        "age (in years; may be left empty): ",
        "colour (one of red, green; nothing means red): ",
        "sure (yes or no): ",
    ]


class Typist:
    """Types these lines, and keeps the prompts."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.prompts: list[str] = []
        self.hidden: list[bool] = []

    async def __call__(self, prompt: str, *, password: bool = False) -> str:
        self.prompts.append(prompt)
        self.hidden.append(password)
        return self._lines.pop(0)


async def filled(*lines: str, form: Any = FORM) -> tuple[Said, list[str]]:
    typist = Typist(*lines)
    question = wording.free_question(Inquiry("Who are you?", "server trips", form), "In [3]")
    return await ask_by_line(question, typist), typist.prompts


async def test_a_form_is_asked_field_by_field_until_each_fits() -> None:
    said, prompts = await filled("Amy", "old", "41", "", "y")
    assert said == Said("accept", {"name": "Amy", "age": 41, "colour": "red", "sure": True})
    assert prompts[0] == "In [3]: server trips asks:\n    Who are you?\nYour name: "
    assert prompts[2].startswith("Please answer again, it is no whole number. age")


async def test_a_secret_is_not_shown_while_it_is_typed() -> None:
    names = {"user": {}, "password": {}, "pin": {"format": "password"}, "code": {"writeOnly": True}}
    typist = Typist("amy", "a", "b", "c")
    question = wording.free_question(Inquiry("?", "server s", {"properties": names}), "In [3]")
    assert question.form is not None
    assert question.form["properties"]["password"] == {"format": "password"}
    assert question.form["properties"]["user"] == {}
    await ask_by_line(question, typist)
    assert typist.hidden == [False, True, True, True]


async def test_a_required_field_that_stays_empty_declines() -> None:
    assert (await filled(""))[0] == Said("decline")


@pytest.mark.parametrize("typed, said", [("y", Said("accept", {})), ("", Said("decline"))])
async def test_a_form_without_fields_is_a_yes_or_no(typed: str, said: Said) -> None:
    assert (await filled(typed, form={"type": "object", "properties": {}}))[0] == said


async def test_without_a_form_any_text_is_an_answer_and_none_declines() -> None:
    assert (await filled("The Blue One", form=None))[0] == Said("accept", "The Blue One")
    assert (await filled("", form=None))[0] == Said("decline")

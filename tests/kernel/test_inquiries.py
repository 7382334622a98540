"""Free questions to the person, line by line."""

from collections.abc import Mapping
from typing import Any

import pytest
from codemode_kernel.inquiries import put_inquiry

from toolbridge import Inquiry, Reply, ReplyAction


class Person:
    """Types what they were told to, and keeps the prompts."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.prompts: list[str] = []

    async def type(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self._lines.pop(0)


async def ask(person: Person, fields: Mapping[str, Mapping[str, Any]], *required: str) -> Reply:
    form = {"type": "object", "properties": fields, "required": list(required)}
    inquiry = Inquiry("Hello\nyou \u202eevil", "MCP server s", form)
    return await put_inquiry(inquiry, "In [3]", person.type)


@pytest.mark.parametrize(
    "schema, typed, value",
    [
        ({"type": "string"}, " as it is ", " as it is "),
        ({"type": "integer"}, "36", 36),
        ({"type": "number"}, "1.5", 1.5),
        ({"type": "boolean"}, "No", False),
        ({"type": "string", "enum": ["a", "b"]}, "b", "b"),
        ({"type": "string", "oneOf": [{"const": "x", "title": "X"}]}, "x", "x"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "a, b", ["a", "b"]),
        ({"type": "integer", "default": 7}, "", 7),
    ],
)
async def test_a_field_is_read_as_its_kind(schema: Any, typed: str, value: Any) -> None:
    answer = await ask(Person("y", typed), {"f": schema}, "f")
    assert (answer.action, answer.content) == ("accept", {"f": value})


@pytest.mark.parametrize(
    "schema, wrong, right",
    [
        ({"type": "integer"}, "many", "1"),
        ({"type": "boolean"}, "perhaps", "y"),
        ({"type": "string", "enum": ["a"]}, "b", "a"),
    ],
)
async def test_what_does_not_fit_is_asked_again(schema: Any, wrong: str, right: str) -> None:
    person = Person("y", wrong, right)
    assert (await ask(person, {"f": schema}, "f")).action == "accept"
    assert person.prompts[2].startswith("Please ")


async def test_a_field_that_is_not_required_may_be_left_out() -> None:
    person = Person("y", "", "b")
    answer = await ask(person, {"a": {"type": "string"}, "b": {"type": "string"}}, "b")
    assert answer.content == {"b": "b"}
    assert person.prompts[1:] == ["a (Enter to leave it out): ", "b: "]


@pytest.mark.parametrize("typed", ["n", "", "what"])
async def test_anything_but_a_yes_declines(typed: str) -> None:
    assert await ask(Person(typed), {"f": {"type": "string"}}, "f") == Reply(ReplyAction.DECLINE)


async def test_a_person_may_go_away() -> None:
    assert await ask(Person("c"), {}) == Reply(ReplyAction.CANCEL)


async def test_without_a_form_one_line_is_asked_for() -> None:
    inquiry = Inquiry("Which one?", "ask_user")
    assert await put_inquiry(inquiry, "In [3]", Person("this").type) == Reply(
        ReplyAction.ACCEPT, "this"
    )
    assert await put_inquiry(inquiry, "In [3]", Person("").type) == Reply(ReplyAction.DECLINE)


async def test_words_of_the_server_cannot_look_like_ours() -> None:
    person = Person("n")
    await ask(person, {})
    assert person.prompts[0].startswith(
        "MCP server s, called by In [3], asks:\n    Hello\n    you \\u202eevil\n"
    )

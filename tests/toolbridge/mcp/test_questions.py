"""What an MCP server says and asks while it is called: progress, and questions for a person."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from tests.patience import SLOWDOWN
from tests.toolbridge.mcp.servers import Servers, Spec, behaves, text_of, until
from toolbridge import (
    Answer,
    ApprovalRequest,
    CallContext,
    Inquiry,
    Progress,
    Reply,
    ReplyAction,
)


async def test_progress_is_told_and_keeps_the_call_alive(servers: Servers) -> None:
    told = [[1, 3, "one"], [2.5, None, None]]
    servers.add({"tools": [behaves("work", {"progress": told})]})
    seen: list[Progress] = []
    await servers.call("s__work", context=CallContext(on_progress=seen.append))
    await until(lambda: len(seen) == 2)
    assert seen == [Progress(1, 3, "one"), Progress(2.5, None, None)]


class Person:
    """An asker that answers questions of servers."""

    def __init__(self, answer: Callable[[], Awaitable[Reply]]) -> None:
        self._answer = answer
        self.inquiries: list[Inquiry] = []
        self.was_withdrawn = False

    async def ask(self, question: ApprovalRequest) -> Answer:
        return Answer.ONCE

    async def inquire(self, inquiry: Inquiry) -> Reply:
        self.inquiries.append(inquiry)
        try:
            return await self._answer()
        except asyncio.CancelledError:
            self.was_withdrawn = True
            raise


async def never() -> Reply:
    await asyncio.Event().wait()
    return Reply(ReplyAction.CANCEL)


ASKS_FOR_A_NAME: Spec = {
    "message": "Who are you?",
    "requestedSchema": {
        "type": "object",
        "properties": {"name": {"type": "string", "title": "Name"}},
        "required": ["name"],
    },
}


async def test_a_question_of_the_server_goes_to_who_called(servers: Servers) -> None:
    servers.add({"tools": [behaves("greet", {"elicit": ASKS_FOR_A_NAME})]}, call_timeout_s=SLOWDOWN)

    async def answer() -> Reply:
        await asyncio.sleep(1.5 * SLOWDOWN)  # longer than the call may take: that is not counted
        return Reply(ReplyAction.ACCEPT, {"name": "Ada"})

    person = Person(answer)
    result = await servers.call("s__greet", context=CallContext(asker=person))
    assert json.loads(text_of(result)) == {"action": "accept", "content": {"name": "Ada"}}
    assert person.inquiries == [
        Inquiry("Who are you?", "MCP server s", ASKS_FOR_A_NAME["requestedSchema"], cell_id="1")
    ]


async def test_a_form_in_which_nothing_was_filled_in_is_accepted_as_it_is(servers: Servers) -> None:
    optional = {**ASKS_FOR_A_NAME["requestedSchema"], "required": []}
    servers.add(
        {"tools": [behaves("greet", {"elicit": {**ASKS_FOR_A_NAME, "requestedSchema": optional}})]}
    )

    async def answer() -> Reply:
        return Reply(ReplyAction.ACCEPT, {})

    result = await servers.call("s__greet", context=CallContext(asker=Person(answer)))
    assert json.loads(text_of(result)) == {"action": "accept", "content": {}}


async def test_a_page_to_visit_is_a_question_without_fields(servers: Servers) -> None:
    visit = {"mode": "url", "message": "Sign in", "url": "https://a.org/x", "elicitationId": "1"}
    servers.add({"tools": [behaves("greet", {"elicit": visit})]})

    async def answer() -> Reply:
        return Reply(ReplyAction.ACCEPT, {})

    person = Person(answer)
    result = await servers.call("s__greet", context=CallContext(asker=person))
    assert json.loads(text_of(result)) == {"action": "accept"}
    (inquiry,) = person.inquiries
    assert inquiry.message == "Sign in\nIt wants you to open this page:\nhttps://a.org/x"


async def test_without_a_person_the_question_is_declined(servers: Servers) -> None:
    servers.add({"tools": [behaves("greet", {"elicit": ASKS_FOR_A_NAME})]})
    assert json.loads(text_of(await servers.call("s__greet"))) == {"action": "decline"}


async def test_a_question_nobody_answers_in_time_is_cancelled(servers: Servers) -> None:
    servers.add({"tools": [behaves("greet", {"elicit": ASKS_FOR_A_NAME})]})
    servers.toolbox.questions.timeout_s = 0.1
    person = Person(never)
    result = await servers.call("s__greet", context=CallContext(asker=person))
    assert json.loads(text_of(result)) == {"action": "cancel"}
    assert person.was_withdrawn


async def test_a_question_goes_with_its_call(servers: Servers) -> None:
    servers.add({"tools": [behaves("greet", {"elicit": ASKS_FOR_A_NAME})]})

    person = Person(never)
    calling = asyncio.create_task(servers.call("s__greet", context=CallContext(asker=person)))
    await until(lambda: bool(person.inquiries))
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await until(lambda: person.was_withdrawn)

"""What the tests of the toolbox have in common: calls as a cell makes them, and people who answer."""

import asyncio
from collections.abc import Sequence
from typing import Any

from toolbridge import (
    Answer,
    ApprovalRequest,
    CallContext,
    Gate,
    Inquiry,
    Reply,
    Source,
    Tool,
    Toolbox,
    ToolCall,
    parse_rules,
)

ALLOW_ALL = Gate(parse_rules([{"decision": "allow"}]))


async def call(
    toolbox: Toolbox, identifier: str, arguments: Any = None, context: CallContext | None = None
) -> Any:
    """Call `tools.IDENTIFIER(arguments)` as cell 1 would."""
    tool = toolbox.catalog((context or CallContext()).principal).called(identifier)
    assert tool is not None, f"no tool {identifier}"
    return await toolbox.invoke(
        ToolCall(tool, arguments, id="tool-1", cell_id="1"), context or CallContext()
    )


class Person:
    """Answers as told, one answer a question; without one left, thinks until cancelled."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.questions: list[ApprovalRequest] = []
        self.open = 0
        """Questions before the person right now."""
        self.asked = asyncio.Event()
        self.inquiries: list[Inquiry] = []
        self.replies: list[Reply] = []
        """To free questions, likewise."""

    async def ask(self, question: ApprovalRequest) -> Answer:
        self.questions.append(question)
        self.open += 1
        self.asked.set()
        try:
            if not self._answers:
                await asyncio.Event().wait()
            await asyncio.sleep(0)
            return self._answers.pop(0)
        finally:
            self.open -= 1

    async def inquire(self, inquiry: Inquiry) -> Reply:
        self.inquiries.append(inquiry)
        self.asked.set()
        if not self.replies:
            await asyncio.Event().wait()
        return self.replies.pop(0)


class StubSource(Source):
    """Offers whatever tools it is given and echoes the arguments, counting the calls."""

    def __init__(self, source_id: str, tools: Sequence[Tool]) -> None:
        self.id = source_id
        self.offered = list(tools)
        self.calls: list[Any] = []

    def tools(self) -> Sequence[Tool]:
        return self.offered

    async def call(self, call: ToolCall, admitted: Any, context: CallContext) -> Any:
        self.calls.append(admitted)
        return admitted

"""Asks the person at the notebook whether a tool call may run."""

from __future__ import annotations

from codemode_kernel.errors import NobodyToAsk
from codemode_kernel.outputs import CellOutputs
from codemode_kernel.stdin import Stdin
from toolbridge import Answer, ApprovalRequest, NobodyThereError

ANSWERS = {
    "o": Answer.ONCE,
    "once": Answer.ONCE,
    "y": Answer.ONCE,
    "yes": Answer.ONCE,
    "s": Answer.SESSION,
    "session": Answer.SESSION,
    "n": Answer.NO,
    "no": Answer.NO,
    "": Answer.NO,
}
"""What can be typed. Just Enter is a no: nothing runs by accident."""

CHOICES = "[o]nce, for this [s]ession, [n]o: "


class StdinAsker:
    """The `toolbridge.Asker` of one notebook cell: a line of input below it."""

    def __init__(self, stdin: Stdin, outputs: CellOutputs, label: str) -> None:
        self._stdin = stdin
        self._outputs = outputs
        self._label = label

    async def ask(self, question: ApprovalRequest) -> Answer:
        """Put the question until it is answered; raises `NobodyThereError` without a person."""
        prompt = f"{_describe(question, self._label)}\nAllow it? {CHOICES}"
        self._outputs.flush()
        while True:
            try:
                typed = await self._stdin.ask(self._outputs.publisher.request, prompt)
            except NobodyToAsk as error:
                raise NobodyThereError(str(error)) from None
            answer = ANSWERS.get(typed.strip().lower())
            if answer is not None:
                return answer
            prompt = f"Please answer {CHOICES}"


def _describe(question: ApprovalRequest, label: str) -> str:
    call = "\n".join(f"    {_visible(line)}" for line in question.text.split("\n"))
    reason = f"\n{_visible(question.reason)}" if question.reason else ""
    return f"{label} wants to call {question.tool.identifier}:\n{call}{reason}"


def _visible(text: str) -> str:
    """`text` with everything escaped that could make it look like something else on a screen."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )

"""Asks the person at the notebook whether a tool call may run."""

from __future__ import annotations

from codemode_kernel.errors import ConfigurationError, NobodyToAsk
from codemode_kernel.outputs import CellOutputs
from codemode_kernel.policy import Policy
from codemode_kernel.project_rules import FILE_NAME
from codemode_kernel.stdin import Stdin
from codemode_kernel.visible import visible, visible_lines
from toolbridge import Answer, ApprovalRequest, Decision, Inquiry, NobodyThereError, Reply

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

SHOWN_HEAD, SHOWN_TAIL = 6_000, 2_000
"""Characters of a call that are shown; of a longer one the middle is left out, and that is said."""

CHOICES = "[o]nce, all calls of {tool} in this [s]ession, [n]o: "

PROJECT_CHOICES = "Let these rules hold, now and whenever they come with a notebook? [y]es, [n]o: "


class StdinAsker:
    """The `toolbridge.Asker` of one notebook cell: a line of input below it."""

    def __init__(self, stdin: Stdin, outputs: CellOutputs, label: str, policy: Policy) -> None:
        self._stdin = stdin
        self._outputs = outputs
        self._label = label
        self._policy = policy

    async def ask(self, question: ApprovalRequest) -> Answer:
        """Put the question until it is answered; raises `NobodyThereError` without a person.

        Rules that the folder proposes come first: they may answer it.
        """
        if await self._offer_project_rules():
            decision = self._policy.decision_on(question)
            if decision is not Decision.ASK:
                return Answer.ONCE if decision is Decision.ALLOW else Answer.NO
        choices = CHOICES.format(tool=question.tool.identifier)
        prompt = f"{_describe(question, self._label)}\nAllow it? {choices}"
        while True:
            answer = ANSWERS.get(await self._line(prompt))
            if answer is not None:
                return answer
            prompt = f"Please answer {choices}"

    async def _offer_project_rules(self) -> bool:
        """Show the folder's rules if they are new; True when the person has just agreed."""
        try:
            proposal = self._policy.open_proposal()
        except ConfigurationError as error:
            self._outputs.warn(str(error))
            return False
        if proposal is None:
            return False
        rules = visible_lines(proposal.text)
        line = await self._line(
            f"{FILE_NAME} beside this notebook brings rules for tool calls:\n{rules}\n"
            f"{PROJECT_CHOICES}"
        )
        agreed = line in ("y", "yes")
        self._policy.settle(proposal, agreed)
        return agreed

    async def inquire(self, inquiry: Inquiry) -> Reply:
        """Put a free question; raises `NobodyThereError` without a person."""
        from codemode_kernel.inquiries import put_inquiry

        return await put_inquiry(inquiry, self._label, self._typed)

    async def _line(self, prompt: str) -> str:
        return (await self._typed(prompt)).strip().lower()

    async def _typed(self, prompt: str) -> str:
        self._outputs.flush()
        try:
            return await self._stdin.ask(self._outputs.publisher.request, prompt)
        except NobodyToAsk as error:
            raise NobodyThereError(str(error)) from None


def _describe(question: ApprovalRequest, label: str) -> str:
    call = visible_lines(_cut(question.text))
    reason = f"\n{visible(question.reason)}" if question.reason else ""
    return f"{label} wants to call {question.tool.identifier}:\n{call}{reason}"


def _cut(text: str) -> str:
    left_out = len(text) - SHOWN_HEAD - SHOWN_TAIL
    if left_out <= 0:
        return text
    return (
        f"{text[:SHOWN_HEAD]}\n"
        f"(( {left_out:,} characters are NOT SHOWN here ))\n"
        f"{text[-SHOWN_TAIL:]}"
    )

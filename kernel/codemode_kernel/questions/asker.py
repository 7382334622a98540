"""Asks the person at the notebook whether a tool call may run."""

from __future__ import annotations

from codemode_kernel.errors import ConfigurationError, NobodyToAsk
from codemode_kernel.outputs import CellOutputs
from codemode_kernel.policy import Policy
from codemode_kernel.project_rules import FILE_NAME
from codemode_kernel.stdin import Stdin
from toolbridge import Answer, ApprovalRequest, Decision, NobodyThereError

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
        rules = "\n".join(f"    {_visible(line)}" for line in proposal.text.split("\n"))
        line = await self._line(
            f"{FILE_NAME} beside this notebook brings rules for tool calls:\n{rules}\n"
            f"{PROJECT_CHOICES}"
        )
        agreed = line in ("y", "yes")
        self._policy.settle(proposal, agreed)
        return agreed

    async def _line(self, prompt: str) -> str:
        self._outputs.flush()
        try:
            typed = await self._stdin.ask(self._outputs.publisher.request, prompt)
        except NobodyToAsk as error:
            raise NobodyThereError(str(error)) from None
        return typed.strip().lower()


def _describe(question: ApprovalRequest, label: str) -> str:
    call = "\n".join(f"    {_visible(line)}" for line in _cut(question.text).split("\n"))
    reason = f"\n{_visible(question.reason)}" if question.reason else ""
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


def _visible(text: str) -> str:
    """`text` with everything escaped that could make it look like something else on a screen."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )

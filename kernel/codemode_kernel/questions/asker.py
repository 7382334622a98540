"""Asks the person at the notebook, in every way there is: the first answer counts."""

from __future__ import annotations

import asyncio

from codemode_kernel.errors import ConfigurationError, NobodyToAsk
from codemode_kernel.gate.policy import Policy
from codemode_kernel.messages.stdin import Stdin
from codemode_kernel.notebook.runs import NotebookRun
from codemode_kernel.outputs.outputs import CellOutputs
from codemode_kernel.questions import wording
from codemode_kernel.questions.board import Board
from codemode_kernel.questions.line import ask_by_line
from codemode_kernel.questions.question import Question, Said
from toolbridge import Answer, ApprovalRequest, Inquiry, NobodyThereError, Reply, ReplyAction


class Askers:
    """Makes the asker of each notebook cell."""

    def __init__(self, stdin: Stdin, board: Board, policy: Policy) -> None:
        self._stdin = stdin
        self._board = board
        self._policy = policy

    def of(self, run: NotebookRun) -> CellAsker | None:
        """Who can be asked for a run; None where its client takes no input."""
        if not run.takes_input:
            return None
        return CellAsker(self._stdin, self._board, self._policy, run.outputs, run.label)


class CellAsker:
    """The `toolbridge.Asker` of one notebook cell: a line of input below it, and the board."""

    def __init__(
        self, stdin: Stdin, board: Board, policy: Policy, outputs: CellOutputs, label: str
    ) -> None:
        self._stdin = stdin
        self._board = board
        self._policy = policy
        self._outputs = outputs
        self._label = label

    async def ask(self, question: ApprovalRequest) -> Answer:
        """Put the question until it is answered; raises `NobodyThereError` without a person.

        Rules that the folder proposes come first: they may answer it.
        """
        if await self._offer_project_rules():
            return Answer.AGAIN
        said = await self._put(wording.approval(question, self._label))
        return Answer(said.choice)

    async def inquire(self, inquiry: Inquiry) -> Reply:
        """Put a free question; raises `NobodyThereError` without a person."""
        said = await self._put(wording.free_question(inquiry, self._label))
        return Reply(ReplyAction(said.choice), said.content)

    async def consents(self, question: Question) -> bool:
        """Put a question of yes or no; raises `NobodyThereError` without a person."""
        return (await self._put(question)).choice == wording.YES

    async def _offer_project_rules(self) -> bool:
        """Show what the folder proposes if it is new; True when the person has just agreed."""
        try:
            proposal = self._policy.open_proposal()
        except ConfigurationError as error:
            self._outputs.warn(str(error))
            return False
        if proposal is None:
            return False
        agreed = await self.consents(wording.consent(proposal))
        self._policy.settle(proposal, agreed)
        return agreed

    async def _put(self, question: Question) -> Said:
        request = self._outputs.publisher.request
        with self._board.post(question, request.notebook_cell) as answered:
            by_line = asyncio.ensure_future(ask_by_line(question, self._line))
            try:
                await asyncio.wait({answered, by_line}, return_when=asyncio.FIRST_COMPLETED)
                return answered.result() if answered.done() else by_line.result()
            finally:
                by_line.cancel()
                await asyncio.gather(by_line, return_exceptions=True)

    async def _line(self, prompt: str, *, password: bool = False) -> str:
        self._outputs.flush()
        request = self._outputs.publisher.request
        try:
            return await self._stdin.ask(request, prompt, password=password)
        except NobodyToAsk as error:
            raise NobodyThereError(str(error)) from None

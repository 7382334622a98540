"""Questions in the person's words."""

from __future__ import annotations

from codemode_kernel.gate.project_rules import FILE_NAME, Proposal
from codemode_kernel.questions.forms import with_secrets_marked
from codemode_kernel.questions.question import Choice, Question
from codemode_kernel.questions.visible import visible
from toolbridge import Answer, ApprovalRequest, Inquiry, ReplyAction

SHOWN_HEAD, SHOWN_TAIL = 6_000, 2_000
"""Characters of a call that are shown; of a longer one the middle is left out, and that is said."""

# Just Enter is a no: nothing runs by accident.
_APPROVAL = (
    Choice(Answer.ONCE, "Allow once", frozenset({"o", "once", "y", "yes"})),
    Choice(Answer.SAME, "Allow these arguments", frozenset({"a", "same", "arguments"})),
    Choice(Answer.SESSION, "Allow for the session", frozenset({"s", "session"})),
    Choice(Answer.NO, "No", frozenset({"n", "no", ""})),
    Choice(Answer.NEVER, "Never in this session", frozenset({"never"})),
)

YES = "yes"
"""The word of the choice that agrees, of questions of yes or no."""

_NO = Choice("no", "No", frozenset({"n", "no", ""}))

_REPLY = (
    Choice(ReplyAction.ACCEPT, "Answer", frozenset()),
    Choice(ReplyAction.DECLINE, "Decline", frozenset({""})),
)


def approval(request: ApprovalRequest, label: str) -> Question:
    """May this call run? `label` is the cell's: `In [3]`."""
    return Question(
        title=f"{label} wants to call {request.tool.identifier}",
        text=_lines(_cut(request.text)),
        reason=visible(request.reason),
        choices=_APPROVAL,
        invitation=(
            "Allow it? [o]nce, these [a]rguments or this tool for the [s]ession, [n]o, [never]: "
        ),
    )


def consent(proposal: Proposal) -> Question:
    """May what the folder proposes hold?"""
    return Question(
        title=f"{FILE_NAME} beside this notebook brings rules for tool calls",
        text=_lines(proposal.text),
        reason="",
        choices=(_yes("Let them hold"), _NO),
        invitation=(
            "Let these rules hold, now and whenever they come with a notebook? [y]es, [n]o: "
        ),
    )


def server_consent(file_name: str, servers: str) -> Question:
    """May the servers start that a file beside the notebook names, one a line?"""
    return Question(
        title=f"{file_name} beside this notebook wants to start MCP servers",
        text=_lines(servers),
        reason="",
        choices=(_yes("Start them"), _NO),
        invitation="Start them, now and whenever they come with a notebook? [y]es, [n]o: ",
    )


def free_question(inquiry: Inquiry, label: str) -> Question:
    """What an MCP server or `ask_user` wants to know."""
    return Question(
        title=f"{label}: {visible(inquiry.asked_by)} asks",
        text=_lines(_cut(inquiry.message)),
        reason="",
        choices=_REPLY,
        invitation="Your answer (nothing declines): ",
        form=with_secrets_marked(inquiry.form),
        takes_text=inquiry.form is None,
    )


def _yes(label: str) -> Choice:
    return Choice(YES, label, frozenset({"y", "yes"}))


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _cut(text: str) -> str:
    left_out = len(text) - SHOWN_HEAD - SHOWN_TAIL
    if left_out <= 0:
        return text
    return (
        f"{text[:SHOWN_HEAD]}\n"
        f"(( {left_out:,} characters are NOT SHOWN here ))\n"
        f"{text[-SHOWN_TAIL:]}"
    )

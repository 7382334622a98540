"""The rules that decide about tool calls: the user's own, then the folder's if agreed to."""

from __future__ import annotations

from codemode_kernel.project_rules import ProjectRules, Proposal
from toolbridge import ApprovalRequest, Decision, Gate, Rule, Toolbox


class Policy:
    """Keeps the gate of a toolbox."""

    def __init__(
        self, toolbox: Toolbox, own_rules: tuple[Rule, ...], project: ProjectRules
    ) -> None:
        self._toolbox = toolbox
        self._own_rules = own_rules
        self._project = project
        self._put_up_gate()

    def open_proposal(self) -> Proposal | None:
        """The folder's rules, if the person has not been asked about them yet.

        Rules that are the user's own already are no question. Raises `ConfigurationError`, once
        for each fault of the file, when it cannot be used.
        """
        proposal = self._project.open_proposal()
        if proposal is None or all(rule in self._own_rules for rule in proposal.rules):
            return None
        return proposal

    def settle(self, proposal: Proposal, agreed: bool) -> None:
        """The person has answered; a yes holds from the next look at a call on."""
        if agreed:
            self._project.agree(proposal)
        else:
            self._project.decline(proposal)
        self._put_up_gate()

    @property
    def rule_counts(self) -> tuple[int, int]:
        """Rules in force: the user's own, and those of the folder."""
        return len(self._own_rules), len(self._project.in_force())

    def decision_on(self, question: ApprovalRequest) -> Decision:
        """How the gate as it is now answers `question`."""
        tool, arguments = question.tool, question.arguments
        gate = self._toolbox.gate
        return gate.decide(tool, tool.annotations, arguments, question.principal).decision

    def _put_up_gate(self) -> None:
        self._toolbox.gate = Gate(self._own_rules + self._project.in_force())

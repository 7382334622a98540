"""What decides about tool calls: rules and mode, from `%gate`, the user's own and the folder's."""

from __future__ import annotations

from codemode_kernel.gate.project_rules import ORIGIN as FOLDER
from codemode_kernel.gate.project_rules import ProjectRules, Proposal
from toolbridge import Gate, GateMode, Rule, Toolbox

CONFIGURATION = "configuration"
"""Where the user's own rules come from, for the person."""

MAGIC = "%gate"
"""Likewise for what was said in this session."""

DEFAULT = "default"


class Policy:
    """Keeps the gate of a toolbox. Rules: `%gate`'s, newest first, the user's own, the folder's."""

    def __init__(
        self,
        toolbox: Toolbox,
        own_rules: tuple[Rule, ...],
        project: ProjectRules,
        own_mode: GateMode = GateMode.ASK,
    ) -> None:
        self._toolbox = toolbox
        self._own_rules = own_rules
        self._own_mode = own_mode
        self._project = project
        self._said_rules: tuple[Rule, ...] = ()
        self._said_mode: GateMode | None = None
        self._removed: list[Rule] = []
        self._put_up_gate()

    # The folder

    def open_proposal(self) -> Proposal | None:
        """What the folder proposes, if the person has to be asked about it.

        What is the user's own already is no question, nor a mode that allows less. Raises
        `ConfigurationError`, once for each fault of the file, when it cannot be used.
        """
        proposal = self._project.open_proposal()
        if proposal is None or not self._allows_more(proposal):
            return None
        return proposal

    def _allows_more(self, proposal: Proposal) -> bool:
        mode = proposal.mode
        looser = mode is not None and mode.strictness < self._own_mode.strictness
        return looser or any(rule not in self._own_rules for rule in proposal.rules)

    def settle(self, proposal: Proposal, agreed: bool) -> None:
        """The person has answered; a yes holds from the next look at a call on."""
        if agreed:
            self._project.agree(proposal)
        else:
            self._project.decline(proposal)
        self._put_up_gate()

    # %gate

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in force, in order."""
        return self._toolbox.gate.rules

    @property
    def mode(self) -> GateMode:
        """The mode in force."""
        return self._toolbox.gate.mode

    @property
    def mode_origin(self) -> str:
        """Where the mode in force comes from, for the person."""
        return self._chosen_mode()[1]

    def add(self, rule: Rule) -> None:
        """Put a rule before all others: what was said last counts."""
        self._said_rules = (rule, *self._said_rules)
        self._put_up_gate()

    def remove(self, number: int) -> Rule:
        """Take the rule of that number, from 1, away until the kernel ends; raises `IndexError`.

        One of a configuration is back after a restart.
        """
        if not 1 <= number <= len(self.rules):
            raise IndexError(number)
        rule = self.rules[number - 1]
        if any(rule is said for said in self._said_rules):
            self._said_rules = tuple(said for said in self._said_rules if said is not rule)
        else:
            self._removed.append(rule)
        self._put_up_gate()
        return rule

    def set_mode(self, mode: GateMode) -> None:
        """Put a mode in force, whatever configuration and folder say."""
        self._said_mode = mode
        self._put_up_gate()

    def forget(self) -> None:
        """Forget what was said in this session (`%reset`)."""
        self._said_rules, self._said_mode, self._removed = (), None, []
        self._put_up_gate()

    def _chosen_mode(self) -> tuple[GateMode, str]:
        """The person's word counts, then the stricter of configuration and folder.

        The folder's laxer one only counts where the person agreed to it and chose none.
        """
        if self._said_mode is not None:
            return self._said_mode, MAGIC
        own = self._own_mode
        proposal = self._project.proposal()
        mode = proposal.mode if proposal else None
        if proposal is None or mode is None:
            return own, DEFAULT if own is GateMode.ASK else CONFIGURATION
        is_agreed = own is GateMode.ASK and self._project.is_agreed(proposal)
        if mode.strictness > own.strictness or is_agreed:
            return mode, FOLDER
        return own, DEFAULT if own is GateMode.ASK else CONFIGURATION

    def _put_up_gate(self) -> None:
        given = self._own_rules + self._project.in_force()
        kept = tuple(rule for rule in given if rule not in self._removed)
        self._toolbox.gate = Gate(self._said_rules + kept, self._chosen_mode()[0])

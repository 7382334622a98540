"""A tool as it is offered: a value, the same for every source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from codemode_rules.identifiers import normalise

from toolbridge.secret_fields import SchemaSecrets

JsonSchema: TypeAlias = Mapping[str, Any] | bool


class Kind(StrEnum):
    """What a tool takes: a JSON object, or one string in a syntax of its own."""

    FUNCTION = "function"
    FREEFORM = "freeform"


class Exposure(StrEnum):
    """Who can call a tool."""

    NESTED = "nested"
    """Scripts, as `tools.NAME`, and the model directly where the route has no code mode."""
    DIRECT_ONLY = "direct-only"
    """The model and the person, never a script."""
    MODEL_ONLY = "model-only"
    """The model alone: tools that ask the person."""


@dataclass(frozen=True, slots=True)
class Annotations:
    """What a source says about the effects of a tool. None: it does not say."""

    read_only: bool | None = None
    """It changes nothing anywhere."""
    destructive: bool | None = None
    """It may delete or overwrite."""


UNANNOTATED = Annotations()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a prompt, under which some tools of one source are described together."""

    name: str
    description: str = ""
    """What holds for all of them, such as the instructions of an MCP server."""


@dataclass(frozen=True)
class Tool:
    """One tool of one source.

    `name` and `namespace` are the source's own words; scripts call the tool by `identifier`, which
    a toolbox sets when two raw names fold to the same one.
    """

    name: str
    source: str
    """Id of the source that offers it; rules and approvals are bound to source and raw name."""
    description: str = ""
    kind: Kind = Kind.FUNCTION
    namespace: str | None = None
    input_schema: JsonSchema | None = None
    """JSON Schema of the arguments; None when the source has none."""
    output_schema: JsonSchema | None = None
    annotations: Annotations = UNANNOTATED
    exposure: Exposure = Exposure.NESTED
    owners: frozenset[str] | None = None
    """Principals who may see and call it; None: everybody."""
    group: str | None = None
    """Tools of a source that make sense together only: all of them are offered, or none."""
    section: Section | None = None
    """Where a prompt describes it; None: under its namespace, if it has one."""
    defer_loading: bool = False
    """Its source wants it kept out of the prompt until it is looked for."""
    inert_arguments: frozenset[str] = frozenset()
    """Arguments that do not change the effect, so that an allow rule need not name them."""
    argument_aliases: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Other names for arguments, which nobody is told of: the name for each."""
    identifier: str = ""
    """Callable name, an ASCII JavaScript identifier; by default the raw name folded."""

    def __post_init__(self) -> None:
        if not self.identifier:
            object.__setattr__(self, "identifier", normalise(self.raw_name))

    @cached_property
    def raw_name(self) -> str:
        """The one name under which the tool is owned, sorted and matched by rules (contract 8.1)."""
        if not self.namespace:
            return self.name
        joint = "" if self.namespace.endswith("_") or self.name.startswith("_") else "__"
        return f"{self.namespace}{joint}{self.name}"

    @property
    def prompt_section(self) -> Section | None:
        """The heading it stands under. A prefix of a bare name makes none."""
        if self.section is None and self.namespace:
            return Section(self.namespace)
        return self.section

    @property
    def spoken_name(self) -> str:
        """Namespace and name run together (model view 9).

        A script is told it with an argument of the wrong kind; other messages say the callable
        name.
        """
        return f"{self.namespace or ''}{self.name}"

    @cached_property
    def input_validator(self) -> Any:
        """What checks arguments against the input schema, kept because each call needs it."""
        from toolbridge.argument_schema import validator_of

        return validator_of({} if self.input_schema is None else self.input_schema)

    @cached_property
    def input_secrets(self) -> SchemaSecrets:
        """What the input schema says about secrets."""
        return SchemaSecrets(self.input_schema)

    @cached_property
    def output_secrets(self) -> SchemaSecrets:
        """What the output schema says about secrets."""
        return SchemaSecrets(self.output_schema)

    @cached_property
    def declared_description(self) -> str:
        """The description with the TypeScript declaration (contract 10.1)."""
        from toolbridge.declarations import declared_description

        return declared_description(self)

    @cached_property
    def listed_description(self) -> str:
        """The same as in `ALL_TOOLS`: no heading stands above it, so what would stand there comes
        after the tool's own words (model view 1)."""
        if self.section is None or not self.section.description:
            return self.declared_description
        words = filter(None, (self.description, self.section.description))
        return replace(self, description="\n\n".join(words)).declared_description

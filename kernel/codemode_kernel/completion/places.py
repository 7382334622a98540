"""What belongs where the cursor stands, read off the neighbours of the leaf that is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True)
class Name:
    """An expression begins here: any name that can be used."""

    node: Node
    is_statement: bool
    """Whether a statement begins here, too."""


@dataclass(frozen=True)
class Declared:
    """A name is being given: nothing fits."""

    node: Node


@dataclass(frozen=True)
class Member:
    """A member of `object`."""

    object: Node


@dataclass(frozen=True)
class Key:
    """A key of an object that is being written."""

    object: Node


@dataclass(frozen=True)
class PatternKey:
    """A key that is being taken out of a value."""

    pattern: Node


@dataclass(frozen=True)
class Content:
    """The content of a string."""

    string: Node


Place: TypeAlias = Name | Declared | Member | Key | PatternKey | Content

_DECLARING = {
    "variable_declarator": "name",
    "function_declaration": "name",
    "function_expression": "name",
    "generator_function_declaration": "name",
    "class_declaration": "name",
    "class": "name",
    "catch_clause": "parameter",
    "arrow_function": "parameter",
    "assignment_pattern": "left",
    "pair_pattern": "value",
    "for_in_statement": "left",
}
"""Fields that hold a name that is given, by the kind of node."""

_PATTERNS = frozenset({"formal_parameters", "array_pattern", "rest_pattern", "import_specifier"})

_ANNOUNCING = frozenset({"class", "const", "function", "let", "var"})
"""Words after which a name is given, in a part that does not parse, too."""


def place_of(leaf: Node) -> Place | None:
    """The place of a leaf; None where nothing can be said, such as in a label."""
    if leaf.type in ("string_fragment", "escape_sequence", "string", '"', "'"):
        return _of_string(leaf if leaf.type == "string" else leaf.parent)
    parent = leaf.parent
    if parent is None:
        return None
    if leaf.type == "identifier":
        return _of_identifier(leaf, parent)
    if leaf.type == "property_identifier":
        return _of_property(leaf, parent)
    if leaf.type == "shorthand_property_identifier":
        return Key(parent)
    if leaf.type == "shorthand_property_identifier_pattern":
        return PatternKey(parent if parent.type == "object_pattern" else parent.parent or parent)
    return None


def _of_string(string: Node | None) -> Place | None:
    parent = string.parent if string is not None else None
    if string is None or string.type != "string" or parent is None:
        return None
    if parent.type == "pair" and parent.child_by_field_name("key") == string:
        return Key(parent.parent) if parent.parent else None
    if parent.type == "subscript_expression" and parent.child_by_field_name("index") == string:
        owner = parent.child_by_field_name("object")
        return Member(owner) if owner else None
    return Content(string)


def _of_identifier(leaf: Node, parent: Node) -> Place | None:
    field = _DECLARING.get(parent.type)
    if field is not None and parent.child_by_field_name(field) == leaf:
        is_bare_loop = parent.type == "for_in_statement" and not parent.child_by_field_name("kind")
        return Name(leaf, False) if is_bare_loop else Declared(leaf)
    before = leaf.prev_sibling
    if parent.type in _PATTERNS or (before is not None and before.type in _ANNOUNCING):
        return Declared(leaf)
    owner = _before_a_dot(leaf, parent)
    if owner is not None:
        return Member(owner)
    return Name(leaf, parent.type in ("expression_statement", "ERROR"))


def _of_property(leaf: Node, parent: Node) -> Place | None:
    if parent.type == "member_expression":
        owner = parent.child_by_field_name("object")
        return Member(owner) if owner else None
    if parent.type == "pair" and parent.parent is not None:
        return Key(parent.parent)
    if parent.type == "pair_pattern" and parent.parent is not None:
        return PatternKey(parent.parent)
    owner = _before_a_dot(leaf, parent)
    return Member(owner) if owner is not None else None


def _before_a_dot(leaf: Node, parent: Node) -> Node | None:
    """The owner of a member in a part of the script that does not parse."""
    dot = leaf.prev_sibling if parent.type == "ERROR" else None
    return dot.prev_sibling if dot is not None and dot.type in (".", "optional_chain") else None

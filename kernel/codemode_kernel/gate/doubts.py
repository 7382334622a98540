"""Says of a rule that nothing here can match it: most often a name is written wrongly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolbridge.gate.gate import FREEFORM_ARGUMENT

from toolbridge import Kind, Rule, Tool


def doubt_about(rule: Rule, tools: Sequence[Tool]) -> str | None:
    """A sentence for the person; None where a call of one of `tools` may match.

    A rule may well be meant for tools to come, so it is no more than a doubt.
    """
    named = [tool for tool in tools if rule.names(tool)]
    if not named:
        return _no_tool(rule, tools)
    unknown = min((_unknown_arguments(rule, tool) for tool in named), key=len)
    return _no_argument(unknown[0], named) if unknown else None


def _no_argument(name: str, tools: Sequence[Tool]) -> str:
    if len(tools) > 1:
        return f"Nothing matches this rule: no tool that it names has an argument `{name}`."
    (tool,) = tools
    proper = tool.argument_aliases.get(name)
    hint = f"; rules know it as `{proper}`" if proper else ""
    return f"Nothing matches this rule: {tool.raw_name} has no argument `{name}`{hint}."


def _no_tool(rule: Rule, tools: Sequence[Tool]) -> str:
    meant = next((tool for tool in tools if tool.identifier == rule.tool), None)
    if meant is not None and meant.raw_name != rule.tool:
        return f"Nothing matches this rule: rules know {rule.tool} as {meant.raw_name}."
    source = "" if rule.source == "*" else f" of source {rule.source}"
    return f"Nothing matches this rule: there is no tool {rule.tool}{source} so far."


def _unknown_arguments(rule: Rule, tool: Tool) -> list[str]:
    """Arguments in the rule that no call of the tool can have."""
    if tool.kind is Kind.FREEFORM:
        return [name for name in rule.arguments if name != FREEFORM_ARGUMENT]
    schema = tool.input_schema
    if not isinstance(schema, Mapping) or schema.get("additionalProperties") is not False:
        return []
    properties = schema.get("properties", {})
    return [name for name in rule.arguments if name not in properties]

"""`toolbridge.tool`: marks a Python function as a session tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from toolbridge.tools import UNANNOTATED, Annotations, JsonSchema, Kind

Function = TypeVar("Function", bound=Callable[..., Any])

_MARK = "__toolbridge_tool__"


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What the decorator was told. None: taken from the function itself."""

    name: str | None = None
    description: str | None = None
    namespace: str | None = None
    kind: Kind = Kind.FUNCTION
    annotations: Annotations = UNANNOTATED
    input_schema: JsonSchema | None = None
    output_schema: JsonSchema | None = None


@overload
def tool(function: Function, /) -> Function: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    namespace: str | None = None,
    freeform: bool = False,
    read_only: bool | None = None,
    destructive: bool | None = None,
    input_schema: JsonSchema | None = None,
    output_schema: JsonSchema | None = None,
) -> Callable[[Function], Function]: ...
def tool(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    namespace: str | None = None,
    freeform: bool = False,
    read_only: bool | None = None,
    destructive: bool | None = None,
    input_schema: JsonSchema | None = None,
    output_schema: JsonSchema | None = None,
) -> Function | Callable[[Function], Function]:
    """Mark a sync or async function as a tool; the function itself stays as it is.

    Name, description and schemas come from the function's name, docstring and type hints unless
    they are given. `freeform` tools take one string. `read_only` tools run without asking.
    With `input_schema` the function gets the arguments as plain JSON values, by name.
    """
    options = ToolOptions(
        name=name,
        description=description,
        namespace=namespace,
        kind=Kind.FREEFORM if freeform else Kind.FUNCTION,
        annotations=Annotations(read_only=read_only, destructive=destructive),
        input_schema=input_schema,
        output_schema=output_schema,
    )

    def mark(marked: Function) -> Function:
        if not callable(marked):
            raise TypeError(f"tool marks functions, not {type(marked).__name__} objects")
        setattr(marked, _MARK, options)
        return marked

    return mark if function is None else mark(function)


def options_of(function: object) -> ToolOptions | None:
    """What `tool` was told about `function`; None when it is not marked."""
    options = getattr(function, _MARK, None)
    return options if isinstance(options, ToolOptions) else None

"""What a Python function takes and gives, as JSON: schemas, and the way in and out.

Type hints are the source; pydantic turns them into JSON Schema and JSON into the types. JSON types
are taken strictly: `"2"` is no integer, while an enum, a date or a model is read from its JSON
form.
"""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from toolbridge.errors import ResultRefusedError, ToolDefinitionError
from toolbridge.json_values import JsonValue, NotJsonError, strict_json

if typing.TYPE_CHECKING:
    import pydantic


@dataclass(frozen=True, slots=True)
class BoundArguments:
    """Arguments converted to the types of the function, ready for the call."""

    positional: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Passing:
    """How a field of the model reaches the function; found once, because each call needs it."""

    field: str
    name: str
    by_place: bool
    always: bool
    """Also when it was not given: the function would take its declaration for the value."""


class Signature:
    """The parameters and the result of one function.

    Raises `ToolDefinitionError` for hints that cannot be resolved or have no JSON form, and for
    `*args`, which a JSON object cannot fill.
    """

    def __init__(
        self, name: str, function: Callable[..., Any], documented: Mapping[str, str]
    ) -> None:
        """`name` is for messages; `documented` is parameter name to description, where a
        description in a hint goes first."""
        self._name = name
        self._parameters = tuple(inspect.signature(function).parameters.values())
        hints = self._hints(function)
        self._model = self._build_model(hints, documented)
        self._passing = tuple(_passings(self._parameters))
        self.input_schema = self._describe_input()
        self.output_schema = _describe_output(hints.get("return", Any))

    def bind(self, arguments: JsonValue) -> BoundArguments:
        """Convert a JSON object. Raises `pydantic.ValidationError`."""
        values = self._model.model_validate_json(json.dumps(arguments), strict=True)
        given = values.model_fields_set
        positional: list[Any] = []
        named: dict[str, Any] = dict(values.model_extra or {})
        for passing in self._passing:
            if passing.by_place:
                # What is left out in between needs its default; keywords keep the function's own.
                positional.append(getattr(values, passing.field))
            elif passing.always or passing.field in given:
                named[passing.name] = getattr(values, passing.field)
        return BoundArguments(tuple(positional), named)

    def _hints(self, function: Callable[..., Any]) -> dict[str, Any]:
        target = function if inspect.isroutine(function) else type(function).__call__
        try:
            return typing.get_type_hints(target, include_extras=True)
        except (NameError, TypeError) as error:
            raise ToolDefinitionError(
                f"the type hints of `{self._name}` cannot be read: {error}"
            ) from None

    def _build_model(
        self, hints: Mapping[str, Any], documented: Mapping[str, str]
    ) -> type[pydantic.BaseModel]:
        import pydantic

        fields: dict[str, Any] = {}
        extra: typing.Literal["allow", "forbid"] = "forbid"
        for number, parameter in enumerate(self._parameters):
            if parameter.kind is parameter.VAR_POSITIONAL:
                raise ToolDefinitionError(
                    f"`{self._name}` takes *{parameter.name}, which a JSON object cannot fill"
                )
            if parameter.kind is parameter.VAR_KEYWORD:
                extra = "allow"
                continue
            hint = hints.get(parameter.name, Any)
            default: Any = {"default": ... if _is_required(parameter) else parameter.default}
            if _is_field_info(parameter.default):
                hint, default = Annotated[hint, parameter.default], {}
            fields[_field(number)] = (
                Annotated[hint, _described(hint, documented.get(parameter.name))],
                pydantic.Field(**default, alias=parameter.name),
            )
        config = pydantic.ConfigDict(extra=extra, protected_namespaces=())
        try:
            return pydantic.create_model(self._name, __config__=config, **fields)
        except (pydantic.PydanticUserError, TypeError) as error:
            raise ToolDefinitionError(
                f"a parameter of `{self._name}` has no JSON form: {_first_line(error)}"
            ) from None

    def _describe_input(self) -> dict[str, Any]:
        import pydantic

        try:
            schema = self._model.model_json_schema(schema_generator=_untitled())
        except pydantic.PydanticUserError as error:
            raise ToolDefinitionError(
                f"a parameter of `{self._name}` has no JSON form: {_first_line(error)}"
            ) from None
        schema.pop("title", None)
        return schema


def result_as_json(name: str, value: object) -> JsonValue:
    """What a function gave, as JSON: models, dataclasses, enums, dates and the like become plain.

    Raises `ResultRefusedError` that names the tool, and the place where JSON ends.
    """
    try:
        return strict_json(value)
    except NotJsonError:
        import pydantic_core
    try:
        return strict_json(pydantic_core.to_jsonable_python(value, inf_nan_mode="constants"))
    except (ValueError, RecursionError) as error:
        raise ResultRefusedError(
            f"tool `{name}` gave a result that JSON cannot hold: {_first_line(error)}"
        ) from None


def _passings(parameters: Iterable[inspect.Parameter]) -> Iterator[_Passing]:
    for number, parameter in enumerate(parameters):
        if parameter.kind is not parameter.VAR_KEYWORD:
            yield _Passing(
                _field(number),
                parameter.name,
                by_place=parameter.kind is parameter.POSITIONAL_ONLY,
                always=_is_field_info(parameter.default),
            )


def _field(number: int) -> str:
    """A field name that no pydantic attribute has; the parameter's own name is its alias."""
    return f"parameter_{number}"


def _is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty


def _is_field_info(default: object) -> bool:
    """Whether a parameter is declared as in a model, `n: int = Field(default=1, ge=0)`.

    The function itself would take that for the value.
    """
    from pydantic.fields import FieldInfo

    return isinstance(default, FieldInfo)


def _described(hint: Any, description: str | None) -> Any:
    """Field details with the docstring's text, unless the hint itself has a description."""
    import pydantic

    details = getattr(hint, "__metadata__", ())
    if any(getattr(detail, "description", None) for detail in details):
        description = None
    return pydantic.Field(description=description) if description else pydantic.Field()


def _describe_output(hint: Any) -> dict[str, Any] | None:
    """The schema of the result; None where the hint says nothing that JSON Schema can say."""
    if hint is Any:
        return None
    import pydantic

    try:
        adapter = pydantic.TypeAdapter(hint)
        schema = adapter.json_schema(mode="serialization", schema_generator=_untitled())
    except pydantic.PydanticUserError:
        return None  # an own class, say: what the call gives is looked at all the same
    schema.pop("title", None)
    return schema


def _untitled() -> Any:
    """A schema generator without the titles that only repeat the names of fields."""
    from pydantic.json_schema import GenerateJsonSchema

    class Untitled(GenerateJsonSchema):
        # A default without JSON form is the function's own business, and left out in silence.
        ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

    return Untitled


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", 1)[0]

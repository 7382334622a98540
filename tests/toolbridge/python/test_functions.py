"""Python functions as tools: schemas from hints and docstring, converted arguments, JSON results."""

import asyncio
import enum
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
import pytest
from toolbridge.errors import ArgumentsRefusedError, ResultRefusedError, ToolDefinitionError

from tests.patience import PATIENCE_S
from tests.toolbridge.boxes import ALLOW_ALL, call
from toolbridge import (
    CallContext,
    Kind,
    Progress,
    Tool,
    Toolbox,
    ToolError,
    cancelled,
    progress,
    tool,
)

NOTHING = object()


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    x: int
    y: float = 0.0


class Booking(pydantic.BaseModel):
    room: str
    day: date


@tool(read_only=True)
def book(room: Literal["blue", "red"], hours: Annotated[int, pydantic.Field(ge=1)] = 1) -> Booking:
    """Book a room.

    It must be free.

    Args:
        room: which one,
            by colour
        hours: how long
    """
    return Booking(room=room * hours, day=date(2024, 1, 2))


def box(*functions: Callable[..., Any]) -> Toolbox:
    toolbox = Toolbox(ALLOW_ALL)
    toolbox.register(*functions)
    return toolbox


def only_tool(function: Callable[..., Any]) -> Tool:
    (found,) = box(function).catalog().tools
    return found


def test_a_tool_is_made_from_hints_and_docstring() -> None:
    made = only_tool(book)
    assert (made.name, made.kind, made.source) == ("book", Kind.FUNCTION, "functions")
    assert made.description == "Book a room.\n\nIt must be free."
    assert made.annotations.read_only
    assert made.input_schema == {
        "type": "object",
        "properties": {
            "room": {
                "enum": ["blue", "red"],
                "type": "string",
                "description": "which one, by colour",
            },
            "hours": {"default": 1, "minimum": 1, "type": "integer", "description": "how long"},
        },
        "required": ["room"],
        "additionalProperties": False,
    }
    assert made.declared_description.endswith(
        "declare const tools: { book(args: {\n  // how long\n  hours?: number;\n"
        '  // which one, by colour\n  room: "blue" | "red";\n'
        "}): Promise<{ day: string; room: string; }>; };\n```"
    )


def test_the_decorator_leaves_the_function_as_it_is() -> None:
    assert book("red", 2).room == "redred"


def test_the_decorator_takes_functions_only() -> None:
    with pytest.raises(TypeError, match="tool marks functions, not int objects"):
        tool(5)  # type: ignore[call-overload]


def test_what_the_decorator_says_goes_first() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}

    @tool(name="find-it", namespace="web", description="Find.", input_schema=schema)
    async def search(**anything: Any) -> list[str]:
        """Not shown."""
        return list(anything)

    made = only_tool(search)
    assert (made.raw_name, made.identifier) == ("web__find-it", "web__find_it")
    assert (made.description, made.input_schema) == ("Find.", schema)


async def test_a_schema_of_ones_own_is_checked_and_its_arguments_stay_plain() -> None:
    @tool(input_schema={"type": "object", "properties": {"day": {"type": "string"}}})
    def plain(day: date) -> str:
        return type(day).__name__

    assert await call(box(plain), "plain", {"day": "2024-01-02"}) == "str"
    with pytest.raises(ArgumentsRefusedError, match="day: 5 is not of type 'string'"):
        await call(box(plain), "plain", {"day": 5})


async def test_a_freeform_tool_gets_the_string() -> None:
    @tool(freeform=True)
    def shout(text: str) -> str:
        return text.upper()

    toolbox = box(shout)
    assert "shout(input: string)" in toolbox.catalog().tools[0].declared_description
    assert await call(toolbox, "shout", "a\0é") == "A\0É"


def kinds(
    colour: Colour,
    point: Point,
    booking: Booking,
    folder: Path,
    pair: tuple[int, str],
    names: set[str],
    ratio: float,
    price: Decimal,
    maybe: int | None = None,
) -> str:
    return " ".join(
        type(value).__name__
        for value in (colour, point, booking, folder, pair, names, ratio, price, maybe)
    )


GOOD_KINDS: dict[str, Any] = {
    "colour": "red",
    "point": {"x": 1},
    "booking": {"room": "blue", "day": "2024-01-02"},
    "folder": "/tmp",
    "pair": [1, "a"],
    "names": ["a"],
    "ratio": 2,
    "price": "1.10",
}


async def test_arguments_arrive_as_the_types_of_the_hints() -> None:
    got = await call(box(kinds), "kinds", GOOD_KINDS)
    assert got == "Colour Point Booking PosixPath tuple set float Decimal NoneType"


@pytest.mark.parametrize(
    "fault, place",
    [
        ({"colour": "green"}, "colour: "),
        ({"point": {"x": "1"}}, "point.x: "),
        ({"point": {}}, "point.x: "),
        ({"booking": {"room": "blue", "day": "soon"}}, "booking.day: "),
        ({"pair": [1]}, "pair[1]: "),
        ({"pair": ["1", "a"]}, "pair[0]: "),
        ({"ratio": "2"}, "ratio: "),
        ({"maybe": True}, "maybe: "),
        ({"extra": 1}, "extra: "),
    ],
)
async def test_a_fault_is_refused_with_its_place(fault: dict[str, Any], place: str) -> None:
    with pytest.raises(ArgumentsRefusedError) as refused:
        await call(box(kinds), "kinds", GOOD_KINDS | fault)
    assert str(refused.value).startswith(f"invalid arguments for tool `kinds`: {place}")


async def test_all_forms_of_parameters_are_filled() -> None:
    def forms(a: int, /, b: int = 2, *, model_config: int = 3, json: int = 4, **rest: int) -> Any:
        return [a, b, model_config, json, rest]

    assert await call(box(forms), "forms", {"a": 1, "json": 5, "z": 6}) == [1, 2, 3, 5, {"z": 6}]


async def test_a_parameter_may_be_declared_like_a_field_of_a_model() -> None:
    def declared(
        size: int = pydantic.Field(default=5, ge=1, description="how big"),
        names: list[str] = pydantic.Field(default_factory=list),  # noqa: B008
    ) -> Any:
        return [size, names]

    toolbox = box(declared)
    (tool,) = toolbox.catalog().tools
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "size": {"type": "integer", "default": 5, "minimum": 1, "description": "how big"},
            "names": {"type": "array", "items": {"type": "string"}},
        },
        "additionalProperties": False,
    }
    assert await call(toolbox, "declared") == [5, []]
    assert await call(toolbox, "declared", {"size": 7, "names": ["a"]}) == [7, ["a"]]
    with pytest.raises(ArgumentsRefusedError, match="size: "):
        await call(toolbox, "declared", {"size": 0})


@pytest.mark.filterwarnings("error")
def test_a_default_without_json_form_is_left_out_of_the_schema() -> None:
    def marked(value: Any = NOTHING) -> None:
        """Take a value, or none."""

    assert only_tool(marked).input_schema == {
        "type": "object",
        "properties": {"value": {}},
        "additionalProperties": False,
    }


async def test_functions_without_hints_take_anything() -> None:
    assert await call(box(lambda_like), "lambda_like", {"a": [1, {"b": None}]}) == [1, {"b": None}]


def lambda_like(a):  # type: ignore[no-untyped-def]
    return a


@pytest.mark.parametrize(
    "value, expected",
    [
        (Booking(room="r", day=date(2024, 1, 2)), {"room": "r", "day": "2024-01-02"}),
        (Point(1), {"x": 1, "y": 0.0}),
        (
            {"colour": Colour.RED, "when": {date(2024, 1, 2)}},
            {"colour": "red", "when": ["2024-01-02"]},
        ),
        ((1, Path("/tmp")), [1, "/tmp"]),
        ({1: "a"}, {"1": "a"}),
        (None, None),
    ],
)
async def test_results_become_json(value: Any, expected: Any) -> None:
    def give() -> Any:
        return value

    assert await call(box(give), "give") == expected


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    "value",
    [math.nan, [math.inf], {"a": object}, b"\xff", "\ud800", 2**64, CYCLE, {"a": {"b": open}}],
    ids=repr,
)
async def test_results_that_json_cannot_hold_are_refused(value: Any) -> None:
    def give() -> Any:
        return value

    with pytest.raises(ResultRefusedError, match="tool `give` gave a result that JSON cannot hold"):
        await call(box(give), "give")


async def test_sync_functions_run_beside_the_loop_and_each_other() -> None:
    barrier = threading.Barrier(20, timeout=PATIENCE_S)
    loop_thread = threading.get_ident()

    def meet() -> bool:
        barrier.wait()
        return threading.get_ident() == loop_thread

    toolbox = box(meet)
    met = await asyncio.gather(*(call(toolbox, "meet") for _ in range(20)))
    assert met == [False] * 20


async def test_async_functions_run_on_the_loop() -> None:
    async def where() -> bool:
        return asyncio.get_running_loop() is not None

    assert await call(box(where), "where") is True


async def test_cancelling_reaches_an_async_function() -> None:
    started, told = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            told.set()
            raise

    task = asyncio.create_task(call(box(hang), "hang"))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told.is_set()


async def test_a_sync_function_that_hangs_does_not_hold_up_its_caller() -> None:
    started, go_on = threading.Event(), threading.Event()

    def hang() -> None:
        started.set()
        go_on.wait(PATIENCE_S)

    task = asyncio.create_task(call(box(hang), "hang"))
    await asyncio.to_thread(started.wait, PATIENCE_S)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()


def raising(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    "error, text",
    [
        (RuntimeError("quota used up"), "quota used up"),
        (KeyError("id"), "KeyError: 'id'"),
        (StopIteration(), "coroutine raised StopIteration"),
        (SystemExit(3), "SystemExit: 3"),
        (ToolError("in my words"), "in my words"),
    ],
)
async def test_what_a_function_raises_is_what_the_script_reads(
    error: BaseException, text: str
) -> None:
    with pytest.raises(ToolError) as failed:
        await call(box(raising(error)), "fail")
    assert str(failed.value) == text


async def test_a_function_of_the_same_name_takes_the_place() -> None:
    def make(version: int) -> Callable[[], int]:
        def give() -> int:
            return version

        return give

    toolbox = box(make(1))
    before = toolbox.catalog()
    toolbox.register(make(2))
    assert await call(toolbox, "give") == 2
    assert toolbox.catalog() is not before
    assert not toolbox.catalog().clashes


def variadic(*args: int) -> None:
    """Cannot be filled from an object."""


def unresolved(a: "Missing") -> None:  # type: ignore[name-defined] # noqa: F821
    """Its hint names nothing."""


def shapeless(a: threading.Thread) -> None:
    """Its hint has no JSON form."""


@pytest.mark.parametrize(
    "function, message",
    [
        (variadic, r"`variadic` takes \*args, which a JSON object cannot fill"),
        (unresolved, "the type hints of `unresolved` cannot be read: name 'Missing'"),
        (shapeless, "a parameter of `shapeless` has no JSON form: "),
        (lambda: 1, "has no name; give one with `tool"),
        (partial(variadic, 1), "has no name"),
    ],
)
def test_a_function_that_cannot_be_a_tool_is_refused(
    function: Callable[..., Any], message: str
) -> None:
    with pytest.raises(ToolDefinitionError, match=message):
        Toolbox().register(function)


async def test_an_object_that_can_be_called_is_a_function() -> None:
    class Adder:
        async def __call__(self, a: int) -> int:
            return a + 1

    named = tool(name="adder")(Adder())
    assert await call(box(named), "adder", {"a": 1}) == 2
    with pytest.raises(ArgumentsRefusedError):
        await call(box(named), "adder", {"a": "1"})


async def test_context_variables_reach_threads() -> None:
    import contextvars

    who = contextvars.ContextVar("who", default="nobody")

    def ask() -> str:
        return who.get()

    who.set("amy")
    assert await call(box(ask), "ask", {}, CallContext()) == "amy"


# What a function says and learns while it runs


async def test_progress_of_sync_and_async_functions_is_told() -> None:
    def sync() -> None:
        progress(1, 2, "half")
        progress(2, 2)

    async def quick() -> None:
        progress(3)

    seen: list[Progress] = []
    context = CallContext(on_progress=seen.append)
    await call(box(sync, quick), "sync", {}, context)
    assert seen == [Progress(1, 2, "half"), Progress(2, 2)]
    await call(box(sync, quick), "quick", {}, context)
    assert seen[2:] == [Progress(3)]


async def test_progress_that_comes_too_often_is_passed_over_but_for_its_end() -> None:
    def eager() -> None:
        for done in range(1, 10_001):
            progress(done, 10_000)

    seen: list[Progress] = []
    await call(box(eager), "eager", {}, CallContext(on_progress=seen.append))
    assert seen[-1].done == 10_000
    assert len(seen) < 5_000


async def test_progress_that_is_no_amount_is_not_told() -> None:
    def odd() -> None:
        progress(float("nan"), 2)
        progress(float("inf"))
        progress(2, float("inf"), 3)  # type: ignore[arg-type]

    seen: list[Progress] = []
    await call(box(odd), "odd", {}, CallContext(on_progress=seen.append))
    assert seen == [Progress(2, None, "3")]


def test_outside_a_call_there_is_nothing_to_say_and_to_learn() -> None:
    progress(1, 2)
    assert not cancelled()


async def test_a_sync_function_can_see_that_nobody_waits() -> None:
    begun, ended = threading.Event(), threading.Event()

    def patient() -> None:
        begun.set()
        while not cancelled():
            threading.Event().wait(0.01)
        ended.set()

    calling = asyncio.create_task(call(box(patient), "patient", {}))
    await asyncio.to_thread(begun.wait, PATIENCE_S)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert await asyncio.to_thread(ended.wait, PATIENCE_S)

"""Functions of `%%python` cells are session tools, called while whatever else runs."""

import asyncio
from typing import Any

import pytest
from toolbridge.errors import ArgumentsRefusedError, PolicyRefusedError, ToolUnavailableError

from tests.kernel.python_child.conftest import Notebook
from tests.patience import PATIENCE_S
from toolbridge import Decision, Gate, Rule, ToolError

pytestmark = pytest.mark.asyncio(loop_scope="module")

TWO_TOOLS = '''
@tool
def add(a: int, b: int = 1) -> int:
    """Add two numbers.

    Args:
        a: the first one
    """
    return a + b

@tool(name="later", read_only=True)
async def answer_later(text: str) -> dict:
    import asyncio
    await asyncio.sleep(0)
    return {"text": text}
'''


async def test_functions_are_offered_with_name_description_schema_and_effects(
    notebook: Notebook,
) -> None:
    await notebook.define(TWO_TOOLS)

    add, later = notebook.toolbox.catalog().tools
    assert (add.name, add.source, add.annotations.read_only) == ("add", "python", None)
    assert add.description == "Add two numbers."
    assert add.input_schema == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "the first one"},
            "b": {"type": "integer", "default": 1},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    assert add.output_schema == {"type": "integer"}
    assert (later.name, later.annotations.read_only) == ("later", True)


async def test_sync_and_async_functions_are_called(notebook: Notebook) -> None:
    await notebook.define(TWO_TOOLS)

    assert await notebook.call("add", {"a": 2}) == 3
    assert await notebook.call("later", {"text": "héllo ✓"}) == {"text": "héllo ✓"}


async def test_a_tool_sees_and_changes_the_names_of_the_cells(notebook: Notebook) -> None:
    await notebook.define("seen = []\n@tool\ndef see(what: str):\n    seen.append(what)")

    assert await notebook.call("see", {"what": "this"}) is None
    await notebook.run("print(seen)")
    assert notebook.shown.text() == "['this']\n"


async def test_a_tool_comes_and_goes_with_its_name(notebook: Notebook) -> None:
    await notebook.define("@tool\ndef one(): return 1\n@tool\ndef two(): return 2\ntwo")
    assert notebook.tool_names == ["one", "two"]

    await notebook.run("del two\none = tool(lambda: 'other') if False else one")
    assert notebook.tool_names == ["one"]

    await notebook.run("@tool\ndef one(n: int): return n * 10")
    assert await notebook.call("one", {"n": 4}) == 40

    await notebook.run("one = 'no function any more'")
    assert notebook.tool_names == []


async def test_a_cell_that_fails_half_way_has_defined_what_it_defined(notebook: Notebook) -> None:
    await notebook.run("from toolbridge import tool\n@tool\ndef one(): return 1\n1 / 0")

    assert notebook.tool_names == ["one"]


async def test_a_running_cell_keeps_its_list_and_is_told_what_is_gone(notebook: Notebook) -> None:
    await notebook.define("@tool\ndef one(): return 1")
    [kept] = notebook.toolbox.catalog().tools
    await notebook.run("del one")

    with pytest.raises(ToolUnavailableError, match="tool `one` is not available"):
        await notebook.invoke(kept)


async def test_imported_tools_count_under_the_name_they_get(notebook: Notebook) -> None:
    (notebook.folder / "house_tools.py").write_text(
        "from toolbridge import tool\n@tool\ndef knock(): return 'who is there?'\n"
    )
    await notebook.run("import house_tools")
    assert notebook.tool_names == []

    await notebook.run("from house_tools import knock")
    assert await notebook.call("knock") == "who is there?"


async def test_a_function_that_cannot_be_a_tool_is_named_once(notebook: Notebook) -> None:
    await notebook.run("from toolbridge import tool\n@tool\ndef spread(*items: int): ...")
    await notebook.run("'again'")

    assert notebook.shown.text("stderr") == (
        "`spread` is not offered as a tool: "
        "`spread` takes *items, which a JSON object cannot fill\n"
    )
    assert notebook.tool_names == []


async def test_two_functions_for_one_tool_are_named(notebook: Notebook) -> None:
    await notebook.run(
        "from toolbridge import tool\n"
        "first = tool(name='same')(lambda: 1)\nsecond = tool(name='same')(lambda: 2)"
    )

    assert notebook.shown.text("stderr") == (
        "`first` and `second` both define the tool `same`: `second` is offered\n"
    )
    assert await notebook.call("same") == 2


@pytest.mark.parametrize(
    "returned, result",
    [
        ("None", None),
        ("float(3)", 3.0),
        ("{'a': (1, 2), 'b': {3}}", {"a": [1, 2], "b": [3]}),
        ("__import__('datetime').date(2024, 2, 29)", "2024-02-29"),
        ("__import__('types').SimpleNamespace", "refused"),
        ("float('nan')", "refused"),
        ("'lone \\ud800'", "refused"),
        ("object()", "refused"),
    ],
)
async def test_results_are_strict_json(notebook: Notebook, returned: str, result: Any) -> None:
    await notebook.define(f"@tool\ndef give(): return {returned}")

    if result == "refused":
        with pytest.raises(ToolError, match="tool `give` gave a result that JSON cannot hold"):
            await notebook.call("give")
    else:
        assert await notebook.call("give") == result


@pytest.mark.parametrize(
    "raised, text",
    [
        ("ValueError('no such city')", "no such city"),
        ("KeyError('city')", "KeyError: 'city'"),
        ("__import__('toolbridge').ToolError('try later')", "try later"),
        ("SystemExit(3)", "SystemExit: 3"),
        ("KeyboardInterrupt()", "KeyboardInterrupt"),
        ("StopIteration()", "coroutine raised StopIteration"),
        ("ValueError('\\ud800')", "?"),
    ],
)
@pytest.mark.parametrize("kind", ["", "async "])
async def test_exceptions_reject_with_their_words(
    notebook: Notebook, kind: str, raised: str, text: str
) -> None:
    await notebook.define(f"@tool\n{kind}def fail(): raise {raised}\n@tool\ndef well(): return 1")

    with pytest.raises(ToolError) as refusal:
        await notebook.call("fail")
    assert str(refusal.value) == text
    assert await notebook.call("well") == 1


async def test_arguments_are_refused_before_anything_runs(notebook: Notebook) -> None:
    await notebook.define(
        TWO_TOOLS + "@tool\ndef on(day: 'datetime.date'): ran = True\nimport datetime"
    )

    with pytest.raises(ArgumentsRefusedError, match="a"):
        await notebook.call("add", {"a": "2"})
    with pytest.raises(ArgumentsRefusedError, match="day"):
        await notebook.call("on", {"day": "the 31st of February"})


async def test_a_big_result_arrives_and_a_huge_one_is_refused(notebook: Notebook) -> None:
    await notebook.define("@tool\ndef letters(n: int) -> str: return 'x' * n")

    text = await notebook.call("letters", {"n": 20_000_000})
    assert isinstance(text, str)
    assert len(text) == 20_000_000
    with pytest.raises(ToolError, match="too large"):
        await notebook.call("letters", {"n": 70_000_000})
    assert await notebook.call("letters", {"n": 1}) == "x"


async def test_calls_get_through_while_a_cell_runs(notebook: Notebook) -> None:
    await notebook.define(
        "import threading\ngo = threading.Event()\n@tool\ndef free(): go.set()\n" + TWO_TOOLS
    )
    cell = asyncio.create_task(notebook.run("go.wait(30)"))

    assert await notebook.call("add", {"a": 1}) == 2
    assert await notebook.call("later", {"text": "x"}) == {"text": "x"}
    assert not cell.done()
    await notebook.call("free")
    assert (await cell)["status"] == "ok"


@pytest.mark.parametrize(
    "barrier, meet",
    [
        (
            f"threading.Barrier(50, timeout={PATIENCE_S})",
            "def meet(n: int) -> int:\n    all_here.wait()",
        ),
        ("asyncio.Barrier(50)", "async def meet(n: int) -> int:\n    await all_here.wait()"),
    ],
)
async def test_calls_run_side_by_side(notebook: Notebook, barrier: str, meet: str) -> None:
    await notebook.define(
        f"import asyncio, threading\nall_here = {barrier}\n@tool\n{meet}\n    return n"
    )

    async with asyncio.timeout(PATIENCE_S):  # one after the other they would never meet
        results = await asyncio.gather(*(notebook.call("meet", {"n": n}) for n in range(50)))

    assert results == list(range(50))


async def test_prints_and_displays_go_to_the_call_they_belong_to(notebook: Notebook) -> None:
    await notebook.define(
        "import asyncio, sys\nfrom IPython.display import display, HTML\n"
        "@tool\nasync def tell(name: str):\n"
        "    for n in range(3):\n        print(name, n)\n        await asyncio.sleep(0.01)\n"
        "    await asyncio.to_thread(print, name, 'in a thread')\n"
        "@tool\ndef warn():\n    print('careful', file=sys.stderr)\n    display(HTML('<i>hi</i>'))"
    )
    before = list(notebook.shown.messages)

    await asyncio.gather(
        notebook.call("tell", {"name": "a"}, id="tool-1"),
        notebook.call("tell", {"name": "b"}, id="tool-2"),
        notebook.call("warn", id="tool-3"),
    )

    assert notebook.call_output["tool-1"].text() == "a 0\na 1\na 2\na in a thread\n"
    assert notebook.call_output["tool-2"].text() == "b 0\nb 1\nb 2\nb in a thread\n"
    stderr, shown = notebook.call_output["tool-3"].messages
    assert stderr.content == {"name": "stderr", "text": "careful\n"}
    assert shown.msg_type == "display_data"
    assert shown.content["data"]["text/html"] == "<i>hi</i>"
    assert notebook.shown.messages == before


async def test_a_flood_of_prints_arrives_whole_and_before_the_result(notebook: Notebook) -> None:
    await notebook.define("@tool\ndef flood(n: int):\n    for i in range(n): print(i)")

    await notebook.call("flood", {"n": 50_000})

    output = notebook.call_output["tool-1"]
    assert output.text().split() == [str(i) for i in range(50_000)]
    assert len(output.messages) < 25_000  # pieces that wait together are joined


async def test_odd_progress_costs_nobody_the_process(notebook: Notebook) -> None:
    await notebook.define(
        "from toolbridge import progress\n"
        "@tool\ndef odd() -> int:\n"
        "    progress(float('nan'), 2)\n    progress(1, float('inf'), 3)\n    return 5\n"
    )
    assert await notebook.call("odd") == 5
    assert await notebook.call("odd") == 5


async def test_input_is_refused_in_a_call(notebook: Notebook) -> None:
    async def on_input(prompt: str, password: bool) -> str:
        return "never"

    await notebook.define(
        "import threading\ngo = threading.Event()\n"
        "@tool\ndef nosy():\n    try: return input('? ')\n    finally: go.set()"
    )
    cell = asyncio.create_task(notebook.run("go.wait(30)", on_input=on_input))

    with pytest.raises(ToolError, match="input"):
        await notebook.call("nosy")
    await cell


CLEANING = """
import asyncio, time
@tool
{kind}def stay():
    print("staying")
    try:
        while True: {wait}
    finally:
        print("left")
"""


@pytest.mark.parametrize(
    "kind, wait", [("async ", "await asyncio.sleep(60)"), ("", "time.sleep(0.01)")]
)
async def test_a_cancelled_call_is_stopped_and_cleans_up(
    notebook: Notebook, kind: str, wait: str
) -> None:
    await notebook.define(CLEANING.format(kind=kind, wait=wait))
    shown = notebook.call_output["tool-1"]

    call = asyncio.create_task(notebook.call("stay"))
    await shown.printed("staying")
    call.cancel()
    await asyncio.wait({call}, timeout=PATIENCE_S)

    assert call.cancelled()
    await shown.printed("left")


async def test_the_gate_asks_unless_a_tool_says_it_is_read_only(notebook: Notebook) -> None:
    await notebook.define(TWO_TOOLS)
    notebook.toolbox.gate = Gate()

    assert await notebook.call("later", {"text": "x"}) == {"text": "x"}
    with pytest.raises(PolicyRefusedError):
        await notebook.call("add", {"a": 1})
    notebook.toolbox.gate = Gate((Rule(Decision.ALLOW, source="python"),))
    assert await notebook.call("add", {"a": 1}) == 2

"""What a tool declares secret is neither shown nor recorded, also where a text quotes its value."""

import json

import pytest

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Execution, Notebook

SECRET = "hunter-22"
SPELLED = "const pin = ['hunter', 22].join('-');"
"""So that the script itself does not show it."""

TOOLS = """%%python
import asyncio
from typing import Annotated
from pydantic import Field
from toolbridge import progress, tool

Pin = Annotated[str, Field(json_schema_extra={"writeOnly": True})]

@tool
async def login(pin: Pin, wait: bool = False) -> str:
    \"\"\"Says no.\"\"\"
    progress(1, 2, f"trying {pin}")
    if wait:
        await asyncio.sleep(1)
    raise ValueError(f"no user has {pin!r}\\nreally not {pin}")

@tool
def repeat(pin: Pin, size: int = 0) -> dict:
    \"\"\"Says it again.\"\"\"
    return {"text": f"it is {pin}", "token": "abc-def", "again": "abc-def", "blob": "x" * size}
"""


@pytest.fixture(scope="module")
def notebook(start_kernel: StartKernel) -> Notebook:
    made = start_kernel(gate_rules=[{"decision": "allow"}])
    assert made.run(TOOLS).status == "ok"
    return made


def everything(cell: Execution) -> str:
    """All that came for a cell, its reply and its record included."""
    return json.dumps([cell.every_message, cell.done().reply], default=str)


def test_an_error_is_recorded_without_the_secret_that_it_quotes_and_the_script_gets_it_whole(
    notebook: Notebook,
) -> None:
    cell = notebook.run(
        f"{SPELLED} try {{ await tools.login({{pin, wait: true}}) }}"
        "catch (e) { text(e === `no user has '${pin}'\\nreally not ${pin}`) }"
    )
    assert cell.text() == "true\n"
    assert SECRET not in everything(cell)
    (call,) = cell.record["calls"]
    assert call["error"] == "no user has '(secret left out)'\nreally not (secret left out)"
    shown = [content["data"]["text/plain"] for content in cell.of("update_display_data")]
    assert any("no user has '(secret left out)'" in text for text in shown), "the trace"


def test_an_error_that_nobody_catches_is_shown_without_the_secret(notebook: Notebook) -> None:
    cell = notebook.run(f"{SPELLED} await tools.login({{pin}})")
    (error,) = cell.of("error")
    assert error["evalue"].startswith("no user has '(secret left out)'")
    assert SECRET not in everything(cell)


def test_a_script_may_show_what_it_has(notebook: Notebook) -> None:
    cell = notebook.run(f"{SPELLED} try {{ await tools.login({{pin}}) }} catch (e) {{ text(e) }}")
    assert SECRET in cell.text()
    assert cell.quiet_line is None, "the cell shows the error"
    assert SECRET not in json.dumps(cell.record["calls"])


def test_what_a_result_repeats_of_a_secret_is_left_out_of_record_and_whole_call(
    notebook: Notebook,
) -> None:
    cell = notebook.run(
        f"{SPELLED} const r = await tools.repeat({{pin, size: 10_000}}); text(r.again)"
    )
    assert cell.text() == "abc-def\n"
    (call,) = cell.record["calls"]
    assert call["cut"]
    whole = notebook.run(f"%view {cell.record['cell_id']} --call tool-1").text()
    left_out = "(secret left out)"
    result = {"text": f"it is {left_out}", "token": left_out, "again": left_out}
    for kept in (call["result"], json.loads(whole)["result"]):
        assert {name: kept[name] for name in result} == result


def test_a_direct_call_shows_neither_error_nor_result_with_a_secret(notebook: Notebook) -> None:
    failed = notebook.run(f'%call login {{"pin": "{SECRET}"}}')
    (error,) = failed.of("error")
    assert error["evalue"].startswith("no user has '(secret left out)'")
    assert SECRET not in everything(failed)
    given = notebook.run(f'%call repeat {{"pin": "{SECRET}"}}')
    assert "(secret left out)" in everything(given)
    assert "abc-def" not in everything(given)
    assert SECRET not in everything(given)

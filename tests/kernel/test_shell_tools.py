"""Shells and the small session tools from notebook cells."""

import json
import os
import signal
from pathlib import Path

import pytest
from PIL import Image

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook
from tests.toolbridge.shells import has_ended


def test_an_image_file_is_shown(notebook: Notebook, kernel_folder: Path) -> None:
    Image.new("RGB", (3, 2)).save(kernel_folder / "image.png")
    cell = notebook.run('image(await tools.view_image({path: "image.png", detail: "high"}))')
    (shown,) = [
        content["data"] for content in cell.of("display_data") if "image/png" in content["data"]
    ]
    assert "3" in shown["text/plain"]
    assert "2" in shown["text/plain"]


def test_session_tools_are_off(notebook: Notebook) -> None:
    cell = notebook.run("text(typeof tools.update_plan)")
    assert cell.text() == "undefined\n"


@pytest.mark.slow
def test_session_tools_are_switched_on_by_a_trait(start_kernel: StartKernel) -> None:
    notebook = start_kernel(session_tools=["update_plan", "goals", "clock"])
    plan = json.dumps({"plan": [{"step": "Look", "status": "pending"}]})
    cell = notebook.run(
        f"text(await tools.update_plan({plan}));"
        'text((await tools.create_goal({objective: "x"})).goal.status);'
        "text(typeof (await tools.clock__curr_time({})).current_time);"
        "text(typeof tools.shell_command)"
    )
    assert cell.text().split() == ["{}", "active", "string", "undefined"]


FAMILY = "echo $$; sleep 300 & echo $!; setsid sh -c 'echo $$; echo end; exec sleep 300' & wait"
"""Prints the ids of itself, of a child and of one that left the group, and `end`."""

START = """
const seen = [];
for (const tty of [false, true]) {
    let r = await tools.exec_command({cmd: FAMILY, tty, yield_time_ms: 0});
    let output = r.output;
    while (!output.includes("end")) {
        r = await tools.write_stdin({session_id: r.session_id, yield_time_ms: 50});
        output += r.output;
    }
    seen.push(output.split("end")[0]);
}
text(seen.join(" "));
"""


@pytest.mark.slow
def test_nothing_is_left_of_its_shells_when_a_kernel_is_killed(start_kernel: StartKernel) -> None:
    notebook = start_kernel(gate_rules=[{"decision": "allow"}])
    cell = notebook.run(START.replace("FAMILY", json.dumps(FAMILY)))
    shells = [int(word) for word in cell.text().split()]
    assert len(shells) == 6
    os.kill(notebook.pid, signal.SIGKILL)
    assert [pid for pid in shells if not has_ended(pid)] == []

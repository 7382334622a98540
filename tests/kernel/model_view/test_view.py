"""`%view`: what a model got, on request."""

import json
from typing import Any

import pytest
from codemode_kernel.model_view.views import MOST_CHARACTERS, Views
from codemode_kernel.record import RecordKind
from codemode_kernel.session.observation import Notification, Observation, OutputSize, Status

from tests.kernel.conftest import StartKernel
from tests.kernel.notebook import Notebook

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH"
    "/iZk9HQAAAABJRU5ErkJggg=="
)


def view_of(notebook: Notebook, line: str = "%view") -> list[dict[str, str]]:
    return [shown["data"] for shown in notebook.run(line).of("display_data")]


def json_of(notebook: Notebook, line: str = "%view --json") -> Any:
    return json.loads(notebook.run(line).text())


def test_it_shows_the_items_with_what_they_cost(notebook: Notebook) -> None:
    notebook.run(f"text('<b>one</b>'); image('{PIXEL}'); text('')")
    (shown,) = view_of(notebook)
    plain = shown["text/plain"].split("\n")
    assert plain[0].endswith("exec · completed · a model got 3 tokens")
    assert plain[-4:] == [
        "--- 2: text, 3 tokens",
        "<b>one</b>",
        "--- 3: image, 0 tokens",
        "image/png 1x1, 70 bytes",
    ]
    assert "&lt;b&gt;one&lt;/b&gt;" in shown["text/html"]
    assert f'<img src="{PIXEL}"' in shown["text/html"]


def test_it_says_what_was_cut(notebook: Notebook) -> None:
    notebook.run("// @exec: {\"max_output_tokens\": 5}\ntext('x'.repeat(4000))")
    (shown,) = view_of(notebook)
    assert "a model got 5 of 1,000 tokens, the rest was cut" in shown["text/plain"]
    assert "Warning: truncated output (original token count: 1000)" in shown["text/plain"]


def test_media_that_a_model_does_not_get_are_the_notice_there(notebook: Notebook) -> None:
    run = notebook.run("audio('data:audio/ogg;base64,AAAA'); image('data:image/png;base64,AAAA')")
    (shown,) = view_of(notebook)
    assert "audio content omitted because you do not support audio input" in shown["text/plain"]
    assert "image content omitted because it could not be processed" in shown["text/plain"]
    sound, _ = run.of("display_data")
    assert sound["data"]["audio/ogg"] == "AAAA"


def test_a_cell_by_its_id_shows_every_exec_and_wait_of_it(notebook: Notebook) -> None:
    notebook.run("%reset")
    notebook.run("text('a'); yield_control(); notify('n'); text('b')")
    notebook.run("%wait 1")
    notebook.run("text('other')")
    first, second = view_of(notebook, "%view 1")
    assert "Cell 1, exec · running" in first["text/plain"]
    assert "Cell 1, wait · completed" in second["text/plain"]
    assert "notification, 1 tokens\nn" in first["text/plain"] + second["text/plain"] + "\n"
    assert "other" in view_of(notebook)[0]["text/plain"]


def test_json_is_what_a_request_would_hold(notebook: Notebook) -> None:
    notebook.run("text('é'); notify('seen')")
    result, note = json_of(notebook)
    assert result["type"] == "custom_tool_call_output"
    assert result["output"][1] == {"type": "input_text", "text": "é"}
    assert note == {
        "type": "custom_tool_call_output",
        "call_id": result["call_id"],
        "name": "exec",
        "output": "seen",
    }
    notebook.run('%wait {"cell_id": "none"}')
    (waited,) = json_of(notebook)
    assert waited["type"] == "function_call_output"
    assert waited["output"][1]["text"] == "Script error:\nexec cell none not found"


@pytest.mark.parametrize(
    "options, tokens", [({}, 12_000), ({"prompt_max_tokens": 1_000_000}, 20_000)]
)
def test_the_bound_of_the_prompt_can_be_left_out(
    start_kernel: StartKernel, options: dict[str, int], tokens: int
) -> None:
    notebook = start_kernel(**options)
    notebook.run(
        '// @exec: {"max_output_tokens": 50000}\n'
        "notify('y'.repeat(80000)); text('x'.repeat(80000))"
    )
    result, note = (item["output"] for item in json_of(notebook))
    assert len(str(result)) // 4 == pytest.approx(tokens, rel=0.02)
    assert len(note) // 4 == pytest.approx(tokens, rel=0.02)


def test_what_was_refused_has_an_id_of_its_own_there(notebook: Notebook) -> None:
    ids = []
    for code in ('// @exec: {"no": 1}\ntext(1)', '%wait {"cell_id": 1}'):
        notebook.run(code)
        (refused,) = json_of(notebook)
        ids.append(refused["call_id"])
    assert all(ids)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "line, words",
    [
        ("%view 99", "What a model got of cell 99 is not known (any more)."),
        ("%view 1 2", "Name one cell, and one way to show it."),
        ("%view --json --full", "Name one cell, and one way to show it."),
    ],
)
def test_what_cannot_be_shown_is_an_error(notebook: Notebook, line: str, words: str) -> None:
    (error,) = notebook.run(line).of("error")
    assert error["evalue"].startswith(words)


def test_after_a_reset_nothing_is_known(notebook: Notebook) -> None:
    notebook.run("text(1)")
    notebook.run("%reset")
    (error,) = notebook.run("%view").of("error")
    assert error["evalue"] == "No cell has run yet."


def test_old_views_make_room() -> None:
    views = Views()
    half = "x" * (MOST_CHARACTERS // 2 - 1)  # and a notification of one character
    for number in range(3):
        views.remember(RecordKind.EXEC, observation(str(number), half), "exec-1")
    assert [len(views.of(str(number))) for number in range(3)] == [0, 1, 1]
    views.remember(RecordKind.EXEC, observation("3", half * 3), "exec-1")
    assert [len(views.of(str(number))) for number in range(4)] == [0, 0, 0, 1]


def observation(cell_id: str, output: str) -> Observation:
    return Observation(
        status=Status.COMPLETED,
        cell_id=cell_id,
        error_text=None,
        wall_time_s=0.0,
        output=output,
        size=OutputSize(0, 0, truncated=False),
        item_count=0,
        notifications=(Notification("exec-1", cell_id, "n"),),
    )

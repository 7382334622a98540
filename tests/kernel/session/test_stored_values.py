"""What `%store` needs: the committed values, and a way to forget them."""

from collections.abc import Sequence

import pytest
from codemode_kernel.errors import NotOffered

from tests.kernel.session.stage import MakeStage, Stage


async def test_committed_values_are_listed_as_json(stage: Stage) -> None:
    await stage.run('store("b", {n: [1, null]}); store("a", "ü")')
    assert await stage.session.stored_values() == {"b": '{"n":[1,null]}', "a": '"ü"'}


async def test_values_of_a_running_cell_are_not_committed_yet(stage: Stage) -> None:
    await stage.run('store("k", 1); yield_control(); await new Promise(() => {})')
    assert await stage.session.stored_values() == {}


async def test_cleared_values_are_gone_and_numbering_goes_on(stage: Stage) -> None:
    await stage.run('store("k", 1)')
    await stage.session.clear_stored_values()
    assert await stage.session.stored_values() == {}
    observation, texts = await stage.run('text(String(load("k")))')
    assert (observation.cell_id, texts) == ("2", ["undefined"])


async def test_a_host_that_cannot_list_says_so(
    make_stage: MakeStage, codex_command: Sequence[str]
) -> None:
    stage = await make_stage(codex_command)
    with pytest.raises(NotOffered, match="cannot tell what is stored"):
        await stage.session.stored_values()

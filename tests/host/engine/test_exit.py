"""Both rules of `exit()`: final, and a string that can be caught (contract 6)."""

import pytest

from tests.host.engine.stage import Engine

# source: (texts, error) under the final rule, (texts, error) under the catchable one
RULES: dict[str, tuple[tuple[list[str], str | None], tuple[list[str], str | None]]] = {
    "text('a'); exit(); text('b')": ((["a"], None), (["a"], None)),
    "try { exit() } finally { text('f') }": (([], None), (["f"], None)),
    "try { exit() } catch (e) { text(e) } text('on')": (
        ([], None),
        (["codex_code_mode_exit", "on"], None),
    ),
    "try { exit() } finally { throw 'other' }": (
        ([], None),
        ([], "other"),
    ),
    "throw 'codex_code_mode_exit'": (
        ([], "codex_code_mode_exit"),
        ([], "codex_code_mode_exit"),
    ),
    "try { exit() } catch {} throw 'x'": (([], None), ([], "x")),
    "(async () => exit())(); text('on')": (([], None), (["on"], None)),
    "setTimeout(() => exit(), 1); await new Promise(() => {})": (([], None), ([], None)),
    "text({toJSON() { exit() }})": (([], None), ([], None)),
    "await Promise.resolve().then(exit)": (([], None), ([], None)),
    "function f() { exit() } f(); text('no')": (([], None), ([], None)),
    "store('k', 1); exit()": (([], None), ([], None)),
}


@pytest.mark.parametrize("source", RULES)
async def test_exit_is_final(engine: Engine, source: str) -> None:
    run = await engine.run(source)
    assert (run.texts, run.error) == RULES[source][0]
    assert run.ended is None


@pytest.mark.parametrize("source", RULES)
async def test_exit_can_be_made_catchable(engine: Engine, source: str) -> None:
    run = await engine.run(source, catchable_exit=True)
    assert (run.texts, run.error) == RULES[source][1]
    assert run.ended is None


async def test_what_was_stored_before_the_exit_is_kept(engine: Engine) -> None:
    run = await engine.run("store('k', 1); try { exit() } finally { store('k', 2) }")
    assert run.stores == {"k": "1"}

"""Imports are found in code, and in nothing that only looks like code (contract 1.4)."""

import pytest
from codemode_host.engine.quickjs.imports import first_specifier, without_dynamic_imports

from tests.host.engine.stage import Engine

UNTOUCHED = [
    "text('import(x)')",
    "text(`a import('x') ${'b'} import(c)`)",
    "// import('x')\ntext(1)",
    "/* import('x') */ text(1)",
    "text(/import('x')/.source)",
    "object.import('x')",
    "const important = reimport('x')",
    "import.meta.url",
    "import x from 'y'",
]

REFUSED = [
    "await import('fs')",
    "await import ('fs')",
    "await import/* a comment */('fs')",
    "await Promise.all([import(`${'fs'}`)])",
    "const a = 4 / 2 / 1; await import('fs')",
    "text(`${await import('fs')}`)",
    "text(`${`${1}`}`, await import('fs'))",
    "if (/[/`]/.test('`')) await import('fs')",
    "const load = (name) => import(name); await load('fs')",
    "class A { async m() { return await import('fs') } } await new A().m()",
]


@pytest.mark.parametrize("source", UNTOUCHED)
def test_what_only_looks_like_an_import_stays(source: str) -> None:
    assert without_dynamic_imports(source) == source


@pytest.mark.parametrize("source", REFUSED)
async def test_a_dynamic_import_rejects_with_a_string(engine: Engine, source: str) -> None:
    assert (await engine.run(source)).error == "unsupported import in exec"


async def test_the_specifier_of_a_dynamic_import_is_converted_first(engine: Engine) -> None:
    run = await engine.run("""
        try { await import({toString() { text('asked'); return 'fs' }}) } catch (e) { text(e) }
        try { await import(Symbol('s')) } catch (e) { text(e instanceof TypeError) }
    """)
    assert run.texts == ["asked", "unsupported import in exec", "true"]


SPECIFIERS = {
    "import fs from 'fs'": "fs",
    "import './a.js'": "./a.js",
    'import {a as b} from "../b"': "../b",
    "text('import x from y'); import * as c from 'c'": "c",
    "export * from 'other'; import 'second'": "other",
    "import d from './d.json' with {type: 'json'}": "./d.json",
    "text('nothing')": None,
}


@pytest.mark.parametrize("source, specifier", SPECIFIERS.items())
def test_the_first_specifier_is_told_as_written(source: str, specifier: str | None) -> None:
    assert first_specifier(source) == specifier


async def test_a_static_import_fails_before_anything_runs(engine: Engine) -> None:
    run = await engine.run("text('ran'); import a from './a'; import b from 'b'")
    assert (run.texts, run.error) == ([], "Unsupported import in exec: ./a")

"""Error messages in V8's words; each case is what the reference says, too."""

import json
from pathlib import Path

import pytest
from codemode_host.engine.quickjs.json_errors import json_complaint

from tests.host.engine.stage import Engine

NAMED = {
    "tools.nope({})": "tools.nope is not a function",
    "let o = {}; o.f(1)": "o.f is not a function",
    "null()": "null is not a function",
    "let x = 5; x()": "x is not a function",
    "let x = 5, p = 1; x(p)": "x is not a function",
    "let x = 5;\n  text(x())": "x is not a function",
    "let o = {}, p = 2;\n  await o.f({cmd: p, m: 'x'})": "o.f is not a function",
    "let o = {}, p = 2;\n  o.f({p})": "o.f is not a function",
    "let o = {}, y = {z: 1};\n  o.f(y.z)": "o.f is not a function",
    "let o = {};\n  o.f((x) => x.y)": "o.f is not a function",
    "let o = {};\n  o.f(async (x) => { await x }, 1)": "o.f is not a function",
    "let o = {};\n  o.f(function () { return 1 })": "o.f is not a function",
    "let o = {f: () => ({})};\n  o.f().g().h()": "o.f(...).g is not a function",
    "const r = [{a: {}}];\n  r[0].a.map((x) => 1)": "r[0].a.map is not a function",
    "let o = [], k = 'a';\n  o[k](1)": "o[k] is not a function",
    "let o = {a: 1};\n  o?.a()": "o?.a is not a function",
    "let o = {};\n  new o.X()": "o.X is not a constructor",
    "let X = 1;\n  new X(2)": "X is not a constructor",
    "let o = {};\n  [1].map((x) => o.f(x))": "o.f is not a function",
    "let o = {};\n  [1].map((x) => { return o.f(x) })": "o.f is not a function",
    "await Promise.all([1, 2].map((n) => tools.nope(n)))": "tools.nope is not a function",
    "await Promise.all([tools.echo(1), tools.nope(2)])": "tools.nope is not a function",
    "let o = {}, p = 2;\n  text(JSON.stringify(o.f(p)))": "o.f is not a function",
    "let o = {};\n  if (o.f()) {}": "o.f is not a function",
    "let o = {};\n  const s = `a${o.f()}b`": "o.f is not a function",
    "const r = {output: 1};\n  r.output.split('(').map((l) => l)": "r.output.split is not a function",
    "let o = {};\n  /* é( */ 'é('; o.f(')')": "o.f is not a function",
    "class A { m() { return this.f() } }\nnew A().m()": "this.f is not a function",
}

UNNAMED = [
    "let o = {}, y = {z: () => 1};\n  o.f(y.z())",
    "let f = () => 1;\n  f()()",
    "let o = {f() {}};\n  o.g(o.f())",
    "let o = {};\n  (o.f)()",
]


@pytest.mark.parametrize("source, sentence", NAMED.items(), ids=NAMED.values())
async def test_the_callee_is_named(engine: Engine, source: str, sentence: str) -> None:
    error = (await engine.run(source)).error
    assert error is not None
    assert error.partition("\n")[0] == f"TypeError: {sentence}"


@pytest.mark.parametrize("source", UNNAMED)
async def test_nothing_is_named_where_several_calls_could_have_failed(
    engine: Engine, source: str
) -> None:
    error = (await engine.run(source)).error
    assert error is not None
    assert error.partition("\n")[0] == "TypeError: not a function"


MESSAGES = {
    "null.x": "TypeError: Cannot read properties of null (reading 'x')",
    "let u; u.a.b": "TypeError: Cannot read properties of undefined (reading 'a')",
    "let u; u.a = 1": "TypeError: Cannot set properties of undefined (setting 'a')",
    "const [a] = null": "TypeError: null is not iterable",
    "x; let x": "ReferenceError: Cannot access 'x' before initialization",
    "nope": "ReferenceError: nope is not defined",
    "const c = 1; c = 2": "TypeError: Assignment to constant variable.",
    "const c = 1;\nconst f = () => { c += 1 }; f()": "TypeError: Assignment to constant variable.",
    "class A {} A()": "TypeError: Class constructor A cannot be invoked without 'new'",
    "new Array(-1)": "RangeError: Invalid array length",
    "'x'.repeat(2 ** 30)": "RangeError: Invalid string length",
    "let s = 'x'; for (;;) s += s": "RangeError: Invalid string length",
    "new Date(NaN).toISOString()": "RangeError: Invalid time value",
    "[].reduce((a, b) => a)": "TypeError: Reduce of empty array with no initial value",
    "text({a: 1n})": "TypeError: Do not know how to serialize a BigInt",
    "await Promise.any([Promise.reject(1)])": "AggregateError: All promises were rejected",
    "decodeURIComponent('%')": "URIError: URI malformed",
    "let a = 1; let a = 2": "SyntaxError: Identifier 'a' has already been declared",
    "function f() {}\nlet f": "SyntaxError: Identifier 'f' has already been declared",
    "let x = ;": "SyntaxError: Unexpected token ';'",
    "if (true) {": "SyntaxError: Unexpected end of input",
    "return 5": "SyntaxError: Illegal return statement",
    "text('a": "SyntaxError: Invalid or unexpected token",
    "const x": "SyntaxError: Missing initializer in const declaration",
    "1 = 2": "SyntaxError: Invalid left-hand side in assignment",
    "with ({}) {}": "SyntaxError: Strict mode code may not include a with statement",
    "JSON.parse('Total: 5')": "SyntaxError: Unexpected token 'T', \"Total: 5\" is not valid JSON",
    "throw new TypeError('not a function')": "TypeError: not a function",
    "class E extends TypeError {} throw new E('circular reference')": "TypeError: circular reference",
}


@pytest.mark.parametrize("source, first_line", MESSAGES.items(), ids=MESSAGES.keys())
async def test_messages_are_v8s(engine: Engine, source: str, first_line: str) -> None:
    error = (await engine.run(source)).error
    assert error is not None
    assert error.partition("\n")[0] == first_line


COMPLAINTS = json.loads(Path(__file__).with_name("json_complaints.json").read_text())


@pytest.mark.parametrize("text, complaint", COMPLAINTS.items())
def test_bad_json_is_quoted(text: str, complaint: str | None) -> None:
    # As JSON, which is how it goes to the script: there, two surrogates are one character.
    assert json.loads(json.dumps(json_complaint(text))) == complaint


async def test_characters_beyond_the_basic_plane_are_two_units(engine: Engine) -> None:
    run = await engine.run("try { JSON.parse('💩 x') } catch (e) { text([e.message]) }")
    assert run.texts == [r"""["Unexpected token '\ud83d', \"💩 x\" is not valid JSON"]"""]


async def test_a_reviver_keeps_its_own_errors(engine: Engine) -> None:
    run = await engine.run("JSON.parse('[1]', () => { throw new SyntaxError('mine') })")
    assert run.error is not None
    assert run.error.startswith("SyntaxError: mine\n")

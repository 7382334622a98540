"""Which call a "not a function" is about; each case is what the reference says of it, too."""

import pytest

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

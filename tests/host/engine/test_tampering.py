"""A cell that replaces what the language offers hurts itself at most."""

import pytest

from tests.host.engine.stage import Engine

# What every cell can still do, whatever it did to the language before.
USE = """
text('a'); text({b: 1});
text(await tools.echo({c: 2}));
store('k', {d: 3}); text(load('k'));
let fired = false; setTimeout(() => { fired = true }, 1);
while (!fired) await tools.echo(null);
content({type: 'text', text: 'e'}); content([{type: 'text', text: 'f'}]);
image({image_url: 'data:g'}); image({type: 'image', data: 'h'}); audio('data:i');
generatedImage({image_url: 'data:j', output_hint: 'k'});
for await (const settled of as_settled([tools.echo(1)])) text(settled.value);
await stream_settled([2], (settled) => text(settled.value));
try { image('/l') } catch (error) { text(typeof error) }
try { null.m } catch (error) { text(typeof error.stack) }
yield_control(); notify('n');
text('end');
"""

EXPECTED = [
    "a",
    '{"b":1}',
    '{"c":2}',
    '{"d":3}',
    "e",
    "f",
    "k",
    "1",
    "2",
    "string",
    "string",
    "end",
]

EVERY_METHOD = """
const {ownKeys} = Reflect, {getOwnPropertyDescriptor} = Object;
const breakAll = (object) => {
  for (const key of ownKeys(object)) {
    const descriptor = getOwnPropertyDescriptor(object, key);
    if (typeof descriptor.value !== 'function' || key === 'constructor') continue;
    try { object[key] = () => { throw new Error('broken') } } catch {}
  }
};
"""

HARMLESS = {
    "JSON": "JSON.stringify = () => '\"x\"'; JSON.parse = () => 'x'; delete globalThis.JSON;",
    "Promise": "globalThis.Promise = undefined;",
    "Promise's methods": "Promise.prototype.then = Promise.resolve = () => { throw 1 };",
    "Promise's constructor": "Promise.prototype.constructor = function () { throw 1 };",
    "Map and WeakMap": EVERY_METHOD
    + "breakAll(Map.prototype); breakAll(WeakMap.prototype); globalThis.WeakMap = undefined;",
    "Reflect": EVERY_METHOD + "breakAll(Reflect);",
    "Object": EVERY_METHOD + "breakAll(Object);",
    "Object.prototype": EVERY_METHOD + "breakAll(Object.prototype);",
    "Array": EVERY_METHOD + "breakAll(Array); const i = Array.prototype[Symbol.iterator];"
    "breakAll(Array.prototype); Array.prototype[Symbol.iterator] = i;",
    "String": EVERY_METHOD + "breakAll(String.prototype); globalThis.String = undefined;",
    "Number and Math": EVERY_METHOD
    + "breakAll(Number); breakAll(Number.prototype); breakAll(Math);",
    "RegExp": EVERY_METHOD + "breakAll(RegExp.prototype);",
    "Function.prototype": "Function.prototype.call = Function.prototype.apply = "
    "Function.prototype.bind = () => { throw new Error('broken') };",
    "Error": "Error.captureStackTrace = Error.isError = () => { throw 1 };"
    "Error.prototype.toString = () => { throw 2 };",
    "Error's accessors": "Object.defineProperty(Error.prototype, 'stack', {get() { throw 1 }});"
    "Object.defineProperty(Error.prototype, 'name', {get() { throw 2 }});",
    "a stack hook": "Error.prepareStackTrace = () => 'mine';",
    "getters on Object.prototype": """
        for (const key of ['image_url', 'audio_url', 'type', 'data', 'mimeType', '_meta', 'text',
                           'next', 'result', 'stack', 'frames', 'message', 'settled', 'failed',
                           'reason', 'resolve', 'reject', 'url', 'block'])
          Object.defineProperty(Object.prototype, key, {
            get() { return undefined },
            set(value) { throw new Error('set ' + key) },
          });""",
    "descriptors on Object.prototype": "Object.prototype.get = Object.prototype.set = 1;"
    "Object.prototype.value = Object.prototype.writable = 2;",
    "no prototypes": "Object.setPrototypeOf(Array.prototype, null);"
    "Object.setPrototypeOf(Function.prototype, null);",
    "a trap behind the global object": "Object.setPrototypeOf(globalThis, new Proxy({}, {"
    "has() { throw 1 }, get() { throw 2 }, set() { throw 3 }}));",
    "frozen builtins": "for (const key of Reflect.ownKeys(globalThis)) { const value = globalThis[key];"
    "if (value !== globalThis && Object(value) === value) { Object.freeze(value);"
    "if (value.prototype) Object.freeze(value.prototype) } }",
    "everything deleted": """
        const kept = ['text', 'tools', 'store', 'load', 'setTimeout', 'content', 'image', 'audio',
                      'generatedImage', 'as_settled', 'stream_settled', 'yield_control', 'notify'];
        for (const key of Reflect.ownKeys(globalThis))
          if (!kept.includes(key)) try { delete globalThis[key] } catch {}""",
}


@pytest.mark.parametrize("tampering", HARMLESS.values(), ids=HARMLESS.keys())
async def test_helpers_do_not_lean_on_what_a_cell_can_replace(
    engine: Engine, tampering: str
) -> None:
    run = await engine.run(f"{tampering}\n{USE}")
    assert (run.texts, run.error, run.ended) == (EXPECTED, None, None)
    assert [item["type"] for item in run.items].count("input_image") == 3
    assert run.notifications == ["n"]
    assert run.yields == 1


SELF_INFLICTED = {
    "setters on Array.prototype": "for (let i = 0; i < 3; i++) Object.defineProperty("
    "Array.prototype, i, {set() { throw new Error('index') }, get() { return 'x' }});",
    "then on Object.prototype": "Object.prototype.then = (resolve) => resolve(1);",
    "toJSON on Object.prototype": "Object.prototype.toJSON = () => { throw new Error('json') };",
    "species": "Object.defineProperty(Promise, Symbol.species, {get() { throw 1 }});",
    "Symbol.iterator": "Array.prototype[Symbol.iterator] = () => { throw new Error('iterator') };",
    "a hook that throws": "Error.prepareStackTrace = () => { throw new Error('hook') };",
    "endless hook": "Object.defineProperty(Error.prototype, 'name', {get() { return null.x }});",
}


@pytest.mark.parametrize("tampering", SELF_INFLICTED.values(), ids=SELF_INFLICTED.keys())
async def test_a_cell_that_breaks_itself_ends_or_can_be_ended(
    engine: Engine, tampering: str
) -> None:
    cell = await engine.start(f"{tampering}\ntry {{ {USE} }} finally {{ tools.echo('over') }}")
    await cell.until(lambda run: "over" in run.calls or cell.worker.gone.done())
    cell.worker.kill()
    await cell.end()
    assert (await engine.run("text('next')")).texts == ["next"]


ENDS = {
    "a stack that is no string": ("throw {stack: 5, toString() { return 't' }}", "t"),
    "a stack of the cell's own": ("throw {stack: 'mine'}", "mine"),
    "a stack that throws": (
        "throw {get stack() { throw 1 }, toString: () => 't'}",
        "unknown code mode exception",
    ),
    "no conversion to a string": ("throw Object.create(null)", ""),
    "a conversion that throws": (
        "throw {toString() { throw 1 }}",
        "unknown code mode exception",
    ),
    "a symbol": ("throw Symbol('s')", ""),
    "a forged trace": (
        "const get = Object.getOwnPropertyDescriptor(new Error, 'stack').get;"
        "throw {stack: String(get.call({}))}",
        "undefined",
    ),
}


@pytest.mark.parametrize("source, error", ENDS.values(), ids=ENDS.keys())
async def test_anything_thrown_has_an_error_text(engine: Engine, source: str, error: str) -> None:
    assert (await engine.run(source)).error == error


async def test_nothing_of_the_bridge_is_in_reach(engine: Engine) -> None:
    run = await engine.run("""
        const names = [];
        for (const key of Reflect.ownKeys(globalThis)) names.push(String(key));
        text(names.filter((name) => /host|prelude/i.test(name)));
        const seen = (site) => String(site).includes('prelude') || site.getFunction() !== undefined;
        Error.prepareStackTrace = (error, sites) => sites.some(seen);
        const probe = {toJSON() { return new Error().stack }};
        text(probe); text(await tools.echo(probe));
    """)
    assert run.texts == ["[]", "false", "false"]

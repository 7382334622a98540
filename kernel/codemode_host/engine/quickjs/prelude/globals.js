// The global object.

const remove = (object, names) => {
  for (const name of names) deleteProperty(object, name);
};

installStacks(globalThis.InternalError);

// What the engine has beyond the reference's.
remove(globalThis, [
  "Atomics",
  "DOMException",
  "InternalError",
  "SharedArrayBuffer",
  "atob",
  "btoa",
  "performance",
  "queueMicrotask",
  Symbol.toStringTag,
]);
remove(ArrayBuffer.prototype, ["immutable", "sliceToImmutable", "transferToImmutable"]);
remove(Iterator, ["zip", "zipKeyed"]);
remove(Iterator.prototype, ["chunks", "includes", "join", "windows"]);

// The engine's cube root misses whole numbers by the last bit.
{
  const { cbrt, round } = Math;
  const exact = (value) => {
    const root = cbrt(value);
    const whole = round(root);
    return whole * whole * whole === +value ? whole : root;
  };
  define(Math, "cbrt", native(exact, "cbrt", 1), false);
}

// A forked realm has its zygote's generator. Each process starts from its own point of the sequence
// and moves every number on by its own distance, so no two cells see the same.
let seedRandom;
{
  const { random } = Math;
  let distance = 0;
  const moved = () => {
    const number = random() + distance;
    return number >= 1 ? number - 1 : number;
  };
  define(Math, "random", native(moved, "random"), false);
  seedRandom = (start, skipped) => {
    distance = start;
    for (let count = 0; count < skipped; count++) random();
  };
}

const install = (catalog, exitIsCatchable) => {
  catchableExit = exitIsCatchable;
  const list = parse(catalog);
  const tools = {};
  for (let index = 0; index < list.length; index++) {
    const call = function (argument) {
      return callTool(index, argument);
    };
    define(tools, list[index].name, helper(call));
  }
  const raise = (failure) => {
    if (failure !== undefined) throw failure.error;
  };
  const globals = {
    tools,
    ALL_TOOLS: list,
    clearTimeout: helper(function (id) { clearTimer(id); }),
    setTimeout: helper(function (callback, delay) { return startTimer(callback, delay); }),
    text: helper(function (value) { emitText(display(value)); }),
    content,
    image: helper(function (value, detail) { raise(showImage(value, detail)); }),
    audio: helper(function (value) { playAudio(value); }),
    generatedImage: helper(function (value) { raise(showGeneratedImage(value)); }),
    store: helper(function (key, value) { store(key, value); }),
    load: helper(function (key) { return load(key); }),
    notify: helper(function (value) { must(host.notify(stringify(display(value)))); }),
    yield_control: helper(function () { host.yieldControl(); }),
    exit: helper(function () { exit(); }),
    as_settled,
    stream_settled,
  };
  for (const name in globals) define(globalThis, name, globals[name]);
};

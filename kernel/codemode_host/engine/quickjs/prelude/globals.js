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

// The engine's cube root misses half of all numbers by the last bit: one more step, from a root so
// short that its square is exact. Outside of what a short root can hold the engine's has to do.
{
  const { cbrt, fround } = Math;
  const exact = (value) => {
    const number = +value;
    const root = cbrt(number);
    const short = fround(root);
    const square = short * short;
    if (!(square > 1e-30 && square < 1e30)) return root;
    const quotient = number / square;
    return short + short * ((quotient - short) / (short + short + quotient));
  };
  define(Math, "cbrt", native(exact, "cbrt", 1), false);
}

// The engine gives the error of `Promise.any` no message. This reaction is the promise's first.
{
  const { any } = NativePromise;
  const watchFailure = async (promise) => {
    try {
      await promise;
    } catch (error) {
      if (isError(error) && !has(error, "message")) explain(error, "All promises were rejected");
    }
  };
  const explained = {
    any(promises) {
      const first = apply(any, this, [promises]);
      watchFailure(first);
      return first;
    },
  };
  define(NativePromise, "any", explained.any, false);
}

// `JSON.parse` with V8's messages, which quote the text.
{
  const NativeJSON = JSON;
  const parseOrExplain = (value, reviver) => {
    const source = textOf(value);
    try {
      return apply(parse, NativeJSON, [source, reviver]);
    } catch (error) {
      if (isError(error) && getPrototypeOf(error) === SyntaxErrorPrototype) {
        const message = host.explainJson(stringify(source));
        if (message !== null) explain(error, parse(message));
      }
      throw error;
    }
  };
  define(NativeJSON, "parse", native(parseOrExplain, "parse", 2), false);
}

// A forked realm would go on with its zygote's sequence, as all its siblings do; the host's generator
// is seeded in each process.
{
  const { random } = host;
  define(Math, "random", native(() => random(), "random"), false);
}

// The helpers. All but the tools is made before a zygote forks, so that its workers share it.
{
  const raise = (failure) => {
    if (failure !== undefined) throw failure.error;
  };
  const globals = {
    tools: undefined,
    ALL_TOOLS: undefined,
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
  define(globalThis, "tools", tools);
  define(globalThis, "ALL_TOOLS", list);
};

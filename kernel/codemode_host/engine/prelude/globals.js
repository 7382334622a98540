// The global object.

for (const name of [
  "Atomics", "DOMException", "InternalError", "SharedArrayBuffer",
  "atob", "btoa", "performance", "queueMicrotask",
]) {
  if (name === "InternalError") installStacks(globalThis.InternalError);
  deleteProperty(globalThis, name);
}
deleteProperty(globalThis, Symbol.toStringTag);

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

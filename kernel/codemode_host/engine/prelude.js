// The prelude: everything a cell finds on its global object, evaluated once before the cell.
// One strict function expression, called with the host functions; it hands its controls back.
(function (host) {
  "use strict";

  const { parse, stringify } = JSON;
  const { apply, defineProperty, deleteProperty } = Reflect;
  const { toWellFormed } = String.prototype;
  const toText = String;
  const NativePromise = Promise;
  const { then } = Promise.prototype;
  const { get: mapGet, set: mapSet, delete: mapDelete } = Map.prototype;
  const bind = Function.prototype.bind;

  const wellFormed = (value) => apply(toWellFormed, toText(value), []);

  const describe = (error) => {
    if ((typeof error === "object" && error !== null) || typeof error === "function") {
      const { stack } = error;
      if (typeof stack === "string") return stack;
    }
    return toText(error);
  };
  const toDisplay = (value) => {
    if ((typeof value === "object" && value !== null) || typeof value === "function" || typeof value === "symbol") {
      let json;
      try { json = stringify(value); } catch (error) { throw describe(error); }
      return wellFormed(json);
    }
    return wellFormed(value);
  };

  const calls = new Map();
  let callCount = 0;
  const timers = new Map();
  let timerCount = 0;
  let outcome;

  const define = (target, name, value) =>
    defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  const must = (error) => { if (error !== null) throw error; };

  const helpers = {
    __proto__: null,
    text: function (value = undefined) { must(host.emitText(stringify(toDisplay(value)))); },
    yield_control: function () { host.yieldControl(); },
    exit: function () { host.exit(); },
    setTimeout: function (callback = undefined, delay = undefined) {
      if (typeof callback !== "function") throw "setTimeout expects a function callback";
      const id = ++timerCount;
      apply(mapSet, timers, [id, callback]);
      host.startTimer(id, +delay || 0);
      return id;
    },
  };
  for (const name in helpers) define(globalThis, name, helpers[name]);

  const makeTool = (index) => function (input = undefined) {
    const argument = input === undefined ? null : stringify(input);
    const number = callCount + 1;
    must(host.callTool(number, index, argument));
    callCount = number;
    return new NativePromise((resolve, reject) => {
      apply(mapSet, calls, [number, { __proto__: null, resolve, reject }]);
    });
  };

  host.control(
    (toolsJson) => {
      const tools = {};
      const list = parse(toolsJson);
      for (let index = 0; index < list.length; index++) define(tools, list[index].name, makeTool(index));
      define(globalThis, "tools", tools);
      define(globalThis, "ALL_TOOLS", list);
    },
    (promise) => {
      defineProperty(promise, "constructor", { __proto__: null, value: undefined });
      apply(then, promise, [
        () => { outcome = { __proto__: null, failed: false }; },
        (reason) => { outcome = { __proto__: null, failed: true, reason }; },
      ]);
    },
    () => {
      if (outcome === undefined) return;
      host.finish(outcome.failed ? stringify(wellFormed(describe(outcome.reason))) : null);
    },
    (number, ok, json) => {
      const call = apply(mapGet, calls, [number]);
      if (call === undefined) return;
      apply(mapDelete, calls, [number]);
      if (ok) call.resolve(parse(json));
      else call.reject(parse(json));
    },
    (id) => {
      const callback = apply(mapGet, timers, [id]);
      if (callback === undefined) return;
      apply(mapDelete, timers, [id]);
      try { callback(); } catch (error) { host.finish(stringify(wellFormed(describe(error)))); }
    },
  );
})

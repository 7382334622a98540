// What else a cell can do: stored values (contract 5), timers (7.6), tool calls (8), exit (6).

const keyText = (key, complaint) => {
  try {
    return stringify(wellFormed(textOf(key)));
  } catch {
    throw complaint;
  }
};

const store = (key, value) => {
  const name = keyText(key, "store key must be a string");
  must(host.store(name, value === undefined ? null : serialize(value)));
};

const load = (key) => {
  const json = host.load(keyText(key, "load key must be a string"));
  return json === null ? undefined : parse(json);
};

const timers = new NativeMap();
let timerCount = 0;

const startTimer = (callback, delay) => {
  if (typeof callback !== "function") throw "setTimeout expects a function callback";
  const id = ++timerCount;
  const wait = trunc(+delay);
  apply(mapSet, timers, [id, callback]);
  host.startTimer(id, isFiniteNumber(wait) && wait > 0 ? wait : 0);
  return id;
};

const clearTimer = (id) => {
  if (id === undefined || id === null) return;
  let number;
  try {
    number = trunc(+id);
  } catch {
    throw "clearTimeout expects a numeric timeout id";
  }
  apply(mapDelete, timers, [number]);
};

const calls = new NativeMap();
let callCount = 0;

const callTool = (tool, argument) => {
  const json = argument === undefined ? "null" : serialize(argument); // may call tools itself
  const number = callCount + 1;
  must(host.callTool(number, tool, json));
  callCount = number;
  const call = apply(withResolvers, NativePromise, []);
  apply(mapSet, calls, [number, call]);
  return call.promise;
};

const EXIT = "codex_code_mode_exit";
let catchableExit = false;
let exiting = false;

const exit = () => {
  if (!catchableExit) host.finish(false, null); // the process ends in there
  exiting = true;
  throw EXIT;
};

/** Ends the cell as its uncaught exception says. */
const finishWith = (thrown) => {
  if (exiting && thrown === EXIT) host.finish(false, null);
  else host.finish(true, stringify(wellFormed(describe(thrown))));
};

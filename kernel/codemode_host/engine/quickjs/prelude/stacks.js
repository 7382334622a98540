// Error stacks in V8's form, with the cell's frames alone (contract 2.6).
//
// The engine calls `prepare` wherever an error is made. Each error gets an own accessor `stack`
// whose text is made when it is first read: the message is that of the error's birth, the name
// that of the first reading. `Error.prepareStackTrace` and `stackTraceLimit` are honoured.

const MAX_FRAMES = 64; // the engine records no more

const traces = new WeakMap();
let grabbed; // what `captureStackTrace` waits for: undefined when it does not
let siteMethods;

const lineOf = (site) => apply(siteMethods.getLineNumber, site, []);
const isNative = (site) => apply(siteMethods.isNative, site, []);

/** By index, which frames are the prelude's or were called by it. */
const hiddenFrames = (sites) => {
  const hidden = { __proto__: null };
  let ours = false;
  for (let index = sites.length - 1; index >= 0; index--) {
    if (!isNative(sites[index])) ours = lineOf(sites[index]) > hiddenLines;
    hidden[index] = ours;
  }
  return hidden;
};

const COLUMNS = 4194304; // as in the worker: a place is a line times this, and a column
const places = new NativeMap(); // what the worker said of a frame: most are made many times

/**
 * Line and column of a frame as V8 gives them, in one number; null where the frame has none.
 * `callee` is the name of what the frame called, `constructs` whether with `new`.
 */
const placeOf = (site, callee, constructs) => {
  const line = lineOf(site);
  if (isNative(site) || typeof line !== "number") return null;
  const column = apply(siteMethods.getColumnNumber, site, []);
  const raw = line * COLUMNS + column;
  if (nameOf(site) === "<eval>") return raw;
  const key = raw + (constructs ? ":" : ".") + callee;
  let place = apply(mapGet, places, [key]);
  if (place === undefined) {
    place = host.placeFrame(line, column, stringify(callee), constructs);
    if (typeof place !== "number") return raw; // no memory to find out
    apply(mapSet, places, [key, place]);
  }
  return place;
};

const frameText = (site, place) => {
  const name = nameOf(site);
  if (place === null) return "    at " + name + " (<anonymous>)";
  const position = ":" + trunc(place / COLUMNS) + ":" + (place % COLUMNS);
  if (name === "<eval>") return "    at eval (<anonymous>" + position + ")";
  const where = "exec_main.mjs" + position;
  if (typeof name !== "string" || name === "" || name === "<anonymous>") return "    at " + where;
  const prefix = apply(siteMethods.isConstructor, site, []) ? "new " : "";
  return "    at " + prefix + name + " (" + where + ")";
};

/** What a cell's own `Error.prepareStackTrace` gets for a frame. */
const publicSite = (site, place) => {
  const text = apply(slice, frameText(site, place), [7]);
  const name = nameOf(site);
  const line = place === null ? null : trunc(place / COLUMNS);
  const column = place === null ? null : place % COLUMNS;
  const native = isNative(site);
  const constructs = apply(siteMethods.isConstructor, site, []);
  return {
    getThis: () => undefined,
    getTypeName: () => null,
    getFunction: () => undefined,
    getFunctionName: () => name,
    getMethodName: () => null,
    getFileName: () => "exec_main.mjs",
    getLineNumber: () => line,
    getColumnNumber: () => column,
    getEvalOrigin: () => undefined,
    getScriptNameOrSourceURL: () => "exec_main.mjs",
    isToplevel: () => true,
    isEval: () => name === "<eval>",
    isNative: () => native,
    isConstructor: () => constructs,
    isAsync: () => false,
    isPromiseAll: () => false,
    getPromiseIndex: () => null,
    toString: () => text,
  };
};

const headline = (error, message) => {
  try {
    const { name } = error;
    const title = name === undefined ? "Error" : textOf(name);
    const note = message === undefined ? "" : textOf(message);
    if (title === "" || note === "") return title + note;
    return title + ": " + note;
  } catch (failure) {
    try {
      return "<error: " + textOf(failure) + ">";
    } catch {
      return "<error>";
    }
  }
};

// Functions that need their `this` cannot be `native`; these two are nameless at least.
const stackAccessor = {
  __proto__: null,
  get() {
    if (!isObject(this)) return undefined;
    const trace = apply(weakGet, traces, [this]);
    if (trace === undefined) {
      // The stack was too full to record anything: the error has its first line at least.
      return isError(this) ? headline(this, ownValue(this, "message")) : undefined;
    }
    if (!trace.settled) {
      trace.settled = true;
      const prepareStackTrace = ownValue(NativeError, "prepareStackTrace");
      trace.stack =
        typeof prepareStackTrace === "function"
          ? apply(prepareStackTrace, NativeError, [this, trace.sites])
          : headline(this, trace.message) + trace.frames;
    }
    return trace.stack;
  },
  set(stack) {
    const trace = isObject(this) ? apply(weakGet, traces, [this]) : undefined;
    if (trace === undefined) return;
    trace.settled = true;
    trace.stack = stack;
  },
  enumerable: false,
  configurable: true,
};
rename(stackAccessor.get, "");
rename(stackAccessor.set, "");

/** Frames that V8 leaves out: places in a parsed text, constructors of the error's own classes. */
const isLeftOut = (error, site) => {
  const target = apply(siteMethods.getFunction, site, []);
  if (!isObject(target)) return true;
  if (!apply(siteMethods.isConstructor, site, [])) return false;
  const { prototype } = target;
  for (let link = getPrototypeOf(error); link !== null; link = getPrototypeOf(link)) {
    if (link === prototype) return true;
  }
  return false;
};

const textIn = (object, key) => {
  const value = ownValue(object, key);
  return typeof value === "string" ? value : "";
};

// Errors of the engine about a name: V8 places them at the name, and no constructor was called.
const LOOKUP =
  /^Cannot (?:access '|read properties of )|^[^]+ is not (?:defined|a function)$/;

/** The place of a frame that has made an error itself, most times with the error's constructor. */
const placeOfError = (site, error) => {
  const prototype = getPrototypeOf(error);
  const maker = prototype === null ? undefined : ownValue(prototype, "constructor");
  if (!isObject(maker) || apply(exec, LOOKUP, [textIn(error, "message")]) !== null) {
    return placeOf(site, "", false);
  }
  return placeOf(site, textIn(maker, "name"), true);
};

/** The place of a frame that has called another one. */
const placeOfCall = (site, called) => {
  const name = nameOf(called);
  const constructs = apply(siteMethods.isConstructor, called, []);
  return placeOf(site, typeof name === "string" ? name : "", constructs);
};

const record = (error, sites, first = 0) => {
  const limit = ownValue(NativeError, "stackTraceLimit");
  const wantsSites = typeof ownValue(NativeError, "prepareStackTrace") === "function";
  const hidden = hiddenFrames(sites);
  const publicSites = [];
  let frames = "";
  for (let index = first, shown = 0; index < sites.length && shown < limit; index++) {
    if (hidden[index] || lineOf(sites[index]) === 0) continue; // 0: a class with static parts
    const site = sites[index];
    const place =
      index === 0 ? placeOfError(site, error) : placeOfCall(site, sites[index - 1]);
    if (wantsSites) define(publicSites, shown, publicSite(site, place));
    frames += "\n" + frameText(site, place);
    shown++;
  }
  const trace = {
    __proto__: null,
    settled: typeof limit !== "number",
    stack: undefined,
    message: ownValue(error, "message"),
    frames,
    sites: publicSites,
  };
  defineProperty(error, "stack", stackAccessor);
  apply(weakSet, traces, [error, trace]);
};

/** Gives an error of the engine the message it should have had from its birth. */
const explain = (error, message) => {
  define(error, "message", message, false);
  const trace = apply(weakGet, traces, [error]);
  if (trace !== undefined) trace.message = message;
};

const prepare = (error, sites) => {
  if (grabbed === null) grabbed = sites;
  else if (isError(error) && apply(weakGet, traces, [error]) === undefined) {
    let first = 0;
    while (first < sites.length && isLeftOut(error, sites[first])) first++;
    reword(error, sites.length > 0 ? sites[0] : undefined);
    record(error, sites, first);
  }
  return null;
};

const installStacks = (InternalError) => {
  const { captureStackTrace } = NativeError;
  NativeError.stackTraceLimit = MAX_FRAMES;
  NativeError.prepareStackTrace = (error, sites) => {
    siteMethods = getPrototypeOf(sites[0]);
    return null;
  };
  new NativeError();
  NativeError.prepareStackTrace = prepare;
  deleteProperty(NativeError, "prepareStackTrace");
  define(NativeError, "stackTraceLimit", 10);
  const capture = function (object, until) {
    if (!isObject(object)) throw new NativeTypeError("Invalid argument");
    grabbed = null;
    captureStackTrace({ __proto__: null }, until);
    const sites = grabbed;
    grabbed = undefined;
    record(object, sites);
  };
  define(NativeError, "captureStackTrace", native(capture, "captureStackTrace", 2), false);
  deleteProperty(ErrorPrototype, "stack");
  // Errors that the engine makes when there is no room to record them.
  defineProperty(RangeErrorPrototype, "stack", stackAccessor);
  defineProperty(InternalError.prototype, "stack", stackAccessor);
};

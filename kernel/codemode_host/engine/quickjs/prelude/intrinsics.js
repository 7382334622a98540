// The prelude: all that a cell finds on its global object beside the language itself.
//
// The files of this folder are fragments of one strict function, joined in the order that
// `realm.py` lists and run before the cell with the host functions as argument `host`. The cell's
// code may replace anything it can reach, so nothing here may depend on what it can reach:
// intrinsics are captured first and called through the captured `apply`; descriptors and records
// have no prototype; nothing is read from or written to an array or object by a key that it may
// lack; no spread, no array pattern, no `for...of` over data of our own, no template literal.
//
// Every string for Python is the direct result of the captured `JSON.stringify`: the binding
// cannot take the ropes that `+` makes, nor NUL, nor lone surrogates.

const { parse, stringify } = JSON;
const {
  apply,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  setPrototypeOf,
} = Reflect;
const NativeError = Error;
const ErrorPrototype = Error.prototype;
const RangeErrorPrototype = RangeError.prototype;
const ReferenceErrorPrototype = ReferenceError.prototype;
const SyntaxErrorPrototype = SyntaxError.prototype;
const NativeMap = Map;
const NativePromise = Promise;
const NativeSet = Set;
const NativeTypeError = TypeError;
const { isArray } = Array;
const { isError } = Error;
const { bind } = Function.prototype;
const { get: mapGet, set: mapSet, delete: mapDelete } = Map.prototype;
const { isFinite: isFiniteNumber, isInteger } = Number;
const { toFixed } = Number.prototype;
const toBigInt = BigInt;
const { trunc } = Math;
const { withResolvers } = Promise;
const { then } = Promise.prototype;
const { exec } = RegExp.prototype;
const { has: setHas } = Set.prototype;
const { fromCharCode } = String;
const {
  charCodeAt,
  indexOf,
  normalize,
  padEnd,
  padStart,
  slice,
  toLowerCase,
  toWellFormed,
} = String.prototype;
const { get: weakGet, set: weakSet } = WeakMap.prototype;
const iteratorKey = Symbol.iterator;
const toText = String;

const isObject = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function";
/** `ToString`; template literals would call the cell's own `String.prototype.concat`. */
const textOf = (value) => {
  if (typeof value === "symbol") {
    throw new NativeTypeError("Cannot convert a Symbol value to a string");
  }
  return toText(value);
};
const wellFormed = (text) => apply(toWellFormed, text, []);
const has = (object, key) => getOwnPropertyDescriptor(object, key) !== undefined;

/** The value of a plain own data property, without running any code of the cell. */
const ownValue = (object, key) => {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor === undefined ? undefined : descriptor.value;
};

const define = (object, key, value, enumerable = true) =>
  defineProperty(object, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable,
    configurable: true,
  });

const rename = (target, name) =>
  defineProperty(target, "name", {
    __proto__: null,
    value: name,
    writable: false,
    enumerable: false,
    configurable: true,
  });

/** `target` as a function of the engine's own kind: its source hidden, without a `this`. */
const native = (target, name = "", length = 0) => {
  const bound = apply(bind, target, [undefined]);
  rename(bound, name);
  defineProperty(bound, "length", { __proto__: null, value: length });
  return bound;
};

/** As `native`, and a constructor with a prototype of its own, as the helpers are. */
const helper = (target) => {
  const bound = native(target);
  const prototype = {};
  define(prototype, "constructor", bound, false);
  defineProperty(bound, "prototype", {
    __proto__: null,
    value: prototype,
    writable: true,
    enumerable: false,
    configurable: false,
  });
  return bound;
};

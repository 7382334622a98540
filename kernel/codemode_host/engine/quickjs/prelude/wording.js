// The engine's messages in V8's words, where one can be told from the other.
//
// Scripts and models know V8's. Most of the engine's messages name less than V8's do and stay as
// they are; which is which was read off both engines. A message that a script made itself could be
// one of the engine's, word for word: it would be changed as well, and mean the same.

const SAME_MEANING = new NativeMap([
  ["Date value is NaN", "Invalid time value"],
  ["break must be inside loop or switch", "Illegal break statement"],
  ["cannot convert symbol to number", "Cannot convert a Symbol value to a number"],
  ["cannot convert symbol to string", "Cannot convert a Symbol value to a string"],
  ["circular reference", "Converting circular structure to JSON"],
  ["continue must be inside loop", "Illegal continue statement: no surrounding iteration statement"],
  ["empty array", "Reduce of empty array with no initial value"],
  ["expecting ')'", "missing ) after argument list"],
  ["function name expected", "Function statements require a function name"],
  ["invalid array length", "Invalid array length"],
  ["invalid assignment left-hand side", "Invalid left-hand side in assignment"],
  ["invalid string length", "Invalid string length"],
  ["missing initializer for variable", "Missing initializer in const declaration"],
  ["return not in a function", "Illegal return statement"],
  ["string too long", "Invalid string length"],
  ["unexpected end of regexp", "Invalid regular expression: missing /"],
  ["unexpected end of string", "Invalid or unexpected token"],
  ["unexpected token in expression: ''", "Unexpected end of input"],
]);

const READ = /^cannot read property '([^]*)' of (null|undefined)$/;
const WRITTEN = /^cannot set property '([^]*)' of (null|undefined)$/;
const UNINITIALIZED = /^([^ ]+) is not initialized$/;
const TOKEN = /^unexpected token in expression: ('[^]+')$/;

/** What `phrase` makes of the groups of `pattern` in `message`; undefined without a match. */
const rephrase = (pattern, message, phrase) => {
  const found = apply(exec, pattern, [message]);
  return found === null ? undefined : phrase(ownValue(found, "1"), ownValue(found, "2"));
};

const inV8Words = (message) =>
  apply(mapGet, SAME_MEANING, [message]) ??
  rephrase(READ, message, (key, nothing) =>
    key === "Symbol.iterator"
      ? nothing + " is not iterable"
      : "Cannot read properties of " + nothing + " (reading '" + key + "')",
  ) ??
  rephrase(
    WRITTEN,
    message,
    (key, nothing) => "Cannot set properties of " + nothing + " (setting '" + key + "')",
  ) ??
  rephrase(UNINITIALIZED, message, (name) => "Cannot access '" + name + "' before initialization") ??
  rephrase(TOKEN, message, (token) => "Unexpected token " + token);

/** Puts V8's words into an error of the engine; `site` is where it was made, if in the cell. */
const reword = (error, site) => {
  const prototype = getPrototypeOf(error);
  if (prototype === ErrorPrototype) return;
  const message = ownValue(error, "message");
  if (typeof message !== "string") return;
  let better = inV8Words(message);
  if (message === "not a function" && site !== undefined && !isNative(site)) {
    better = host.wordCallee(lineOf(site), apply(siteMethods.getColumnNumber, site, [])) ?? undefined;
  }
  if (better === undefined) return;
  define(error, "message", better, false);
  if (message === "string too long") setPrototypeOf(error, RangeErrorPrototype);
};

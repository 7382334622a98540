// The engine's messages in V8's words, where one can be told from the other.
//
// Scripts and models know V8's. Most of the engine's messages name less than V8's do and stay as
// they are; which is which was read off both engines. A message that a script made itself could be
// one of the engine's, word for word: it would be changed as well, and mean the same.

const SAME_MEANING = new NativeMap([
  ["'super' is only valid in a method", "'super' keyword unexpected here"],
  ["BigInt are forbidden in JSON.stringify", "Do not know how to serialize a BigInt"],
  ["Date value is NaN", "Invalid time value"],
  ["break must be inside loop or switch", "Illegal break statement"],
  [
    "cannot delete a direct reference in strict mode",
    "Delete of an unqualified identifier in strict mode.",
  ],
  ["cannot convert symbol to number", "Cannot convert a Symbol value to a number"],
  ["cannot convert symbol to string", "Cannot convert a Symbol value to a string"],
  ["circular reference", "Converting circular structure to JSON"],
  ["continue must be inside loop", "Illegal continue statement: no surrounding iteration statement"],
  ["empty array", "Reduce of empty array with no initial value"],
  ["expecting ')'", "missing ) after argument list"],
  ["expecting hex digit", "URI malformed"],
  ["function name expected", "Function statements require a function name"],
  ["invalid array length", "Invalid array length"],
  ["invalid assignment left-hand side", "Invalid left-hand side in assignment"],
  ["invalid keyword: with", "Strict mode code may not include a with statement"],
  ["invalid string length", "Invalid string length"],
  ["missing initializer for variable", "Missing initializer in const declaration"],
  ["new.target only allowed within functions", "new.target expression is not allowed here"],
  ["return not in a function", "Illegal return statement"],
  ["string too long", "Invalid string length"],
  ["unexpected 'yield' keyword", "Unexpected strict mode reserved word"],
  ["unexpected end of regexp", "Invalid regular expression: missing /"],
  ["unexpected end of string", "Invalid or unexpected token"],
  ["unexpected token in expression: ''", "Unexpected end of input"],
]);

/** Prototypes of the errors that the engine makes; classes of the cell's own have others. */
const ENGINE_ERRORS = new NativeSet([
  TypeError.prototype,
  RangeErrorPrototype,
  ReferenceErrorPrototype,
  SyntaxErrorPrototype,
  URIError.prototype,
  InternalError.prototype,
]);

const READ = /^cannot read property '([^]*)' of (null|undefined)$/;
const WRITTEN = /^cannot set property '([^]*)' of (null|undefined)$/;
const UNINITIALIZED = /^([^ ]+) is not initialized$/;
const NOT_CALLABLE = "class constructors must be invoked with 'new'";
const READ_ONLY = /^'([^]+)' is read-only$/;
const REDECLARED = /^invalid redefinition of /;
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

const nameOf = (site) => apply(siteMethods.getFunctionName, site, []);

/** The message that needs to know where the error was made: at `place`, in a frame or not. */
const inV8WordsAt = (message, place) => {
  if (message === NOT_CALLABLE) {
    return "Class constructor " + nameOf(place) + " cannot be invoked without 'new'";
  }
  if (isNative(place)) return null;
  const line = lineOf(place);
  const column = apply(siteMethods.getColumnNumber, place, []);
  if (message === "not a function") return host.wordCall(line, column);
  if (apply(exec, REDECLARED, [message]) !== null) return host.wordDeclaration(line, column);
  const found = apply(exec, READ_ONLY, [message]);
  return found === null ? null : host.wordAssignment(line, column, stringify(ownValue(found, "1")));
};

/** Puts V8's words into an error of the engine that was made at `place`, if that is known. */
const reword = (error, place) => {
  if (!apply(setHas, ENGINE_ERRORS, [getPrototypeOf(error)])) return;
  const message = ownValue(error, "message");
  if (typeof message !== "string") return;
  const better = inV8Words(message) ?? (place === undefined ? null : inV8WordsAt(message, place));
  if (better === null) return;
  define(error, "message", better, false);
  if (message === "string too long") setPrototypeOf(error, RangeErrorPrototype);
};

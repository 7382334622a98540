// Values into text: what `text` shows, what is stored or sent to a tool, what an error says.

/** The error text of anything thrown: its `stack` if that is a string, else `String(it)`. */
const describe = (thrown) => {
  if (typeof thrown === "symbol") return "";
  try {
    const stack = isObject(thrown) ? thrown.stack : undefined;
    return typeof stack === "string" ? stack : textOf(thrown);
  } catch {
    // V8 gives up silently where there is no conversion, and hangs where it throws.
    return typeof thrown.toString === "function" ? "unknown code mode exception" : "";
  }
};

const display = (value) => {
  if (!isObject(value) && typeof value !== "symbol") return wellFormed(textOf(value));
  let json;
  try {
    json = stringify(value);
  } catch (error) {
    throw describe(error);
  }
  return json === undefined ? "undefined" : json;
};

const serialize = (value) => {
  let json;
  try {
    json = stringify(value);
  } catch (error) {
    throw describe(error);
  }
  if (json === undefined) {
    throw "failed to serialize JavaScript value: expected value at line 1 column 1";
  }
  return json;
};

/** Host functions that can refuse return the reason; helpers throw it as it is (contract 9). */
const must = (refusal) => {
  if (refusal !== null) throw refusal;
};

const PIECE = 1 << 20;

/** Emits a text item; a long one goes over in pieces, so that the heap need not hold it thrice. */
const emitText = (text) => {
  let start = 0;
  while (text.length - start > PIECE) {
    const unit = apply(charCodeAt, text, [start + PIECE - 1]);
    const end = start + PIECE + (unit >= 0xd800 && unit < 0xdc00 ? 1 : 0); // keep pairs whole
    must(host.addText(stringify(apply(slice, text, [start, end])), start === 0));
    start = end;
  }
  must(host.emitText(stringify(start === 0 ? text : apply(slice, text, [start])), start === 0));
};

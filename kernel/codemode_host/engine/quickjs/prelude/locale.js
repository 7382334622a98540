// The little of a locale that scripts use without naming `Intl`, which the engine lacks: numbers
// and the order of texts, as in American English, whatever locale is asked for. Of the options the
// numbers of decimals, `numeric` and the sensitivities `base` and `accent` count; the engine by
// itself ignores all.

const optionOf = (options, name) => (isObject(options) ? options[name] : undefined);

/** `digits` in groups of three. */
const grouped = (digits) => {
  let text = "";
  let end = digits.length;
  for (; end > 3; end -= 3) text = "," + apply(slice, digits, [end - 3, end]) + text;
  return apply(slice, digits, [0, end]) + text;
};

/** A finite number >= 0 with `least` to `most` decimals; halves go up, as they are written. */
const decimal = (number, least, most) => {
  const plain = number < 1e21 && (number === 0 || number >= 1e-6);
  const written = plain ? textOf(number) : apply(toFixed, number, [most]);
  const point = apply(indexOf, written, ["."]);
  const whole = point < 0 ? written : apply(slice, written, [0, point]);
  const fraction = point < 0 ? "" : apply(slice, written, [point + 1]);
  const kept = apply(padEnd, apply(slice, fraction, [0, most]), [most, "0"]);
  const up = fraction.length > most && apply(charCodeAt, fraction, [most]) >= 53; // "5"
  const scaled = apply(padStart, textOf(toBigInt(whole + kept) + (up ? 1n : 0n)), [most + 1, "0"]);
  const cut = scaled.length - most;
  let end = scaled.length;
  while (end > cut + least && apply(charCodeAt, scaled, [end - 1]) === 48) end--; // "0"
  const decimals = end > cut ? "." + apply(slice, scaled, [cut, end]) : "";
  return grouped(apply(slice, scaled, [0, cut])) + decimals;
};

const localNumber = (number, options) => {
  if (number !== number) return "NaN";
  const size = number < 0 ? -number : number;
  const sign = number < 0 || 1 / number < 0 ? "-" : "";
  if (size === Infinity) return sign + "∞";
  const least = optionOf(options, "minimumFractionDigits");
  const most = optionOf(options, "maximumFractionDigits") ?? (least > 3 ? least : 3);
  if (size >= 1e21) return sign + grouped(textOf(toBigInt(size)));
  return sign + decimal(size, least ?? 0, most);
};

const MARKS = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"; // in their order; before digits and letters

/** Where a code unit of a decomposed text stands in the order; accents stand nowhere: 0. */
const rankOf = (unit) => {
  if (unit >= 0x300 && unit < 0x370) return 0;
  if (unit <= 32) return 1;
  const mark = apply(indexOf, MARKS, [fromCharCode(unit)]);
  if (mark >= 0) return 2 + mark;
  if (unit >= 65 && unit <= 90) return 100 + unit + 32; // capitals as small letters
  return 100 + unit;
};

const isDigitAt = (text, index) => {
  const unit = apply(charCodeAt, text, [index]);
  return unit >= 48 && unit <= 57;
};

/** Where the digits that start at `start` end. */
const endOfDigits = (text, start) => {
  let end = start;
  while (isDigitAt(text, end)) end++;
  return end;
};

const skipAccents = (text, index) => {
  let next = index;
  while (next < text.length && rankOf(apply(charCodeAt, text, [next])) === 0) next++;
  return next;
};

/** -1, 0 or 1 by letters alone; with `numeric`, runs of digits count as numbers. */
const compareLetters = (left, right, numeric) => {
  let i = skipAccents(left, 0);
  let j = skipAccents(right, 0);
  while (i < left.length && j < right.length) {
    let difference;
    if (numeric && isDigitAt(left, i) && isDigitAt(right, j)) {
      const ends = [endOfDigits(left, i), endOfDigits(right, j)];
      const one = toBigInt(apply(slice, left, [i, ends[0]]));
      const other = toBigInt(apply(slice, right, [j, ends[1]]));
      difference = one < other ? -1 : one > other ? 1 : 0;
      i = skipAccents(left, ends[0]);
      j = skipAccents(right, ends[1]);
    } else {
      difference = rankOf(apply(charCodeAt, left, [i])) - rankOf(apply(charCodeAt, right, [j]));
      i = skipAccents(left, i + 1);
      j = skipAccents(right, j + 1);
    }
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return i < left.length ? 1 : j < right.length ? -1 : 0;
};

const compareTexts = (one, other, options) => {
  const left = apply(normalize, one, ["NFD"]);
  const right = apply(normalize, other, ["NFD"]);
  const letters = compareLetters(left, right, optionOf(options, "numeric") === true);
  const sensitivity = optionOf(options, "sensitivity");
  if (letters !== 0 || sensitivity === "base" || left === right) return letters;
  const small = [apply(toLowerCase, left, []), apply(toLowerCase, right, [])];
  if (small[0] !== small[1]) return small[0] < small[1] ? -1 : 1;
  if (sensitivity === "accent") return 0;
  return left > right ? -1 : 1; // small letters come first
};

{
  const { valueOf: numberOf } = Number.prototype;
  const { valueOf: bigIntOf } = BigInt.prototype;
  const methods = {
    number: {
      toLocaleString(locales = undefined, options = undefined) {
        return localNumber(apply(numberOf, this, []), options);
      },
    },
    bigInt: {
      toLocaleString(locales = undefined, options = undefined) {
        const number = apply(bigIntOf, this, []);
        return (number < 0n ? "-" : "") + grouped(textOf(number < 0n ? -number : number));
      },
    },
    string: {
      localeCompare(that, locales = undefined, options = undefined) {
        if (this === undefined || this === null) {
          throw new NativeTypeError("String.prototype.localeCompare called on null or undefined");
        }
        return compareTexts(textOf(this), textOf(that), options);
      },
    },
  };
  define(Number.prototype, "toLocaleString", methods.number.toLocaleString, false);
  define(BigInt.prototype, "toLocaleString", methods.bigInt.toLocaleString, false);
  define(String.prototype, "localeCompare", methods.string.localeCompare, false);
}

"""The part of the language itself that is worth offering."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


STATEMENTS = _words(
    "const let for while do if else switch case default break continue function class try "
    "catch finally throw return"
)

EXPRESSIONS = _words("await async new typeof void delete null true false this")

GLOBALS = _words(
    "Array ArrayBuffer BigInt Boolean DataView Date Error Infinity Intl Iterator JSON Map "
    "Math NaN Number Object Promise Proxy RangeError Reflect RegExp Set String Symbol "
    "SyntaxError TypeError Uint8Array WeakMap WeakRef WeakSet decodeURIComponent "
    "encodeURIComponent globalThis isFinite isNaN parseFloat parseInt undefined"
)

STATIC_MEMBERS = {
    "Array": "from fromAsync isArray of",
    "Date": "UTC now parse",
    "JSON": "parse stringify",
    "Math": "E PI abs ceil cos exp floor hypot log log10 log2 max min pow random round sign sin "
    "sqrt tan trunc",
    "Number": "EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER isFinite isInteger isNaN isSafeInteger "
    "parseFloat parseInt",
    "Object": "assign entries freeze fromEntries groupBy hasOwn keys values",
    "Promise": "all allSettled any race reject resolve withResolvers",
    "String": "fromCharCode fromCodePoint raw",
}
"""Members of standard objects, by the name of the object."""

ARRAY_MEMBERS = _words(
    "at concat entries every filter find findIndex findLast flat flatMap forEach includes "
    "indexOf join keys length map pop push reduce reverse shift slice some sort splice "
    "toReversed toSorted unshift values with"
)

STRING_MEMBERS = _words(
    "at charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf length "
    "localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search "
    "slice split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart"
)

PROMISE_MEMBERS = _words("catch finally then")

KEEPING = _words("concat filter reverse slice sort splice toReversed toSorted")
"""Methods of an array that give an array of the same items."""

PICKING = _words("at find findLast pop shift")
"""Methods of an array that give one of its items."""

VISITING = _words("every filter find findIndex findLast findLastIndex flatMap forEach map some")
"""Methods of an array whose callback gets an item first."""

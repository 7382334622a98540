"""Unicode white space as the reference trims it.

`str.strip()` without an argument would also take the separators U+001C to U+001F.
"""

from __future__ import annotations

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Every code point with the property White_Space, to be handed to `strip` and its kin."""

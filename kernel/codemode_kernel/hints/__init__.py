"""One line for the person when a cell went wrong in a way that is typical, or did nothing.

Sans-I/O: `rules.hint_for` looks at `facts.Facts` (the source, how it ended, what its tool calls
came to) and gives one sentence or None. Rules are small functions in one table; each file has the
rules of one subject. They are imported with the first cell that is worth a look. A hint is never
part of what a model gets, and no rule speaks of a script that works as it was meant to: it wants
the error's own words, a call that was cut off, or silence.
"""

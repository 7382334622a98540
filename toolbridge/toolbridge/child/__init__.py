"""Tools that live in another Python process: the channel between it and this one.

One connected stream socket joins the two, apart from anything else the process does: a call gets
through while the process runs other code, and its end is noticed at once. `messages` is the whole
protocol. The process runs a `server` (who calls, what is printed meanwhile); this side is
`toolbridge.sources.python_child`.

The process announces its tools whenever they change and answers a `Sync` only after that, so who
has waited for a `Synced` knows the tools of everything that ran before.
"""

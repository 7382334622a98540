"""Content items as outputs: bundles, tables, tracebacks, and the messages that carry them.

`outputs` is what one notebook cell shows. Its texts go through a `coalescer`, all else becomes one
of `bundles`, `tables` or a `traceback`; a `publisher` sends it as an answer to the cell's request.
"""

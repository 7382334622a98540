"""Content items as outputs: bundles, tables, tracebacks, and the messages that carry them."""

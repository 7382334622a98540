"""What a cell's tool calls are doing, drawn under the cell while it runs."""

from codemode_kernel.trace.traces import Traces

__all__ = ["Traces"]

"""Cells on a host: what a session starts, observes, collects and ends. Knows no notebook.

`session` is the way in for people, `model_calls` for models. It drives `cells` on one host
(`driver`) and runs their nested `calls` (`tool_calls`). An `observer` gathers one `observation` of
a cell until its `deadline`; what nobody observes is `waiting`, or is among the `notifications`.
Whoever else wants to know is told by `events`.
"""

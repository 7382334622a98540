"""Cells on a host: what a session starts, observes, collects and ends. Knows no notebook."""

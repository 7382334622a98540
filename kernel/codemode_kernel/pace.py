"""How often what a person watches is drawn anew."""

PERIOD_S = 0.25
"""Shortest time between two states of one thing that is shown, in seconds."""

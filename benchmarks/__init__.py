"""Measurements of the kernel and the host beside their peers, in one run on one machine.

Rounds of the measured programs alternate, so that a change in the machine's load meets them all:
read the ratios, not the absolute figures. `python -m benchmarks` (or `make bench`) runs everything.
"""

"""Sixty faults of rings and hosts, and whether the promise of PROTOCOL.md that each breaks notices it."""

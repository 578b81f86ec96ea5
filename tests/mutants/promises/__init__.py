"""Sixty faults of rings and hosts, each of which the promise of PROTOCOL.md that it breaks should detect."""

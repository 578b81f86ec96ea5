"""Sixty faults of rings and hosts: each should be detected by the promise of PROTOCOL.md that it breaks."""

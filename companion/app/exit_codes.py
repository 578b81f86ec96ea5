"""How a command ends: its status, and the one line that says why."""

from __future__ import annotations

FINE, FAILED, BAD_USE, INTERRUPTED = 0, 1, 2, 130


class BadUse(Exception):
    """Bad usage or bad input: one clear line for standard error, status 2."""


class Failed(Exception):
    """Something failed that was asked for rightly: one clear line for standard error, status 1."""

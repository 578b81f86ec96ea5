"""Sees to it that the house has descriptors enough for its connections, its ledger and its ring."""

from __future__ import annotations

import resource

WANTED = 1024  # not more: pyserial waits by select(), which cannot name a higher one


def descriptors(wanted: int = WANTED) -> int:
    """Return how many descriptors this process may hold, *wanted* of them where the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft

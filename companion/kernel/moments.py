"""Moments in text that knows no reader: on a terminal, in a report, in a file. Pages show the device's own zone."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def in_utc(wall: float) -> str:
    """Return a moment in ISO's way, in UTC.

    >>> in_utc(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(wall, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def in_utc_ms(wall_ms: int) -> str:
    """Return a moment in ISO's way, in UTC, to the millisecond.

    >>> in_utc_ms(1_764_099_000_250)
    '2025-11-25T19:30:00.250Z'
    """
    return f"{in_utc(wall_ms // 1000).removesuffix('Z')}.{wall_ms % 1000:03}Z"


def in_this_zone(wall: float) -> str:
    """Return a moment in this machine's zone, which is named: `2026-11-25 20:15 CET`."""
    return time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(wall))


def date_in_this_zone(wall: float) -> str:
    """Return the date of a moment in this machine's zone, which is named: `2026-11-25 CET`."""
    return time.strftime("%Y-%m-%d %Z", time.localtime(wall))


def for_file_names(wall: float) -> str:
    """Return a moment in UTC without signs that a file system minds: `20261125-191500Z`."""
    return datetime.fromtimestamp(wall, UTC).strftime("%Y%m%d-%H%M%SZ")

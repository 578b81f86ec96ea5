"""Format times for terminals, reports and files. Web pages use the time zone of the device instead."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def in_utc(wall: float) -> str:
    """Return a time as ISO 8601 in UTC. *wall* is in seconds since 1970.

    >>> in_utc(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(wall, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def in_utc_ms(wall_ms: int) -> str:
    """Return a time as ISO 8601 in UTC, to the millisecond. *wall_ms* is in milliseconds since 1970.

    >>> in_utc_ms(1_764_099_000_250)
    '2025-11-25T19:30:00.250Z'
    """
    return f"{in_utc(wall_ms // 1000).removesuffix('Z')}.{wall_ms % 1000:03}Z"


def in_this_zone(wall: float) -> str:
    """Return a time in this machine's time zone: `2026-11-25 20:15 CET`."""
    return time.strftime("%Y-%m-%d %H:%M %Z", time.localtime(wall))


def date_in_this_zone(wall: float) -> str:
    """Return a date in this machine's time zone: `2026-11-25 CET`."""
    return time.strftime("%Y-%m-%d %Z", time.localtime(wall))


def for_file_names(wall: float) -> str:
    """Return a time in UTC without characters that a file system may reject: `20261125-191500Z`."""
    return datetime.fromtimestamp(wall, UTC).strftime("%Y%m%d-%H%M%SZ")

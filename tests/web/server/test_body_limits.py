"""Request bodies must arrive at a minimum speed."""

from __future__ import annotations

import pytest

from web.server.body_limits import BodyDeadline
from web.server.gateway import IMPORT_MOST


def lasts(size: int, bytes_a_second: int, every_s: float = 1.0) -> float | None:
    """Return when a body of *size*, with one part *every_s*, times out, or None if it arrives."""
    pace, now = BodyDeadline(0.0), 0.0
    while size > 0:
        now += every_s
        if now > pace.until:
            return pace.until
        part = min(size, round(bytes_a_second * every_s))
        pace.came(part, now)
        size -= part
    return None


@pytest.mark.parametrize("every_s", [0.1, 1.0, 9.5])
def test_the_longest_record_passes_over_poor_wifi(every_s: float) -> None:
    """Pace: 8 MiB at 8 kB/s arrive, in small parts or in large ones."""
    assert lasts(IMPORT_MOST, 8000, every_s) is None


@pytest.mark.parametrize(("speed", "ends_s"), [(1, 10.1), (800, 12), (4000, 21), (7000, 81)])
def test_what_comes_more_slowly_ends(speed: int, ends_s: float) -> None:
    """Pace: the slower a body, the sooner it times out; one byte a second doesn't extend the time."""
    end = lasts(IMPORT_MOST, speed)

    assert end is not None
    assert end < ends_s


def test_what_came_fast_may_not_rest_on_it() -> None:
    """Pace: after megabytes in a second, ten seconds without data are a timeout."""
    pace = BodyDeadline(0.0)

    assert pace.came(IMPORT_MOST - 1, now=1.0) == 11.0

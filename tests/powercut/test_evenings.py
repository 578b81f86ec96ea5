"""Power cuts during games: a part of `python -m tests.powercut`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.powercut.evening import Evening
from tests.powercut.moments import cut_at
from tests.powercut.mounting import why_not
from tests.powercut.storage import ForgetfulDisk, OrdinaryFolder

MOST_LIVES = 40
"""On a busy machine the power may fail before much was done, so an evening has up to this number of cuts."""


@pytest.mark.parametrize(("ring", "cuts"), [(False, 6), (True, 4)], ids=["typed in", "with a ring"])
def test_nothing_that_was_shown_is_lost(tmp_path: Path, ring: bool, cuts: int) -> None:
    """After each power cut everything that was shown is stored exactly once, and no file is truncated or damaged."""
    if reason := why_not():
        pytest.skip(reason)
    lots = Random(7)
    with ForgetfulDisk(tmp_path / "disk") as storage:
        evening = Evening(storage, tmp_path, lots, ring)
        try:
            found = [evening.life(cut_at(lots)).left.faults for _ in range(cuts)]
            while evening.hands.acknowledged <= cuts and len(found) < MOST_LIVES:
                found.append(evening.life(cut_at(lots)).left.faults)
            at_the_end = evening.finish()
        finally:
            evening.close()

    assert [fault for faults in found for fault in faults] == []
    assert at_the_end == []
    assert evening.hands.acknowledged > cuts


def test_what_leaves_the_ring_as_the_evening_ends_is_not_lost(tmp_path: Path) -> None:
    """Cubes that leave the ring while the service stops are stored if they left before it ended."""
    one: dict[str, object] = {"slide": 1, "colours": ["red"]}
    stream = [{"wait_for": "armed"}, {"slide": 1}, *[{"wait_ms": 25}, one] * 40]
    evening = Evening(OrdinaryFolder(tmp_path / "disk"), tmp_path, Random(0), ring=True, slides=stream * 12)
    try:
        evening.begin_older()
        before = len(evening.shown.rows)
        at_the_end = evening.finish(moves=8)
    finally:
        evening.close()

    assert at_the_end == []
    assert len(evening.shown.rows) > before

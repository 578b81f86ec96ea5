"""The light of the room: a change between two draws gives a notice, and never changes a colour by guessing."""

from __future__ import annotations

import pytest

from companion.model.snapshot import LIGHT
from tests.companion.live_table import LiveTable


def test_changed_light_is_a_notice_that_stays_over_the_draw(live_table: LiveTable) -> None:
    """Light: if the room's lamps change between two draws, both draws count, and a notice says so."""
    live = live_table.open().dig(3).slide("red", room=0.02).slide("red", room=0.30)
    notice = live.snapshot.newest_notice

    assert notice is not None
    assert notice.kind == LIGHT
    assert "The light changed since the draw before." in notice.text
    assert [line["colour"] for line in live.lines() if line["do"] == "draw"] == ["red", "red"]


@pytest.mark.parametrize(
    ("first", "second"),
    [(0.02, 0.06), (0.30, 0.30), (None, 0.30), (0.30, None), ("bright", 0.30), (0.02, True)],
)
def test_other_light_is_no_notice(first: object, second: object, live_table: LiveTable) -> None:
    """Light: a small change gives no notice, and neither does a ring that doesn't report the room's light."""
    details = [{} if room is None else {"room": room} for room in (first, second)]
    live = live_table.open().dig(3).slide("red", **details[0]).slide("red", **details[1])

    assert LIGHT not in live.notices


def test_a_change_over_a_long_time_is_no_notice(live_table: LiveTable) -> None:
    """Light: only a change within two minutes gives a notice, since it gets dark in the course of an evening."""
    live = live_table.open().dig(3).slide("red", room=0.30)
    live.seq += 120_001
    live.slide("red", room=0.02)

    assert LIGHT not in live.notices

"""PROTOCOL: the page alone is enough, and what it spells out is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.colour.channels import BLACK_CARD, NOMINAL
from firmware_bridge.device.controller import LEAST_BEAT_MS, MOST_BEAT_MS
from firmware_bridge.device.detector import BOUNCES, LIMITS, TABLE

PAGE = (Path(__file__).resolve().parents[3] / "hardware" / "PROTOCOL.md").read_text(encoding="utf-8")
STATES = {"idle": "nothing"}


def rows(heading: str) -> list[list[str]]:
    """The rows of the table whose first line is *heading*, cell by cell."""
    table = PAGE.partition(heading + "\n")[2].partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def test_nothing_on_the_page_points_into_the_source():
    """Whoever builds a device has the page and the vectors: no module and no test of ours is named there."""
    assert re.findall(r"tests/|firmware_bridge|\w+\.py\b", PAGE) == []


def test_the_colours_of_a_simulated_ring_are_on_the_page():
    """Each name with what its paint throws back, as a host without a calibration judges it."""
    told = {name.strip("`"): tuple(map(float, rest)) for name, *rest in rows("| colour | red | green | blue | clear |")}

    assert told == NOMINAL
    assert f"its black card\n{BLACK_CARD[3]} in all channels" in PAGE


def test_the_states_of_the_beams_are_on_the_page():
    """Every state and edge with what comes next, and whether that is a bounce."""
    told = {
        (state, edge): (following, brings)
        for state, edge, following, brings in rows("| state | edge | next | what it brings |")
    }

    known = {(STATES.get(state, state), edge): STATES.get(after, after) for (state, edge), (after, _) in TABLE.items()}
    assert {step: following for step, (following, _) in told.items()} == known
    bounces = {step for step, (_, brings) in told.items() if brings == "a bounce"}
    assert bounces == set(BOUNCES)


@pytest.mark.parametrize(("name", "limits"), LIMITS.items())
def test_the_limits_of_the_settings_are_on_the_page(name, limits):
    """Each setting with its least and its most."""
    (row,) = [row for row in rows("| setting | unit | at first | limits | meaning |") if row[0] == f"`{name}`"]

    assert row[3] == f"{limits[0]} to {limits[1]}"


def test_the_limits_of_the_heartbeat_are_on_the_page():
    """What is less than the least is taken for the least; what is more than the most is refused."""
    (row,) = [row for row in rows("| setting | unit | at first | limits | meaning |") if row[0] == "`beat`"]

    assert row[3] == f"at most {MOST_BEAT_MS}; what is less than {LEAST_BEAT_MS} is taken for {LEAST_BEAT_MS}"

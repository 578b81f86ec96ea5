"""PROTOCOL: the page is self-contained, and its tables match the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.colour.channels import BLACK_CARD, NOMINAL
from firmware_bridge.device.beam_recogniser import BOUNCES, LIMITS, TABLE
from firmware_bridge.device.controller import LEAST_BEAT_MS, MOST_BEAT_MS

PAGE = (Path(__file__).resolve().parents[3] / "hardware" / "PROTOCOL.md").read_text(encoding="utf-8")
STATES = {"idle": "nothing"}


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table with this *heading*, cell by cell."""
    table = PAGE.partition(heading + "\n")[2].partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def test_nothing_on_the_page_points_into_the_source():
    """The page names no module or test of ours, as builders of devices only have the page and the vectors."""
    assert re.findall(r"tests/|firmware_bridge|\w+\.py\b", PAGE) == []


def test_the_colours_of_a_simulated_ring_are_on_the_page():
    """The page lists the reflectance of each colour, as a host without a calibration assumes it."""
    told = {name.strip("`"): tuple(map(float, rest)) for name, *rest in rows("| colour | red | green | blue | clear |")}

    assert told == NOMINAL
    assert f"the black card has {BLACK_CARD[3]} in all channels" in " ".join(PAGE.split())


def test_the_states_of_the_beams_are_on_the_page():
    """The page lists every state and edge of the beams with the next state, and whether it is a bounce."""
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
    """The page lists each setting with its minimum and maximum."""
    (row,) = [row for row in rows("| setting | unit | at first | limits | meaning |") if row[0] == f"`{name}`"]

    assert row[3] == f"{limits[0]} to {limits[1]}"


def test_the_limits_of_the_heartbeat_are_on_the_page():
    """The page says that too short heartbeats are raised to the minimum, and that too long ones are refused."""
    (row,) = [row for row in rows("| setting | unit | at first | limits | meaning |") if row[0] == "`beat`"]

    assert row[3] == f"at most {MOST_BEAT_MS}; what is less than {LEAST_BEAT_MS} is taken for {LEAST_BEAT_MS}"

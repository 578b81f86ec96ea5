"""Colours: the nearest reference, and no colour where two are as near or none is."""

from __future__ import annotations

import pytest

from firmware_bridge.colour import NearestReference, Reading
from firmware_bridge.passages import both_blocked, edges
from firmware_bridge.reflectance import BLACK_CARD, NOMINAL, WHITE_SHUTTER
from firmware_bridge.world import World, world

WORLDS = {
    "default": World(),
    "dim": world({"white_counts": 150, "drift": 0.6}),
    "bright": world({"white_counts": 700}),
    "warm": world({"lamp": "4100K"}),
    "daylight": world({"ambient": 0.4}),
}


def seen(place: World, channels) -> Reading:
    """What the sensor reads of something in a world."""
    return Reading([place.counts(channels)] * 3, place.counts(BLACK_CARD), place.counts(WHITE_SHUTTER))


def between(one: str, other: str):
    """A reflectance half way between two colours."""
    return tuple((a * b) ** 0.5 for a, b in zip(NOMINAL[one], NOMINAL[other], strict=True))


@pytest.mark.parametrize("place", WORLDS)
@pytest.mark.parametrize("colour", NOMINAL)
def test_every_colour_is_known_in_every_light(colour, place):
    """All nine, whatever lies under the ring, under any lamp."""
    judgement = NearestReference().judge(seen(WORLDS[place], NOMINAL[colour]), under={})

    assert judgement.colour == colour
    assert judgement.ranking[0][0] == colour


@pytest.mark.parametrize(("one", "other"), [("yellow", "wood"), ("blue", "purple"), ("orange", "red")])
def test_between_two_colours_the_judge_is_unsure(one, other):
    """No colour is named, and the two likeliest are offered."""
    judgement = NearestReference().judge(seen(World(), between(one, other)), under={one: 5})

    assert judgement.colour is None


def test_a_misplaced_cube_is_not_hidden_by_what_should_be_there():
    """A blue cube among reds is blue."""
    assert NearestReference().judge(seen(World(), NOMINAL["blue"]), under={"red": 9}).colour == "blue"


def test_a_colour_far_from_all_is_unknown():
    """A green laser is none of the nine."""
    assert NearestReference().judge(seen(World(), (0.0, 1.5, 0.0, 0.5)), under={}).colour is None


def test_without_a_frame_there_is_no_colour():
    """A cube too fast for the sensor is counted, and its colour asked for."""
    judgement = NearestReference().judge(Reading([], (0, 0, 0, 0), (1, 1, 1, 1)), under={})

    assert (judgement.colour, judgement.ranking) == (None, ())


def test_probabilities_are_likeliest_first_and_make_one():
    """The ranking holds every reference once."""
    ranking = NearestReference().judge(seen(World(), NOMINAL["red"]), under={}).ranking

    assert sorted(name for name, _ in ranking) == sorted(NOMINAL)
    assert [share for _, share in ranking] == sorted((share for _, share in ranking), reverse=True)
    assert sum(share for _, share in ranking) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("path", "interval"),
    [
        ("A+0,B+50,A-100,B-150", (50, 100)),
        ("A+0,B+50,B-70,B+80,A-100,B-150", (50, 100)),
        ("A+0,A-100", (0, -1)),
    ],
)
def test_full_frames_are_those_while_both_beams_are_blocked(path, interval):
    """Frames before and after show the board as well."""
    assert both_blocked(edges(path)) == interval

"""Colours: how the judge uses a calibration, and how it treats unknown colours."""

from __future__ import annotations

from dataclasses import replace
from operator import add
from random import Random

import pytest

from firmware_bridge.colour import CalibratedJudge, Calibration, Nominal, Pass, Reading, closeness, dot, leave_one_out
from firmware_bridge.colour.channels import BLACK_CARD, NOMINAL, WHITE_SHUTTER
from firmware_bridge.colour.normalise import own_zero
from firmware_bridge.passages.passage import edges, time_both_blocked
from firmware_bridge.simulation.evaluation.recognition import calibrated, read
from firmware_bridge.simulation.physics import Cube, PhysicsBench
from firmware_bridge.simulation.physics.world import IDEAL, World, world
from tests.firmware_bridge.simulation.stillness import counted

FIVE = ("red", "yellow", "green", "blue", "black")
SPEED = 100.0
DULL = {"orange": [0.52, 0.30, 0.18, 0.33], "yellow": [0.66, 0.52, 0.24, 0.48]}
WORLDS = {
    "default": World(),
    "dim": world({"white_counts": 150, "drift": 0.6}),
    "bright": world({"white_counts": 700}),
    "warm": world({"lamp": "4100K"}),
    "daylight": world({"ambient": 0.4}),
    "large cubes": world({"edge_mm": 10.0}),
}


def bench(place: World = WORLDS["default"], seed: int = 1) -> PhysicsBench:
    """Return a simulated gate in the world *place*, with the cubes of a copy."""
    return PhysicsBench(place, Random(seed))


def between(one: str, other: str):
    """Return a reflectance halfway between the colours *one* and *other*."""
    return tuple((a * b) ** 0.5 for a, b in zip(NOMINAL[one], NOMINAL[other], strict=True))


def still(place: World, channels) -> Reading:
    """Return the sensor's noiseless reading in *place* of a resting object with these *channels*."""
    frame, black, white = (counted(place, back) for back in (channels, BLACK_CARD, WHITE_SHUTTER))
    return Reading([frame] * 8, black, white)


@pytest.mark.parametrize("place", WORLDS)
def test_a_calibrated_judge_knows_every_cube_in_every_light(place):
    """Ten passes of four cubes per colour are enough to know all six cubes of five colours, in every world."""
    gate = bench(WORLDS[place])
    judge = CalibratedJudge(calibrated(gate, FIVE, passes=10, speed=SPEED))

    told = {(cube.colour, judge.judge(read(gate, cube, SPEED), {}).colour) for c in FIVE for cube in gate.cubes(c)}

    assert {read for shown, read in told if read != shown} <= {None}
    assert {shown for shown, read in told if read == shown} == set(FIVE)


@pytest.mark.parametrize("stranger", ["orange", "purple", "white"])
def test_a_colour_that_was_never_shown_is_unknown(stranger):
    """A colour that isn't calibrated is unknown: neither pose nor gloss makes it look like another."""
    gate = bench()
    judge = CalibratedJudge(calibrated(gate, FIVE, passes=10, speed=SPEED))

    judgements = [judge.judge(read(gate, cube, SPEED), {}) for cube in gate.cubes(stranger) * 5]

    assert {each.colour for each in judgements} == {None}
    assert sum(each.why == "unknown" for each in judgements) > 0.9 * len(judgements)


def test_a_stranger_with_a_name_is_not_taken_for_its_neighbour_in_dull_paint():
    """An uncalibrated colour with a known name is recognised as unknown, even if paints are more alike than usual.

    In these two copies, one or two orange cubes are rather yellow.
    """
    told = []
    for seed in (2, 17):
        gate = bench(world({"reflectance": DULL}), seed)
        judge = CalibratedJudge(calibrated(gate, FIVE, passes=10, speed=SPEED))
        told += [judge.judge(read(gate, cube, SPEED), {}).colour for cube in gate.cubes("orange") * 25]

    assert len(told) - told.count(None) <= 0.05 * len(told)


def test_a_taught_colour_that_looks_like_another_name_is_not_doubted():
    """A calibrated yellow that looks like the usual orange is read as yellow."""
    gate = bench(world({"reflectance": {"yellow": NOMINAL["orange"]}}))
    judge = CalibratedJudge(calibrated(gate, FIVE, passes=10, speed=SPEED))

    told = [judge.judge(read(gate, cube, SPEED), {}).colour for cube in gate.cubes("yellow") * 20]

    assert set(told) <= {"yellow", None}
    assert told.count(None) <= 0.02 * len(told)


@pytest.mark.parametrize(
    "later",
    [
        {"drift": 0.7},
        {"stray_mean": 0.25},
        {"ambient": 0.2, "ambient_modulation": 1.0},
        {"lamp": "4100K"},
        {"board": 0.8},
    ],
)
def test_what_changes_after_calibration_makes_unsure_but_not_wrong(later):
    """An ageing lamp, a dirty window or an opened curtain makes readings uncertain, but not wrong."""
    gate = bench(world({"after_calibration": later}))
    judge = CalibratedJudge(calibrated(gate, FIVE, passes=10, speed=SPEED))
    gate.age()

    judged = [
        (cube.colour, judge.judge(read(gate, cube, SPEED), {}).colour) for c in FIVE for cube in gate.cubes(c) * 4
    ]

    assert [each for each in judged if each[1] not in (None, each[0])] == []


def test_a_misplaced_cube_is_not_hidden_by_what_should_be_there():
    """A blue cube is read as blue even if only reds should be there."""
    gate = bench()
    judge = CalibratedJudge(calibrated(gate, FIVE, passes=10, speed=SPEED))

    assert judge.judge(read(gate, gate.cubes("blue")[0], SPEED), under={"red": 9}).colour == "blue"


def test_where_an_untaught_colour_lies_below_a_cube_must_be_nearer_to_be_sure_of():
    """With an uncalibrated colour below the ring fewer draws are certain, and none that is uncertain without it."""
    gate = bench()
    judge = CalibratedJudge(calibrated(gate, FIVE, passes=10, speed=SPEED))
    seen = [read(gate, cube, SPEED) for colour in FIVE for cube in gate.cubes(colour) * 10]

    taught = [judge.judge(each, {"red": 5}) for each in seen]
    untaught = [judge.judge(each, {"red": 5, "teal": 5}) for each in seen]

    assert sum(each.colour is None for each in untaught) > sum(each.colour is None for each in taught)
    assert all(one.colour is not None for one, other in zip(taught, untaught, strict=True) if other.colour)


def test_what_lies_below_orders_what_is_offered():
    """Of two possible colours, the one below the ring is offered first, but isn't taken for certain."""
    seen = still(World(), between("yellow", "orange"))

    assert Nominal().judge(seen, under={"orange": 5}).ranking[0][0] == "orange"
    assert Nominal().judge(seen, under={"yellow": 5}).ranking[0][0] == "yellow"
    assert Nominal().judge(seen, under={"yellow": 5}).colour is None


@pytest.mark.parametrize("place", WORLDS)
@pytest.mark.parametrize("colour", NOMINAL)
def test_names_alone_tell_nine_clean_colours_apart(colour, place):
    """Without calibration, a clean colour is known by its name, under any lamp."""
    judgement = Nominal().judge(still(WORLDS[place], NOMINAL[colour]), under={})

    assert judgement.ranking[0][0] == colour
    assert judgement.colour == colour


@pytest.mark.parametrize(("one", "other"), [("yellow", "wood"), ("blue", "purple"), ("orange", "red")])
def test_between_two_colours_the_judge_is_unsure(one, other):
    """Between two colours no colour is decided, and the reason is "ambiguous" or "unknown"."""
    judgement = Nominal().judge(still(World(), between(one, other)), under={one: 5})

    assert judgement.colour is None
    assert judgement.why in ("ambiguous", "unknown")


def test_a_colour_far_from_all_is_unknown():
    """A colour far from all nine is unknown."""
    judgement = Nominal().judge(still(World(), (0.0, 1.5, 0.0, 0.5)), under={})

    assert (judgement.colour, judgement.why) == (None, "unknown")
    assert judgement.unknown > 0.99


def test_without_a_frame_there_is_no_colour():
    """A passage without frames has no colour, and is "unread"."""
    judgement = Nominal().judge(Reading([], (0, 0, 0, 0), (1, 1, 1, 1)), under={})

    assert (judgement.colour, judgement.ranking, judgement.why) == (None, (), "unread")


def test_probabilities_are_likeliest_first_and_make_one():
    """The ranking contains every colour once, likeliest first, and its shares add up to 1."""
    judgement = Nominal().judge(still(World(), between("red", "orange")), under={})

    shares = [share for _, share in judgement.ranking]
    assert sorted(name for name, _ in judgement.ranking) == sorted(NOMINAL)
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1, abs=1e-3)


def test_a_judgement_names_its_calibration():
    """A classification names its calibration, for the log."""
    gate = bench()
    made = calibrated(gate, FIVE, passes=5, speed=SPEED)

    assert CalibratedJudge(made).judge(read(gate, gate.cubes("red")[0], SPEED), {}).calibration == made.id


def test_leaving_one_out_finds_a_good_calibration_good():
    """Leave-one-out classifies each pass by the others, and finds no errors in a good calibration."""
    confusion = leave_one_out(calibrated(bench(), FIVE, passes=10, speed=SPEED))

    assert {shown: read.get(shown, 0) for shown, read in confusion.items()} == dict.fromkeys(FIVE, 10)


def test_a_cube_of_another_colour_among_the_passes_shows_when_left_out():
    """In leave-one-out a blue cube among the passes of red is not read as red."""
    gate = bench()
    made = calibrated(gate, FIVE, passes=10, speed=SPEED)
    wrong = replace(next(each for each in made.passes if each.colour == "blue"), colour="red")
    at = next(n for n, each in enumerate(made.passes) if each.colour == "red")

    confusion = leave_one_out(replace(made, passes=(*made.passes[:at], wrong, *made.passes[at + 1 :])))

    assert confusion["red"].get("red", 0) < 10


def test_colours_that_look_alike_are_close():
    """Two similar paints are closer than four standard deviations, and the five usual paints are far apart."""
    alike = world({"reflectance": {"crimson": [0.30, 0.075, 0.085, 0.142]}})

    near = closeness(calibrated(bench(alike), ("red", "crimson", "blue"), passes=10, speed=SPEED))
    far = closeness(calibrated(bench(), FIVE, passes=10, speed=SPEED))

    assert near[0][:2] == ("red", "crimson")
    assert near[0][2] < 4
    assert far[0][2] > 6
    assert [distance for *_, distance in far] == sorted(distance for *_, distance in far)


def test_a_dot_stays_where_it_is_when_light_is_added():
    """A dot's position doesn't change with gloss, which only moves a colour towards white."""
    plain, glossy = (still(IDEAL, tuple(p + gloss for p in NOMINAL["red"])) for gloss in (0.0, 0.1))

    assert dot(plain)[:2] == pytest.approx(dot(glossy)[:2], abs=0.02)
    assert dot(glossy)[2] > dot(plain)[2] + 0.08


def test_a_ring_is_judged_by_its_own_white():
    """Half the light gives half the counts, but the same colour."""
    bright, dim = (still(world({"white_counts": counts}), NOMINAL["green"]) for counts in (600, 300))

    assert dot(bright) == pytest.approx(dot(dim), abs=0.02)


def test_the_rooms_light_is_taken_out_of_what_a_ring_shows_where_nothing_is():
    """Stray light is measured minus the room's light, so that a bright room doesn't look like a dirty window."""
    dark, room = still(IDEAL, NOMINAL["green"]), (90.0, 120.0, 60.0, 270.0)
    lit = Reading(dark.frames, plus(dark.black, room), plus(dark.white, room), plus(dark.dark, room))

    assert own_zero(lit).stray == pytest.approx(own_zero(dark).stray)
    assert own_zero(lit).white == pytest.approx(own_zero(dark).white)


def plus(counts, light):
    return tuple(map(add, counts, light))


def test_a_cube_knows_its_paint():
    """Each cube of a copy has its own shade, which stays the same."""
    gate = bench()

    assert len({cube.reflects for cube in gate.cubes("red")}) == 6
    assert gate.cubes("red") == gate.cubes("red")
    assert Cube("red", NOMINAL["red"]) not in gate.cubes("red")


def test_a_calibration_holds_what_was_seen():
    """A calibration stores its passes as readings, from which any later judge can learn."""
    made = calibrated(bench(), FIVE, passes=5, speed=SPEED)

    assert isinstance(made, Calibration)
    assert all(isinstance(each, Pass) and each.frames for each in made.passes)
    assert made.colours == FIVE


@pytest.mark.parametrize(
    ("path", "interval"),
    [
        ("A+0,B+50,A-100,B-150", (50, 100)),
        ("A+0,B+50,B-70,B+80,A-100,B-150", (50, 100)),
        ("A+0,A-100", (0, -1)),
    ],
)
def test_full_frames_are_those_while_both_beams_are_blocked(path, interval):
    """Only frames taken while both beams are blocked count, because other frames show the board too."""
    assert time_both_blocked(edges(path)) == interval

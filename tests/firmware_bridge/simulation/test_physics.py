"""WORLD: the simulated gate, and a board's rules for frames, references and shaking applied to it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from firmware_bridge.device.frame_filter import blocked, chosen, usable_frames
from firmware_bridge.device.references import ReferenceWatch
from firmware_bridge.device.shake_detector import ShakeDetector
from firmware_bridge.protocol.messages import Event, read
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.world import IDEAL, World, world
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.steps import step
from firmware_bridge.simulation.virtual import VirtualRing

PLAIN = [("A", True, 0), ("B", True, 50_000), ("A", False, 100_000), ("B", False, 150_000)]
FAST = [("A", True, 0), ("B", True, 2_000), ("A", False, 4_000), ("B", False, 6_000)]
WHITE, DARK = (1080, 1200, 968, 3200), (8, 0, 8, 8)


def ring(place: World = IDEAL, seed: int = 1) -> VirtualRing:
    """Return a virtual ring with some cubes below."""
    here = VirtualRing(place, Random(seed), iter(["00000001", "00000002"]).__next__, 0.0)
    here.load({"red": 9, "blue": 9, "white": 9})
    return here


def events(here: VirtualRing) -> list[Event]:
    """Return the events that a ring has stored for its host."""
    lines = [kept.line.decode() for kept in here._link.store.events]
    return [event for line in lines if isinstance(event := read(line[1 : line.rindex("*")], 1), Event)]


def faults(here: VirtualRing) -> list[str]:
    """Return the faults that a ring has reported."""
    return [event.fields["what"] for event in events(here) if event.word == "fault"]


def script(here: VirtualRing, *steps: dict[str, object]) -> None:
    """Let a hand carry out *steps*."""
    hand = Hand(map(step, steps))
    for _ in range(100):
        hand.act(here, 0.0)


def test_frames_are_those_wholly_taken_while_both_beams_were_blocked():
    """Only frames completely within the time when both beams are blocked are chosen: at most eight, evenly spread."""
    middles = list(range(-4_800, 160_000, 4_800))

    best = chosen(PLAIN, middles)

    assert len(best) == 8
    assert all(51_200 <= at <= 98_800 for at in best)
    assert max(b - a for a, b in pairwise(best)) <= 2 * 4_800


def test_a_cube_too_fast_for_a_whole_frame_is_told_by_those_nearest_the_middle():
    """A cube too fast for a complete frame gets up to three frames nearest to the middle."""
    assert chosen(FAST, [-3_000, 1_800, 6_600]) == [1_800]
    assert chosen(FAST, [100, 900, 2_900, 5_500, 7_000]) == [900, 2_900, 5_500]


def test_both_beams_may_be_blocked_more_than_once():
    """For a cube that moves back and forth, the frames of every interval with both beams blocked count."""
    dance = [("A", True, 0), ("B", True, 10), ("B", False, 20), ("B", True, 30), ("A", False, 40), ("B", False, 50)]

    assert blocked(dance) == [(10, 20), (30, 40)]


def test_a_dazzled_frame_is_void():
    """A frame with a channel of 1000 counts or more is void; if all are void, that is a fault."""
    frames = [(60_000, (10, 20, 30, 999)), (70_000, (10, 20, 30, 1_000))]

    assert usable_frames(PLAIN, frames) == (frames[:1], "")
    assert usable_frames(PLAIN, frames[1:]) == ([], "saturated")


def test_a_passage_without_frames_is_a_missing_sensor():
    """A passage without frames means a missing sensor, unless it was too short for any."""
    assert usable_frames(PLAIN, []) == ([], "sensor-missing")
    assert usable_frames(FAST, []) == ([], "")


def test_a_fault_of_the_references_is_told_when_it_begins():
    """A bright room and a shutter that isn't white are faults; each is reported once, when it begins."""
    watch, bright, grey = ReferenceWatch(), (1080, 1200, 968, 4300), (700, 800, 600, 2400)
    assert watch.looked(WHITE, DARK) == []

    assert watch.looked(bright, (400, 400, 300, 1_100)) == ["ambient-light"]
    assert watch.looked(bright, (400, 400, 300, 1_100)) == []
    assert watch.looked(grey, DARK) == ["dirty-window"]
    assert watch.looked(grey, DARK) == []
    watch.calibrated(grey, DARK)
    assert watch.looked(grey, DARK) == []
    assert watch.looked(WHITE, DARK) == ["dirty-window"]


def test_shaking_takes_three_jolts_within_a_second():
    """Three jolts within a second count as shaking, once for each opening of the gate."""
    shaking = ShakeDetector()

    assert [shaking.jolt(at) for at in (0, 900_000, 1_800_000, 1_900_000, 2_000_000)] == [False] * 4 + [True]
    assert not shaking.jolt(2_050_000)
    shaking.closed()
    assert [shaking.jolt(at) for at in (2_100_000, 2_200_000, 2_300_000)] == [False, False, True]


def test_a_contact_that_rattles_is_one_jolt():
    """A contact that bounces for some milliseconds is one jolt: putting a ring down hard isn't shaking it."""
    shaking = ShakeDetector()
    rattling = [jolt + at for jolt in (0, 400_000) for at in (0, 300, 900, 6_000, 15_000, 30_000)]

    assert not any(shaking.jolt(at) for at in rattling)
    assert shaking.jolt(800_000)


@pytest.mark.parametrize("fault", ["ambient_light", "dirty_window", "clean_window", "saturated", "sensor_missing"])
def test_a_cause_is_noticed_by_the_board_s_own_rules(fault):
    """A script's fault affects one slide: the board's rules detect it once, and the cube is counted."""
    here = ring()
    script(here, {"slide": 1, "colours": ["red"]}, {"slide": 1, "fault": fault}, {"slide": 1})

    assert faults(here) == [fault.replace("_", "-").replace("clean", "dirty")]
    assert [event.fields["k"] for event in events(here) if event.word == "pass"] == ["out"] * 3


def test_shaking_with_an_open_gate_is_told():
    """Shaking with an open gate is detected by the rule for jolts."""
    here = ring()
    script(here, {"slide": 1, "fault": "shake_open"})

    assert faults(here) == ["gate-open-while-shaking"]


def test_a_bright_room_causes_its_fault_by_itself():
    """Ambient light of half of white causes its fault without a script; a fifth doesn't."""
    for ambient, expected in ((0.5, ["ambient-light"]), (0.2, []), (0.0, [])):
        here = ring(world({"ambient": ambient, "ambient_modulation": 0.3}))
        here.slide(0.0)

        assert faults(here) == expected


@pytest.mark.parametrize("kind", ["back", "poke", "glitch", "pair"])
def test_each_rate_of_the_world_makes_its_kind(kind):
    """A rate of 1 in the world causes that kind of passage at each slide."""
    rates = dict.fromkeys(("back", "pair", "poke", "stuck", "glitch", "surplus", "lift"), 0.0)
    here = ring(world({"rates": {**rates, kind: 1.0}}))
    here.slide(0.0)

    assert kind in [event.fields["k"] for event in events(here) if event.word == "pass"]


def test_a_cube_that_was_stuck_leaves_in_the_end():
    """A stuck cube is reported as stuck, then comes out, and is removed from below."""
    here = ring()
    script(here, {"slide": 1, "fault": "stuck"})

    assert [event.fields["k"] for event in events(here) if event.word == "pass"] == ["stuck", "out"]
    assert [each.kind for each in here.unwritten()] == ["stuck", "out"]
    assert here.under.total() == 26


def test_the_next_cube_can_wait_at_the_inner_beam():
    """With `waiting` the first cube is reported at once, and the next one is stuck at beam A and goes back."""
    here = ring()
    script(here, {"slide": 1, "fault": "waiting"})

    passages = [event for event in events(here) if event.word == "pass"]
    assert [event.fields["k"] for event in passages] == ["out", "stuck", "poke"]
    assert passages[0].number < passages[1].number
    assert [each.kind for each in here.unwritten()] == ["out", "stuck", "poke"]
    assert here.under.total() == 26


def test_surplus_lets_a_second_one_follow():
    """With `surplus` two cubes pass in one slide."""
    here = ring()
    script(here, {"slide": 1, "fault": "surplus"})

    assert [event.fields["k"] for event in events(here) if event.word == "pass"] == ["out", "out"]


def test_the_same_seed_gives_the_same_readings():
    """The same seed gives the same readings; another seed gives other readings."""
    first, again, other = (ring(World(), seed) for seed in (4, 4, 5))
    for here in (first, again, other):
        script(here, {"slide": 9})

    lines = [[kept.line for kept in here._link.store.events] for here in (first, again, other)]
    assert lines[0] == lines[1] != lines[2]


def test_frames_that_no_device_tells_need_not_be_counted():
    """Frames that aren't sent need not be simulated: the times of the others don't change."""
    whole, told_only = (
        PhysicsBench(World(), Random(3)).passing("out", PhysicsBench(World(), Random(3)).cubes("red")[:1], 80.0, only)
        for only in (False, True)
    )

    assert whole.edges == told_only.edges
    assert [f.at_us for f in told_only.frames] == chosen(list(whole.edges), [f.at_us for f in whole.frames])


def test_a_passage_s_lines_fit_in_the_worst_case():
    """Every line of a passage fits even late in a long boot, with the longest token."""
    here = ring(world({"ambient": 0.3, "white_counts": 700}))
    here._link.store.last = 999_999_900
    here._link.token = 999_999_999
    here._link.ahead_us = 10**14
    here._link.boot = "f" * 12

    for kind in ("stuck", "back", "pair", ""):
        here.slide(0.0, "white", 1.0, kind)

    assert len(events(here)) > 20


def after_game(here: VirtualRing, *tokens: int) -> float:
    """Arm the ring *here* with each of *tokens* in turn; return the lamp's drift."""
    for token in tokens:
        here.obey("arm", {"tok": str(token)}, 0)
    return here.world.drift


def test_the_world_ages_when_a_game_follows_upon_a_calibration():
    """The world ages when a game follows a calibration: not before, and only once."""
    place = world({"after_calibration": {"drift": 0.7}})

    assert after_game(ring(place), 17, 18) == 1.0
    assert after_game(ring(place), 17, 900_000_000, 900_000_001) == 1.0
    assert after_game(ring(place), 900_000_000, 18, 900_000_000, 19) == 0.7


def test_a_script_can_say_that_calibration_is_done():
    """`{"calibrated": true}` in a script ages the world, and the aged lamp is noticed."""
    here = ring(world({"after_calibration": {"drift": 0.7}}))
    script(here, {"calibrated": True}, {"slide": 1})

    assert here.world.drift == 0.7
    assert "dirty-window" in faults(here)

"""Scripts: the steps for the hand at a virtual ring, and those that are refused."""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.physics.world import IDEAL, NOMINAL, world
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.steps import (
    Calibrated,
    LoadStations,
    Restart,
    Slide,
    Unplug,
    Wait,
    WaitFor,
    check_colours,
    read_script,
    step,
)
from firmware_bridge.simulation.virtual import VirtualRing


def ring(place=IDEAL, seed=1) -> VirtualRing:
    """Return a virtual ring without a host."""
    return VirtualRing(place, Random(seed), iter(["00000001", "00000002"]).__next__, 0.0)


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ({"load": {"red": 2}}, LoadStations({"red": 2})),
        ({"slide": 1}, Slide(1)),
        ({"slide": 2, "colours": ["red"], "speed_mm_s": 200}, Slide(2, ("red",), 200)),
        ({"slide": 1, "fault": "shake_open"}, Slide(1, fault="shake_open")),
        ({"wait_ms": 500}, Wait(0.5)),
        ({"wait_for": "armed"}, WaitFor("armed")),
        ({"slide": 1, "fault": "sensor_missing"}, Slide(1, fault="sensor_missing")),
        ({"calibrated": True}, Calibrated()),
        ({"restart": True}, Restart()),
        ({"unplug_ms": 2000}, Unplug(2.0)),
    ],
)
def test_every_step_is_understood(told, meant):
    """Every step of the documentation is parsed."""
    assert step(told) == meant


@pytest.mark.parametrize(
    "told",
    [
        [],
        {},
        {"jump": 1},
        {"slide": 1, "load": {}},
        {"slide": -1},
        {"slide": True},
        {"slide": 1, "fault": "explode"},
        {"slide": 1, "colours": "red"},
        {"slide": 1, "speed_mm_s": 0},
        {"slide": 1, "speed": 3},
        {"load": {"red": "many"}},
        {"wait_ms": "long"},
        {"wait_for": "godot"},
        {"restart": 1},
        {"calibrated": 1},
        {"unplug_ms": -5},
    ],
)
def test_a_step_that_cannot_be_meant_is_refused(told):
    """An invalid step is refused with one sentence."""
    with pytest.raises(InputError):
        step(told)


@pytest.mark.parametrize("text", ["{", '{"slide": 1}\n\n{"slide": x}', "[1]"])
def test_the_line_that_is_wrong_is_named(tmp_path, text):
    """An invalid line is refused with its file and number."""
    (tmp_path / "script").write_text(text)

    with pytest.raises(InputError, match=r"script, line \d"):
        read_script(tmp_path / "script")


def test_a_colour_that_the_world_does_not_know_is_refused():
    """A colour that the world doesn't know is refused, since it has no readings."""
    with pytest.raises(InputError, match="pink"):
        check_colours([LoadStations({"red": 1, "pink": 1})], NOMINAL)


def test_slides_take_the_named_colours_first():
    """A slide takes the named colours first, then random ones."""
    here = ring()
    hand = Hand([LoadStations({"red": 3, "blue": 3}), Slide(3, ("blue", "red"))])
    while not hand.done:
        hand.act(here, 0.0)

    colours = [each.colours[0] for each in here.unwritten()]
    assert colours[:2] == ["blue", "red"]
    assert here.under.total() == 3


def test_a_misplaced_cube_can_be_slid():
    """A named colour comes out even if it was never loaded."""
    here = ring()
    Hand([Slide(1, ("green",))]).act(here, 0.0)

    assert [each.colours for each in here.unwritten()] == [("green",)]
    assert here.under.total() == 0


def test_nothing_comes_out_of_an_empty_ring():
    """A slide without cubes makes no passage."""
    here = ring()

    assert here.slide(0.0) is False
    assert here.unwritten() == []


def test_every_cube_is_as_likely_as_any_other():
    """A random draw is uniform over cubes, not over colours."""
    here = ring(seed=7)
    for _ in range(1_000):
        here.load({"red": 3, "blue": 1})
        here.slide(0.0)
        here.under.clear()

    reds = sum(each.colours == ("red",) for each in here.unwritten())
    assert 700 < reds < 800


def test_the_world_s_rates_decide_what_else_happens():
    """Faults happen at the world's rates, and every slide still lets a cube out."""
    here = ring(world({"rates": {"back": 1.0, "poke": 1.0, "pair": 0.0, "glitch": 0.0, "surplus": 1.0}}))
    here.load({"red": 5})
    here.slide(0.0)

    assert [each.kind for each in here.unwritten()] == ["back", "poke", "out", "out"]


def test_the_ring_s_clock_leaps_over_a_passage():
    """A passage is simulated at once, but its timestamps have the real duration."""
    here = ring()
    here.load({"red": 2})
    here.slide(1.0)
    here.slide(1.0)
    here.receive(b"", 1.0)

    stamps = [event.line.split(b" t=")[1].split()[0] for event in here._link.store.events]
    assert [int(stamp) for stamp in stamps] == sorted(int(stamp) for stamp in stamps)
    assert int(stamps[-1].split(b"*")[0]) > 2_000_000


def test_a_restart_tells_what_was_never_written():
    """At a restart, the truth keeps events that the device has lost."""
    here = ring()
    here.load({"red": 1})
    here.slide(0.0)
    here.restart(1.0)

    lost = here.written(at_ns=5)
    assert [(each.kind, each.boot, each.written_ns) for each in lost] == [("out", "00000001", None)]


def test_the_hand_waits_while_the_ring_is_full():
    """The hand waits while the ring's store is full, so that no passage is lost."""
    here = ring()
    here.load({"red": 1_000})
    hand = Hand([Slide(1_000)])
    for _ in range(1_000):
        hand.act(here, 0.0)

    assert not hand.done
    assert here._link.lost == 0

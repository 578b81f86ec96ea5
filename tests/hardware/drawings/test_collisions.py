"""No two parts of a ring collide, including wires and screw heads; `make collisions` checks more."""

from itertools import pairwise
from math import dist

import numpy as np
import pytest
from manifold3d import Manifold

from hardware.drawing import collisions, fasteners, fittings, pictures, solids, wires
from hardware.drawing.__main__ import BUILD
from hardware.drawing.board import netlist
from hardware.drawing.bodies import box, mesh, rod, span, way
from hardware.drawing.pictures import moved


def test_no_two_things_want_the_same_place(ring):
    """A complete ring has no collision."""
    assert collisions.standing(ring) == []


def test_the_shutter_meets_nothing_on_its_way(ring):
    """The shutter touches nothing in the ring, including wires and screws, whether closed, open or in between."""
    assert collisions.shutter(ring, [*np.linspace(0, ring.z["travel"], 5)]) == []


def test_the_foot_meets_nothing_on_its_way(ring):
    """The lift switch's foot touches nothing, whether the ring is standing or lifted."""
    assert collisions.foot(ring, (0, ring.z["foot_drop"])) == []


def test_the_pusher_meets_nothing_on_the_jig(ring):
    """On the bench jig, pusher and cube touch nothing, at both ends of the scale and in the middle."""
    assert collisions.pusher(ring, (-24, 0, 24)) == []


def test_what_is_left_out_of_a_ring_is_missed(ring):
    """The check includes all parts: beams, lamp, both switches, the plug, every screw and every wire."""
    there = collisions.everything(ring)

    assert {"D1", "D2", "D3", "Q3", "Q4", "U2", "S1", "S2", "plug", "Pico", "piezo", "pixel"} <= set(there)
    assert sum(1 for name in there if "screw" in name) == 17
    assert sum(1 for name in there if "nut" in name) == 4
    assert len(wires.wires(ring.z)) == 5 + 4 * 2 + 2 + 2 + 2


def test_a_collision_is_found():
    """Two overlapping bodies are reported with their common volume; bodies that only touch aren't."""
    one = ("one", box((0, 0, 0), (2, 2, 2)))
    apart, touching = ("apart", box((5, 0, 0), (2, 2, 2))), ("touching", box((2, 0, 0), (2, 2, 2)))
    within = ("within", rod((0, 0, -3), (0, 0, 3), 0.5))

    assert list(collisions.touching([(one, apart), (one, touching)])) == []
    assert list(collisions.touching([(one, within)])) == [("one", "within", pytest.approx(1.55, abs=0.05))]


def test_a_wire_is_closed_and_as_long_as_its_way():
    """A wire along three points is one closed body with the wire's thickness."""
    wire = way([(0, 0, 0), (10, 0, 0), (10, 10, 0)], 0.5)

    assert isinstance(wire, Manifold)
    assert mesh(wire).is_watertight
    assert wire.volume() == pytest.approx(20 * np.pi * 0.25, rel=0.1)


def test_the_ducts_have_room_for_their_wires(ring):
    """Four wires fill at most two thirds of their duct, and all wires at most half of the window."""
    z = ring.z
    through = [wire for wire in wires.wires(z) if wire.of != "S2"]
    wide, low, high = z["duct"][1] - z["duct"][0], z["felt"], z["duct_top"]
    square = (2 * wires.WIRE) ** 2

    assert 4 * square < 0.67 * wide * min(high - low, z["duct_deep"])
    assert len(through) * square < 0.5 * 16 * 6


def test_no_wire_comes_near_the_thumb(ring):
    """Below the hood, no leg, joint or wire sticks out of the gate's sides, or below the top of its felt."""
    z = ring.z
    for wire in wires.wires(z):
        for points, radius in ((wire.leg, wires.LEG), (wire.joint, wires.SLEEVE), (wire.rest, wires.WIRE)):
            for _, y, high in points:
                assert high - radius > z["felt"] - 0.01
                assert high > z["hood_foot"] or wire.of == "S2" or z["left"] < y - radius < y + radius < z["right"]


def test_no_screws_head_stands_into_the_cup(ring, common):
    """No screw head in wall or roof sticks out into the cup, where cubes roll."""
    z = ring.z
    cup = mesh(rod((0, 0, 0), (0, 0, z["cup"] - 0.01), z["ring_in"] - 0.01, corners=256))
    for name, screw in fasteners.screws(z).items():
        if name.startswith(("gate", "turret")):
            assert common(mesh(screw.body()), cup) < 0.02, name


def test_the_stop_screw_lies_within_the_gate_and_ends_in_the_slots_roof(ring, common):
    """The stop screw's head is above the felt, its thread holds below the slot, and its tip just crosses the slot."""
    z = ring.z
    screw = fasteners.screws(z)["stop screw"]
    body = mesh(screw.body())

    assert body.bounds[0][2] > z["felt"]
    assert z["slot_z1"] < body.bounds[1][2] < z["slot_z1"] + 1
    thick = mesh(rod(screw.at, screw.point(screw.long), 1.0))
    assert common(thick, ring.mesh["gate"]) > 3
    assert common(body, fittings.gate_switch(z)) < 1e-6


def test_the_shutters_way_ends_at_its_screw(ring, common):
    """The shutter stops at the screw when closed and when open; further in either direction it would overlap it."""
    z = ring.z
    screw = mesh(rod((*z["stop"], z["slot_z0"] - 1), (*z["stop"], z["slot_z1"]), z["stop_r"], corners=64))
    shutter = ring.mesh["shutter"]

    assert common(screw, shutter) < 1e-6
    assert common(screw, moved(shutter, (0, z["travel"] - 0.01, 0))) < 1e-6
    assert common(screw, moved(shutter, (0, -0.4, 0))) > 0.01
    assert common(screw, moved(shutter, (0, z["travel"] + 0.4, 0))) > 0.01


@pytest.mark.parametrize("low", np.arange(0, 12, 2.0))
def test_a_plug_comes_in_at_the_turrets_back(ring, common, low):
    """The largest overmould allowed for a Micro-B plug, with its cable, fits through the opening from below."""
    z = ring.z
    foot = z["cup"] + z["roof"]
    out = -z["ring_out"] - z["pod"][0]
    _, wide, high = fittings.OVERMOULD
    grip = span((out - 12, -wide / 2, foot + 0.3 - low), (out + 10, wide / 2, foot + 0.3 - low + high))

    assert common(mesh(grip), ring.mesh["turret"]) < 1e-6


def test_the_clamp_holds_the_cable(ring, common):
    """The clamp compresses the cable by less than a fifth, and can't be pulled out."""
    z = ring.z
    out = -z["ring_out"] - z["pod"][0]
    at = z["cable_top"] - z["cable"] / 2
    cable = mesh(rod((out - 1, 0, at), (out + 3, 0, at), z["cable"] / 2))
    thinner = mesh(rod((out - 1, 0, at + 0.25), (out + 3, 0, at + 0.25), 0.8 * z["cable"] / 2))

    assert common(cable, ring.mesh["clamp"]) > 0.5
    assert common(thinner, ring.mesh["clamp"]) < 1e-6
    assert common(thinner, ring.mesh["turret"]) < 1e-6
    for pulled in (-1, 1):
        assert common(moved(ring.mesh["clamp"], (pulled, 0, 0)), ring.mesh["turret"]) > 5


def test_board_screws_end_within_the_lid(ring, common):
    """The board's screws go through the board and its posts, and end inside the lid."""
    z = ring.z
    lid = z["cup"] + z["roof"] + z["turret"] + 2.4
    for name, screw in fasteners.screws(z).items():
        if name.startswith("board"):
            assert screw.at[2] + screw.long < lid - 0.8
            assert common(mesh(rod(screw.at, screw.point(screw.long), 1.0)), ring.mesh["turret"]) > 2


@pytest.mark.long
def test_other_boards_and_switches_fit(tmp_path, common):
    """With the widest sensor board and the larger switch, the gate still has room for sensor, solder and lamp."""
    settings = {"sensor_board": "CQRobot", "gate_switch": "SS-5", "lift_switch": "D2F-L"}
    z = solids.sizes(8, **settings)
    solids.drawn("gate", tmp_path / "gate.stl", edge=8, **settings)
    gate = solids.mesh(tmp_path / "gate.stl")

    assert gate.is_watertight
    inside = [
        fittings.sight(z),
        fittings.sensor(z),
        fittings.gate_switch(z),
        fittings.lamp(z),
        *fittings.eyes(z).values(),
    ]
    assert max(common(body, gate) for body in inside) < 1e-3
    assert common(moved(fittings.sensor(z), (1, 0, 0)), gate) > 1


@pytest.mark.long
@pytest.mark.parametrize("settings", solids.OTHERS, ids=lambda settings: ", ".join(settings.values()))
@pytest.mark.parametrize("edge", solids.EDGES)
def test_nothing_collides_with_other_boards_and_switches(edge, settings):
    """A ring for other boards and switches has no collision either, including its wires."""
    assert collisions.standing(pictures.made(edge, BUILD, **settings)) == []


@pytest.mark.parametrize("settings", [{}, *solids.OTHERS], ids=lambda settings: ", ".join(settings.values()) or "drawn")
@pytest.mark.parametrize("edge", solids.EDGES)
def test_no_wire_stands_still(edge, settings):
    """No segment of a wire's path has length zero, since it would be left out of all checks."""
    for wire in wires.wires(solids.sizes(edge, **settings)):
        for points in (wire.leg, wire.joint, wire.rest):
            assert all(dist(a, b) > 0.05 for a, b in pairwise(points)), wire.of


def test_the_pico_hangs_where_its_boards_layout_has_it(ring):
    """The middle of the Pico's holes is where the drawings place its plug and BOOTSEL button."""
    columns = [netlist.pico_hole(pin)[0] for pin in range(1, netlist.PICO_PINS + 1)]
    middle = sum(columns) / len(columns) - (netlist.COLUMNS - 1) / 2

    assert middle * fittings.PITCH == pytest.approx(ring.z["pico_x"], abs=0.01)

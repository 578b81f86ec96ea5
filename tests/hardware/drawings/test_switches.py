"""Both microswitches, by their makers' figures: they fit, can be adjusted, and click at the right position."""

import numpy as np
import pytest

from hardware.drawing import fasteners, fittings, sections, solids
from hardware.drawing.bodies import mesh, rod
from hardware.drawing.pictures import moved

MARGIN = 0.05


def gap_of(z, error):
    """Return the required gap between shutter and switch, if its plunger clicks *error* off its nominal position."""
    operating, overtravel = z["s1"][2][1] + error, z["s1"][2][3]
    return operating - overtravel / 2 - z["s1"][1][1]


@pytest.mark.parametrize("place", ["lowest", "drawn", "highest"])
def test_the_gate_switch_fits_and_its_screws_pass_wherever_it_is_set(ring, common, place):
    """The gate switch's body, plunger, 2 mm screws and nuts fit in every position, and its screw heads have support."""
    z = ring.z
    up = {"lowest": z["s1_gap"][0] - z["s1_drawn"], "drawn": 0, "highest": z["s1_gap"][1] - z["s1_drawn"]}[place]
    softer = {"lowest": 2, "drawn": 1, "highest": 0}[place]  # lowest: the plunger clicks early and sticks out less
    inside = {
        "body": fittings.gate_switch(z, up),
        "plunger": fittings.plunger(z, z["s1"][2][0] - softer * z["s1"][2][2], up),
        **{name: mesh(s.body()) for name, s in fasteners.screws(z, up).items() if name.startswith("S1")},
        **{name: mesh(nut) for name, nut in fasteners.nuts(z, up).items() if name.startswith("S1")},
    }

    assert [name for name, body in inside.items() if common(body, ring.mesh["gate"]) > 1e-3] == []
    for name in ("S1 screw, inner", "S1 screw, outer"):
        assert common(moved(inside[name], (0, -0.3, 0)), ring.mesh["gate"]) > 0.5


@pytest.mark.parametrize("error", [-1, 0, 1], ids=["clicks early", "as told", "clicks late"])
def test_the_gate_switch_can_be_set_to_click_whatever_its_maker_allows(ring, error):
    """For any plunger within tolerance, the gate switch can be set to click before the plunger's travel ends."""
    z = ring.z
    low, high = z["s1_gap"]

    assert low + MARGIN <= gap_of(z, error * z["s1"][2][2]) <= high - MARGIN


def test_the_closed_shutter_alone_presses_its_switch(ring, common):
    """The closed shutter presses the gate switch's plunger, and the open one doesn't touch it."""
    plunger = fittings.plunger(ring.z)

    assert common(plunger, ring.mesh["shutter"]) > 0.1
    assert common(plunger, moved(ring.mesh["shutter"], (0, ring.z["travel"], 0))) < 1e-6


@pytest.mark.parametrize("error", [-1, 1], ids=["clicks early", "clicks late"])
def test_the_shutter_comes_under_the_plunger_by_its_slope(ring, error):
    """The shoulder's slope begins below the gate switch's plunger, so that the plunger is lifted, not sheared off."""
    z = ring.z
    off = error * z["s1"][2][2]
    free = z["s1"][2][0] - z["s1"][2][2] + off
    tip = z["shutter_top"] + gap_of(z, off) + z["s1"][1][1] - free
    cut = sections.cut(ring.mesh["shutter"], "across", z["plunger"][0])
    shoulder = [height for outline in cut for y, height in outline if abs(y - z["shoulder_y"]) < 0.05]

    assert max(shoulder) < tip
    assert min(shoulder) == pytest.approx(z["shutter_top"] - z["shutter_thick"])


def test_the_shutter_has_little_play(ring):
    """The shutter has a third of a millimetre of vertical play, measured in both meshes."""
    z = ring.z
    at = z["shutter_x0"] + 1
    slot = sections.cut(ring.mesh["gate"], "across", at)
    heights = sorted({round(v, 3) for outline in slot for u, v in outline if u > z["lane_w"] / 2 and v < z["lane_h"]})
    floor = max(v for v in heights if v <= z["shutter_top"] - z["shutter_thick"] + 0.2)
    roof = min(v for v in heights if v > z["shutter_top"])

    assert 0.15 < roof - floor - z["shutter_thick"] < 0.35


def test_the_lift_switchs_screws_are_held_by_nuts_that_cannot_turn(ring, common):
    """Each screw of the lift switch reaches through its nut, which fits into its groove and can't turn."""
    z = ring.z
    screws, nuts = fasteners.screws(z), fasteners.nuts(z)
    for side in ("left", "right"):
        screw, nut = screws[f"S2 screw, {side}"], nuts[f"S2 nut, {side}"]
        _, _, _, far, _, _ = nut.bounding_box()
        assert common(mesh(nut), ring.mesh["ring"]) < 1e-6
        assert screw.at[0] + screw.long >= far

        x, y, high = (float(v) for v in np.array(nut.bounding_box()).reshape(2, 3).mean(axis=0))
        turned = nut.translate((-x, -y, -high)).rotate((30, 0, 0)).translate((x, y, high))
        assert common(mesh(turned), ring.mesh["ring"]) > 0.05


@pytest.mark.parametrize("place", [-1, 0, 1], ids=["lowest", "drawn", "highest"])
def test_the_lift_switch_fits_wherever_it_is_set(ring, common, place):
    """The lift switch's body, screws and nuts fit in every position, and go in from above."""
    z = ring.z
    up = place * z["s2_set"]
    body = fittings.lift_switch(z, up)
    for part in (body, moved(body, (0, 0, 12)), moved(body, (0, 0, 24))):
        assert common(part, ring.mesh["ring"]) < 1e-6
    for name, screw in fasteners.screws(z, 0, up).items():
        if name.startswith("S2"):
            assert common(mesh(screw.body()), ring.mesh["ring"]) < 1e-6


def test_the_foot_stands_on_the_table_and_stays_in(ring, common):
    """The foot's end is at the table when the ring stands; when lifted, it drops until its collar stops it."""
    z = ring.z
    foot = ring.mesh["foot"]

    assert foot.bounds[0][2] == pytest.approx(0, abs=0.02)
    assert foot.bounds[1][2] == pytest.approx(z["foot_top"], abs=0.02)
    for down in np.arange(0, z["foot_drop"] + 0.01, 0.5):
        assert common(moved(foot, (0, 0, -down)), ring.mesh["ring"]) < 1e-3
    assert common(moved(foot, (0, 0, -z["foot_drop"] - 0.2)), ring.mesh["ring"]) > 0.5


@pytest.mark.parametrize("error", [-1, 0, 1], ids=["clicks early", "as told", "clicks late"])
def test_the_lift_switch_clicks_as_the_ring_stands_and_lets_go_as_it_is_lifted(ring, error):
    """Adjusted half a millimetre beyond its click, the lift switch has overtravel left, and releases in time."""
    z = ring.z
    _, operating, tolerance, overtravel, differential = z["s2"][2]
    hole = z["foot_top"] + operating + error * tolerance - 0.5

    assert abs(hole - z["s2_hole_z"]) <= z["s2_set"]
    assert overtravel >= 0.5
    assert z["foot_drop"] > 0.5 + differential + 0.5


def test_the_pico_button_can_be_reached_without_a_screwdriver(ring, common):
    """A pen reaches the BOOTSEL button through the roof, from inside the cup."""
    z = ring.z
    button = fittings.electronics(z)["Pico"].bounds[0][2]
    pen = mesh(rod((*z["bootsel"], 5), (*z["bootsel"], button), 1.5))

    for part in ("ring", "turret"):
        assert common(pen, ring.mesh[part]) < 1e-6
    assert common(moved(pen, (0, 0, 0.5)), fittings.electronics(z)["Pico"]) > 1


@pytest.mark.parametrize("edge", solids.EDGES)
@pytest.mark.parametrize(("gate", "lift"), [("D2F", "SS-5GL"), ("SS-5", "D2F-L"), ("SS-5", "SS-5GL"), ("D2F", "D2F-L")])
def test_every_named_switch_has_its_measures(edge, gate, lift):
    """Each D2F and SS switch can be chosen by name for either place, and the measures follow."""
    z = solids.sizes(edge, gate_switch=gate, lift_switch=lift)

    assert z["s1_sides"][1] - z["s1_sides"][0] == pytest.approx(z["s1"][0][1] + 0.4)
    assert z["exit_x"] - z["s1_ends"][1] >= 1.9
    assert z["s1_bearing"] >= 1
    assert z["pod_wall"] >= 1


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"gate_switch": "SS-5GL"}, "pin plunger"),
        ({"lift_switch": "D2F"}, "lever"),
        ({"sensor_board": "any"}, "unknown: any"),
    ],
)
def test_a_part_in_the_wrong_place_is_refused(settings, rule):
    """A lever at the gate, a bare plunger at the table, and an unknown name are refused."""
    with pytest.raises(solids.Undrawn, match=rule):
        solids.sizes(8, **settings)

"""The printable parts, measured in their meshes: closed, of the right size, without obstructing each other."""

import numpy as np
import pytest
from manifold3d import CrossSection

from hardware.drawing import fittings, sections, solids
from hardware.drawing.pictures import moved

PLAUSIBLE = {  # cubic centimetres, and the longest side in millimetres
    "gate": (12, 24, 50), "shutter": (0.4, 1.5, 50), "ring": (50, 75, 115), "turret": (30, 50, 115),
    "hood": (8, 14, 55), "foot": (0.1, 0.4, 10), "clamp": (0.3, 1, 20), "jig": (25, 50, 165), "pusher": (2, 5, 120),
}  # fmt: skip
BEDS = 180.0


def lane(ring, at_x):
    """Return the lane's hollow in a cut at *at_x*: everything between table and deck that isn't gate."""
    outlines = sections.cut(ring.mesh["gate"], "across", at_x)
    solid = CrossSection(outlines)
    low, high = -ring.z["lane_w"] / 2 - 1, ring.z["lane_w"] / 2 + 1
    window = CrossSection.square((high - low, ring.z["deck"] - 0.1)).translate((low, 0.0))
    hollows = (window - solid).decompose()
    return max((hollow for hollow in hollows if hollow.bounds()[1] == 0), key=lambda hollow: hollow.area())


@pytest.mark.parametrize("part", solids.PARTS)
def test_every_part_is_one_watertight_body(ring, part):
    """Every part is one closed body."""
    mesh = ring.mesh[part]

    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert len(solids.solid(mesh).decompose()) == 1


@pytest.mark.parametrize("part", solids.PARTS)
def test_every_part_has_a_plausible_size(ring, part):
    """Every part has a plausible volume, and fits on a printer's bed of 180 mm."""
    low, high, longest = PLAUSIBLE[part]
    mesh = ring.mesh[part]

    assert low < mesh.volume / 1000 < high
    assert max(mesh.extents) < min(longest, BEDS)


def test_the_lane_is_wider_than_a_diagonal_and_narrower_than_two_cubes(ring):
    """Behind the beams, the lane is wider than a cube's diagonal and narrower than two cubes."""
    edge = ring.z["edge"]
    above_felt = CrossSection.square((60, 60)).translate((-30, ring.z["felt"] + 0.01))
    low, _, high, _ = (lane(ring, ring.z["exit_x"] - 4) ^ above_felt).bounds()

    assert edge * 2**0.5 < high - low < 2 * edge
    assert high - low == pytest.approx({8: 12.5, 10: 15.2}[edge], abs=0.01)


def test_the_lane_is_higher_than_a_cube_and_too_low_to_tip_over_in(ring):
    """The lane has a millimetre above a cube, and is too low for a cube on its edge."""
    edge = ring.z["edge"]
    _, low, _, high = lane(ring, ring.z["exit_x"] - 4).bounds()

    assert low == 0
    assert edge + 1 <= round(high, 3) < edge * 2**0.5
    assert high == pytest.approx({8: 9.5, 10: 12.0}[edge], abs=0.01)


def test_the_lane_keeps_its_width_from_the_funnel_to_the_lip(ring):
    """Between funnel and lip the walls are parallel, apart from the shutter's slot and the beams' slits."""
    z = ring.z
    xs = np.arange(z["ring_in"] + z["funnel_long"] + 1.5, z["exit_x"] - z["lip"] - 0.1, 0.5)

    for x in xs:
        foot = lane(ring, x) ^ CrossSection.square((60, 1)).translate((-30, z["felt"] + 0.1))
        low, _, high, _ = foot.bounds()
        assert high - low == pytest.approx(z["lane_w"], abs=0.01)


def test_the_funnel_opens_by_40_degrees_on_one_side_only(ring):
    """The funnel opens towards the inside by 40 degrees on one side, and is straight on the other."""
    z = ring.z
    outlines = sections.cut(ring.mesh["gate"], "above", z["beam_z"])
    solid = CrossSection(outlines)
    one, two = z["ring_in"] + 1.5, z["ring_in"] + 3.5

    def wall(x, side):
        strip = solid ^ CrossSection.square((0.02, 40)).translate((x, 0 if side > 0 else -40))
        return min(abs(strip.bounds()[1]), abs(strip.bounds()[3]))

    lean = np.degrees(np.arctan2(wall(one, -1) - wall(two, -1), two - one))
    assert lean == pytest.approx(40, abs=1)
    assert wall(z["ring_in"] + z["lip"] + 0.5, 1) == pytest.approx(z["lane_w"] / 2, abs=0.05)


def test_the_exit_has_lips_of_3_mm(ring):
    """At the exit's end the lane is wider by two lips of 3 mm, and before the lips it has its usual width."""
    z = ring.z
    end, before = (lane_foot(ring, x) for x in (z["exit_x"] - 0.02, z["exit_x"] - z["lip"] - 0.1))

    assert before == pytest.approx(z["lane_w"], abs=0.01)
    assert end == pytest.approx(z["lane_w"] + 2 * z["lip"], abs=0.8)


def lane_foot(ring, x):
    """Return the width of the hollow at the beams' height at *x*."""
    outlines = sections.cut(ring.mesh["gate"], "across", x)
    free = CrossSection.square((40, 0.2)).translate((-20, 1.0)) - CrossSection(outlines)
    middle = max(free.decompose(), key=lambda one: one.bounds()[0] < 0 < one.bounds()[2])
    return middle.bounds()[2] - middle.bounds()[0]


def test_a_cubes_way_is_free(ring, common):
    """With the shutter open, nothing obstructs a cube, whatever its rotation."""
    way = fittings.path(ring.z)
    opened = moved(ring.mesh["shutter"], (0, ring.z["travel"], 0))

    assert common(way, opened) < 1e-6
    for body in (*(ring.mesh[part] for part in ("gate", "ring", "hood", "turret")), *fittings.eyes(ring.z).values()):
        assert common(way, body) < 1e-6


def test_the_closed_shutter_stops_a_cube_before_the_first_beam(ring, common):
    """The closed shutter stops a cube before beam A."""
    z = ring.z
    beam_a = z["beam_a"] - z["slit"] / 2
    waiting = fittings.cube(z, z["shutter_x0"] - z["edge"] / 2)

    assert common(waiting, ring.mesh["shutter"]) < 1e-6
    assert waiting.bounds[1][0] < beam_a
    assert common(moved(waiting, (0.5, 0, 0)), ring.mesh["shutter"]) > 0.1


@pytest.mark.parametrize("opened", [False, True], ids=["closed", "open"])
def test_beams_cross_the_lane_free_wherever_the_shutter_is(ring, common, opened):
    """The beams are free between emitter and receiver, with the shutter open or closed."""
    shutter = moved(ring.mesh["shutter"], (0, ring.z["travel"] if opened else 0, 0))

    for x in ("beam_a", "beam_b"):
        beam = fittings.beam(ring.z, ring.z[x])
        assert common(beam, ring.mesh["gate"]) < 1e-6
        assert common(beam, shutter) < 1e-6
        assert common(beam, fittings.cube(ring.z, ring.z["spot_x"])) > 0.5


def test_the_sensor_looks_down_between_the_beams(ring, common):
    """The sensor's hole is in the middle between the beams, and free down to a cube's top."""
    z = ring.z

    assert z["spot_x"] == pytest.approx((z["beam_a"] + z["beam_b"]) / 2)
    assert common(fittings.sight(z), ring.mesh["gate"]) < 1e-6
    assert common(moved(fittings.sight(z), (z["tube"], 0, 0)), ring.mesh["gate"]) > 0.5
    assert z["beam_b"] - z["beam_a"] == {8: 4, 10: 5}[z["edge"]]


def test_the_spot_is_as_wide_as_the_simulated_one(ring):
    """The spot that the sensor sees on a cube is 3 mm wide, as in the simulation, within a third of a millimetre."""
    assert sections.spot(ring.z) == pytest.approx(3.0, abs=0.33)


def test_white_lies_under_the_spot_when_the_shutter_is_closed(ring):
    """The closed shutter covers the whole spot, and the open shutter covers none of it."""
    z = ring.z
    top = z["shutter_top"] - 0.05
    half = sections.spot(z) / 2
    seen = CrossSection.square((2 * half, 2 * half)).translate((z["spot_x"] - half, -half))
    closed = CrossSection(sections.cut(ring.mesh["shutter"], "above", top))

    assert (seen ^ closed).area() == pytest.approx(seen.area())
    assert (seen ^ closed.translate((0, z["travel"]))).is_empty()
    assert abs(z["edge"] - z["shutter_top"]) <= 0.5


def test_the_pusher_stays_below_the_beams(ring):
    """The pusher's tongue stays below the beams, so only the cube blocks them."""
    tongue = sections.cut(ring.mesh["pusher"], "across", 100.0)

    assert max(height for outline in tongue for _, height in outline) < ring.z["beam_z"] - 1


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"inner": 80}, "inner diameter must be 90 to 96"),
        ({"edge": 5}, "height must lie between"),
        ({"felt": 1}, "felt must be"),
    ],
)
def test_a_ring_that_could_not_work_is_refused(tmp_path, settings, rule):
    """OpenSCAD refuses settings that break a rule, and names the rule."""
    with pytest.raises(solids.Undrawn, match=rule):
        solids.drawn("gate", tmp_path / "gate.stl", **settings)

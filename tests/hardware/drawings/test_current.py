"""Generated files are up to date with their sources."""

from pathlib import Path

import pytest

from hardware.drawing import building, circuit, console, parts, pictures, sections, steps, wiring
from hardware.drawing.__main__ import PICTURES
from hardware.drawing.board import netlist, perfboard
from hardware.drawing.stamp import HERE, SOURCES, stamp, stamped, total

STAMPED = {
    "pictures": ("ring", "apart", "gate-below", "turret-inside", "jig"),
    "sections": ("lane-along", "lane-above", "lane-across"),
    "pico": ("wiring",),
    "pi": ("wiring-gpio",),
}
AGAIN = "is older than its sources: run make drawings"


def test_the_parts_page_is_current():
    """parts.md matches parts.toml."""
    assert (HERE / "parts.md").read_text() == parts.page(parts.parts()), f"parts.md {AGAIN}"
    assert (HERE / "parts.csv").read_text() == parts.table(parts.parts()), f"parts.csv {AGAIN}"


@pytest.mark.parametrize(("kind", "name"), [("pico", "circuit"), ("pi", "circuit-gpio")])
def test_the_circuits_are_current(kind, name):
    """The circuits in the repository are those that are drawn now."""
    assert (PICTURES / f"{name}.svg").read_text() == circuit.circuit(kind), f"{name}.svg {AGAIN}"


def test_the_perforated_board_is_current():
    """The picture of the perforated board matches board.toml."""
    assert (PICTURES / "perfboard.svg").read_text() == perfboard.picture(netlist.board()), f"perfboard.svg {AGAIN}"


def test_the_console_is_current():
    """The picture of the console matches its example."""
    assert (PICTURES / "console.svg").read_text() == console.console(), f"console.svg {AGAIN}"


@pytest.mark.parametrize(("source", "name"), [(source, name) for source in STAMPED for name in STAMPED[source]])
def test_the_pictures_are_current(source, name):
    """Each picture contains the checksum of its sources."""
    assert stamp((PICTURES / f"{name}.svg").read_text()) == total(SOURCES[source]), f"{name}.svg {AGAIN}"


def test_no_picture_is_left_over():
    """No picture is left over from an earlier source."""
    made = {name for names in STAMPED.values() for name in names} | {"circuit", "circuit-gpio", "console", "perfboard"}

    assert {path.stem for path in PICTURES.glob("*.*")} == made


def test_the_pictures_of_the_steps_are_current():
    """Each step's picture contains its sources' checksum, the board's pictures are current, and none is left over."""
    scenes = [step for step in steps.steps() if step.name in building.SCENES]
    boards = building.boards()

    for step in scenes:
        assert stamp((HERE / step.path).read_text()) == total(SOURCES["steps"]), f"{step.path} {AGAIN}"
    for path, told in boards.items():
        assert (HERE / path).read_text() == told, f"{path} {AGAIN}"
    assert {path.name for path in (PICTURES / "steps").glob("*")} == {
        Path(path).name for path in (*boards, *(step.path for step in scenes))
    }


def test_a_changed_source_makes_a_picture_old(tmp_path):
    """A changed source has a different checksum, and a picture keeps the one that it was given."""
    source = tmp_path / "gate.scad"
    source.write_text("edge = 8;")
    picture = stamped('<svg xmlns="http://www.w3.org/2000/svg">…</svg>', [source])
    assert stamp(picture) == total([source])
    source.write_text("edge = 9;")

    assert stamp(picture) != total([source])


@pytest.mark.long
def test_pictures_of_the_other_edge_can_be_drawn(made):
    """Every picture and cut can be drawn for 10 mm cubes too, with their figures."""
    ring = made(10)
    drawn = {**pictures.pictures(ring), **sections.sections(ring)}

    assert set(drawn) == {*STAMPED["pictures"], *STAMPED["sections"]}
    assert "lane 12<" in drawn["lane-along"].svg()
    assert "lane 15.2<" in drawn["lane-above"].svg()


@pytest.mark.parametrize("kind", ["pico", "pi"])
def test_the_wiring_can_be_drawn(kind):
    """WireViz and Graphviz draw the wiring with every part in it."""
    drawn = wiring.wiring(kind)

    assert drawn.rstrip().endswith("</svg>")
    for name in wiring.plan(kind)["connectors"]:
        assert f"<title>{name}</title>" in drawn

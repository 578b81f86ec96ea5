"""Printability of the parts: measured, within limits, and listed on the first page."""

import re

import pytest
from manifold3d import Manifold

from hardware.drawing import printability, solids
from hardware.drawing.bodies import joined, mesh, rod, span
from hardware.drawing.stamp import HERE, SOURCES, total

THINNEST, FARTHEST, LONGEST = 0.8, 2.5, 20.0
SMALLEST_CM2 = 0.2


def block(*more: Manifold) -> Manifold:
    """Return a block of 20 by 20 by 3 mm with *more* on it."""
    return joined([span((0, 0, 0), (20, 20, 3)), *more])


def of(body: Manifold) -> printability.Printed:
    """Return the figures of a body in its drawn position."""
    return printability.measured("clamp", mesh(body))


def told() -> dict[str, list[list[float]]]:
    """Return the figures in the table on the first page, by part and column."""
    page = (HERE / "README.md").read_text()
    rows = re.findall(r"(?m)^\| (\w+) \| (.+) \|$", page[page.index("<!-- measured from") :])
    return {
        part: [[float(figure.replace("–", "0")) for figure in cell.split(" / ")] for cell in cells.split(" | ")]
        for part, cells in rows
        if part in solids.PARTS
    }


def test_a_block_is_no_trouble():
    """A plain block has no thin wall, bridge or overhang, and all of its base is on the bed."""
    assert of(block()) == printability.Printed(2.0, 0.0, 0.0, 400.0)


@pytest.mark.parametrize("thick", [0.5, 0.8, 1.4])
def test_a_thin_wall_is_found(thick):
    """A thin upright wall is reported with its thickness."""
    assert of(block(span((5, 2, 1), (5 + thick, 18, 8)))).wall == pytest.approx(thick, abs=0.11)


def test_a_bridge_is_told_by_its_span():
    """A plate on two walls is a bridge, reported with its span."""
    walls = [span((x, 0, 1), (x + 3, 20, 8)) for x in (0, 17)]
    found = of(block(*walls, span((0, 0, 8), (20, 20, 10))))

    assert found.bridge == pytest.approx(14, abs=0.7)
    assert found.overhang == 0


def test_what_stands_out_is_told_by_its_reach():
    """A plate on one wall is an overhang, reported with its reach."""
    found = of(block(span((0, 0, 1), (10, 20, 8)), span((0, 0, 8), (16, 20, 10))))

    assert found.overhang == pytest.approx(6, abs=0.7)
    assert found.bridge == 0


def test_what_begins_in_the_air_is_told():
    """A body that starts in the air has an infinite overhang."""
    found = of(joined([block(), span((5, 5, 6), (9, 9, 8)), rod((7, 7, 7), (7, 7, 9), 1), span((5, 5, 8), (20, 9, 9))]))

    assert found.overhang == float("inf")


def test_the_table_is_current():
    """The first page contains the checksum of the drawings from which its figures were measured."""
    page = (HERE / "README.md").read_text()

    assert f"<!-- measured from {total(SOURCES['printability'])} -->" in page, "run make drawings"
    assert set(told()) == set(solids.PARTS)


@pytest.mark.long
@pytest.mark.parametrize("part", ["gate", "shutter", "foot"])
def test_the_figures_are_the_measured_ones(made, part):
    """Each part's row in the table has the figures measured in its meshes."""
    measured = [printability.measured(part, made(edge).mesh[part]) for edge in solids.EDGES]

    assert printability.row(part, measured) in (HERE / "README.md").read_text()


@pytest.mark.parametrize("part", solids.PARTS)
def test_a_hobbyists_printer_can_print_it(part):
    """All parts are printable: walls of two lines, nothing starts in the air, short bridges, enough base on the bed."""
    wall, overhang, bridge, first = told()[part]

    assert min(wall) >= THINNEST
    assert max(overhang) <= FARTHEST
    assert max(bridge) <= LONGEST
    assert min(first) >= SMALLEST_CM2

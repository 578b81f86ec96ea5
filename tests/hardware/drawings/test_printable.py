"""What a printer has to cope with: measured right, within limits, and told on the first page."""

import re

import pytest
from manifold3d import Manifold

from hardware.drawing import printability, solids
from hardware.drawing.bodies import joined, mesh, rod, span
from hardware.drawing.stamp import HERE, SOURCES, total

THINNEST, FARTHEST, LONGEST = 0.8, 2.5, 20.0
SMALLEST_CM2 = 0.2


def block(*more: Manifold) -> Manifold:
    """Return a block of 20 by 20 by 2 mm with *more* on it."""
    return joined([span((0, 0, 0), (20, 20, 3)), *more])


def of(body: Manifold) -> printability.Printed:
    """Return the figures of a body that lies as it is drawn."""
    return printability.measured("clamp", mesh(body))


def told() -> dict[str, list[list[float]]]:
    """Return the figures of the table on the first page: for each part, of each column."""
    page = (HERE / "README.md").read_text()
    rows = re.findall(r"(?m)^\| (\w+) \| (.+) \|$", page[page.index("<!-- measured from") :])
    return {
        part: [[float(figure.replace("–", "0")) for figure in cell.split(" / ")] for cell in cells.split(" | ")]
        for part, cells in rows
        if part in solids.PARTS
    }


def test_a_block_is_no_trouble():
    """A plain block has no thin wall, nothing over air, and all of itself on the bed."""
    assert of(block()) == printability.Printed(2.0, 0.0, 0.0, 400.0)


@pytest.mark.parametrize("thick", [0.5, 0.8, 1.4])
def test_a_thin_wall_is_found(thick):
    """An upright wall is told with its thickness."""
    assert of(block(span((5, 2, 1), (5 + thick, 18, 8)))).wall == pytest.approx(thick, abs=0.11)


def test_a_bridge_is_told_by_its_span():
    """A plate on two walls is a bridge from one to the other."""
    walls = [span((x, 0, 1), (x + 3, 20, 8)) for x in (0, 17)]
    found = of(block(*walls, span((0, 0, 8), (20, 20, 10))))

    assert found.bridge == pytest.approx(14, abs=0.7)
    assert found.overhang == 0


def test_what_stands_out_is_told_by_its_reach():
    """A plate on one wall stands out over air."""
    found = of(block(span((0, 0, 1), (10, 20, 8)), span((0, 0, 8), (16, 20, 10))))

    assert found.overhang == pytest.approx(6, abs=0.7)
    assert found.bridge == 0


def test_what_begins_in_the_air_is_told():
    """A body that hangs on nothing when it is begun is infinitely far out."""
    found = of(joined([block(), span((5, 5, 6), (9, 9, 8)), rod((7, 7, 7), (7, 7, 9), 1), span((5, 5, 8), (20, 9, 9))]))

    assert found.overhang == float("inf")


def test_the_table_is_current():
    """The first page tells the sum of the drawings that its figures were measured in."""
    page = (HERE / "README.md").read_text()

    assert f"<!-- measured from {total(SOURCES['printability'])} -->" in page, "run make drawings"
    assert set(told()) == set(solids.PARTS)


@pytest.mark.parametrize("part", ["gate", "shutter", "foot"])
def test_the_figures_are_the_measured_ones(made, part):
    """The table's row of a part is what its meshes measure."""
    measured = [printability.measured(part, made(edge).mesh[part]) for edge in solids.EDGES]

    assert printability.row(part, measured) in (HERE / "README.md").read_text()


@pytest.mark.parametrize("part", solids.PARTS)
def test_a_hobbyists_printer_can_print_it(part):
    """Walls take two lines of a nozzle, nothing begins in the air, bridges are short, each part holds to the bed."""
    wall, overhang, bridge, first = told()[part]

    assert min(wall) >= THINNEST
    assert max(overhang) <= FARTHEST
    assert max(bridge) <= LONGEST
    assert min(first) >= SMALLEST_CM2

"""The builder's pages: their links work, and their figures match the parts."""

import re

import pytest

from hardware.drawing import sections, solids
from hardware.drawing.stamp import HERE

PAGES = ("README.md", "assembly.md", "bench-hour.md", "circuit.md", "console.md", "parts.md", "safety.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    """Every link on a page leads to an existing file."""
    links = re.findall(r"\]\(([^)#]+)", (HERE / page).read_text())

    assert links
    assert [link for link in links if not (HERE / link).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_that_nobody_has_built_one(page):
    """Every page says that nobody has built the ring, so that no computed figure seems measured."""
    assert re.search(r"[Nn]obody has (built|done)", (HERE / page).read_text())


@pytest.mark.parametrize(("edge", "column"), [(8, 2), (10, 3)])
def test_the_figures_of_the_lane_are_the_drawn_ones(edge, column):
    """The table on the first page has the measures of the printed parts."""
    z = solids.sizes(edge)
    rows = re.findall(r"(?m)^\| ([a-z][^|]+) \|(.+)\|$", (HERE / "README.md").read_text())
    told = {name.strip(): cells.split("|") for name, cells in rows}

    def figure(name):
        return float(told[name][column - 1].split()[0])

    assert figure("width") == pytest.approx(z["lane_w"])
    assert figure("height from the table") == pytest.approx(z["lane_h"])
    assert figure("beams apart") == pytest.approx(z["beam_gap"])
    assert figure("beams above the table") == pytest.approx(z["beam_z"])
    assert figure("sensor's spot on a cube") == pytest.approx(sections.spot(z), abs=0.05)


def test_every_designator_that_the_guide_names_is_in_the_list():
    """Every designator in the assembly guide is in the parts list."""
    named = set(re.findall(r"\b(?:U|D|Q|R|C|S|BZ)\d+\b", (HERE / "assembly.md").read_text()))

    assert named <= set(re.findall(r"\b(?:U|D|Q|R|C|S|BZ)\d+\b", (HERE / "parts.md").read_text()))

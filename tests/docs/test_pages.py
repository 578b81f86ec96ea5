"""What the documentation says about the code is true: walks are short, named files exist, and links lead somewhere."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.architecture import PICTURE, ROOT, WALKS, floors, picture, section, stops

MOST_STOPS = 12
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/**/*.md"), *ROOT.glob("tests/*.md")])
FILE = re.compile(r"`((?:companion|firmware_bridge|rungs|web|tests|hardware|docs)/[\w./<>*-]+)`")
MODULES = re.compile(r"^\| `([\w/]+/)` \| ([\w, ]+) \|$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)")
MADE = ("http:", "https:", "mailto:")


@pytest.mark.parametrize("walk", WALKS.values())
def test_a_walk_has_few_stops_and_each_is_a_file(walk: str) -> None:
    """A walk has at most twelve stops, and each stop is a file that exists."""
    found = stops(walk)

    assert 0 < len(found) <= MOST_STOPS
    assert [path for path in found if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("walk", WALKS.values())
def test_each_module_that_a_walk_lists_is_there(walk: str) -> None:
    """The table below a walk lists modules that exist, and none twice."""
    rows = MODULES.findall(section(walk))
    listed = [ROOT / folder / f"{name}.py" for folder, names in rows for name in names.split(", ")]

    assert listed
    assert len(listed) == len(set(listed))
    assert [path for path in listed if not path.is_file()] == []


def test_the_picture_shows_the_floors_that_imports_are_held_to() -> None:
    """The picture shows the current contracts and walks; `make architecture` draws it again."""
    assert PICTURE.read_text(encoding="utf-8") == picture()


def test_every_folder_of_a_room_stands_on_a_floor() -> None:
    """Every folder with Python is in the contracts."""
    for room, layers in floors().items():
        known = {folder for floor in layers for folder in floor}
        there = {path.parent.name for path in (ROOT / room).glob("*/__init__.py")}

        assert there <= known, room


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path) -> None:
    """Every file and folder that a page names exists, and each link within the project leads somewhere."""
    text = page.read_text(encoding="utf-8")
    named = [path for path in FILE.findall(text) if "<" not in path and not list(ROOT.glob(path.rstrip("/")))]
    links = [link for link in LINK.findall(text) if not link.startswith(MADE) and not (page.parent / link).exists()]

    assert (named, links) == ([], [])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_row_of_a_table_is_one_line(page: Path) -> None:
    """Each row of a table is one line that ends with a bar, and a blank line follows the table."""
    lines = FENCED.sub("", page.read_text("utf-8")).splitlines()
    rows = [(row, after) for row, after in pairwise([*lines, ""]) if row.startswith("|")]

    assert [row for row, after in rows if not row.rstrip().endswith("|") or (after.strip() and after[0] != "|")] == []

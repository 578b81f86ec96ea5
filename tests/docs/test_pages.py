"""What the documentation says about the code is true: walks are short, named files exist, and links lead somewhere."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.architecture import PICTURE, ROOT, WALKS, floors, picture, section, stops

MOST_STOPS = 12
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/**/*.md"), *ROOT.glob("tests/*.md")])
ROOMS = ("companion", "firmware_bridge", "rungs", "web", "tests", "hardware", "docs")
FILE = re.compile(rf"`((?:{'|'.join(ROOMS)})/[\w./<>*-]+)`")
MODULES = re.compile(r"^\| `([\w/]+/)` \| ([\w, ]+) \|$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"`(\w+\.py)`")
PARAGRAPH = re.compile(r"\n\n|\n(?=\|)")
"""What separates two paragraphs, or two rows of a table."""
ON_A_BOARD = {"own.py"}
"""Modules that are only on the flash of a board."""
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


def modules_elsewhere(text: str) -> list[str]:
    """Return the modules that *text* names without a folder and that are in no folder that their paragraph names.

    If the paragraph names no folder, the module may be anywhere in the project.

    >>> modules_elsewhere("`companion/games/draws/` has `tower.py` and `table.py`.")
    ['table.py']
    """
    missing = []
    for paragraph in PARAGRAPH.split(FENCED.sub("", text)):
        paths = [path for name in FILE.findall(paragraph) if "<" not in name for path in ROOT.glob(name.rstrip("/"))]
        folders = [path if path.is_dir() else path.parent for path in paths] or [ROOT / room for room in ROOMS]
        names = set(MODULE.findall(paragraph)) - ON_A_BOARD
        missing += [name for name in sorted(names) if not any(any(folder.rglob(name)) for folder in folders)]
    return missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_module_that_a_page_names_is_there(page: Path) -> None:
    """Each module that a page names without its folder exists in a folder that the same paragraph names."""
    assert modules_elsewhere(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_row_of_a_table_is_one_line(page: Path) -> None:
    """Each row of a table is one line that ends with a bar, and a blank line follows the table."""
    lines = FENCED.sub("", page.read_text("utf-8")).splitlines()
    rows = [(row, after) for row, after in pairwise([*lines, ""]) if row.startswith("|")]

    assert [row for row, after in rows if not row.rstrip().endswith("|") or (after.strip() and after[0] != "|")] == []

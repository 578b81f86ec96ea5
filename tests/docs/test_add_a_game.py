"""What docs/add-a-game.md shows and lists exists in the code."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Flask, template_rendered

from companion.model.game import Game, GameDefaults
from companion.model.tellings import Telling
from tests.docs.architecture import ROOT
from tests.sum_game.house import SumHouse

TEXT = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(python|html)\n(.*?)^```", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"`(from\s[^`]+ import [^`]+)`")
CODE = re.compile(r"`([a-z_]+)\b")
CHAPTERS = re.compile(r"`([^`]*\bdrawing\.(?!py)[^`]+)`")
FOLDER = ROOT / "tests" / "sum_game"
KINDS = {"python": "*.py", "html": "*.html"}


def part(start: str, end: str) -> set[str]:
    """Return the names in code between two passages of the document."""
    return set(CODE.findall(TEXT[TEXT.index(start) : TEXT.index(end)]))


def members(kind: type) -> set[str]:
    """Return the public members of a class."""
    return {name for name in vars(kind) if not name.startswith("_")}


def test_each_block_of_code_is_in_the_example() -> None:
    """Every block of Python or HTML, and every import, is literally in a file of `tests/sum_game`."""
    imports = [("python", " ".join(each.split()) + "\n") for each in IMPORT.findall(TEXT)]
    blocks = [*BLOCK.findall(TEXT), *imports]
    files = {kind: [path.read_text(encoding="utf-8") for path in FOLDER.rglob(KINDS[kind])] for kind in KINDS}

    assert min(len(imports), len(blocks) - len(imports)) > 7
    assert [code for kind, code in blocks if not any(code in text for text in files[kind])] == []


def test_the_chapters_that_it_joins_are_those_of_a_draw_table() -> None:
    """The code with a draw table's chapters is literally in its rules."""
    rules = " ".join((ROOT / "companion" / "games" / "draws" / "rules.py").read_text(encoding="utf-8").split())
    shown = CHAPTERS.findall(TEXT)

    assert len(shown) == 2
    assert [code for code in shown if code not in rules] == []


def test_each_member_of_the_protocol_is_listed() -> None:
    """The first table lists what a game must define; defaults and optional parts are listed as such."""
    needed = part("These members are left to write", "These have a default")
    optional = part("These have a default", "In `start`") | part("Properties of `Game`", "Twelve colours")

    assert members(Game) - members(GameDefaults) <= needed
    assert members(GameDefaults) <= optional


def test_each_argument_of_a_telling_is_listed() -> None:
    """The table of a `Telling` lists all its arguments."""
    assert set(Telling.__dataclass_fields__) <= part("| `Telling(...)`", "A whole row may be")


def test_what_every_template_has_is_there(tmp_path: Path) -> None:
    """The names that the document promises to templates are in every page's context."""
    house, seen = SumHouse(tmp_path), set[str]()

    def record(app: Flask, template: object, context: dict[str, object], **more: object) -> None:
        seen.update(context)

    with template_rendered.connected_to(record, house.app):
        house.host().get("/help")
    there = seen | set(house.app.jinja_env.globals) | set(house.app.jinja_env.filters)
    house.ledger.close()

    assert part("Every template has", "**Narrow pages only**") - there == set()

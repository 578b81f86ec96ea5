"""A part of the campaign, and what the walk itself must see; all of it is `python -m tests.offered`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.kernel.fields import Line
from companion.session.commands import Pause
from tests.offered.evening import examined
from tests.offered.house import HOST, OfferedHouse
from tests.offered.page import Page, Sending
from tests.offered.walk import seek, walk

EXCUSE: Line = {"do": "excuse", "player": "blue"}


def begun(folder: Path, players: int = 3) -> OfferedHouse:
    """Open a game of Andromeda, set up and in its first trading phase, without rulings and without a ring."""
    house = OfferedHouse(folder, "andromeda", players, Random(1), rulings=False, ring=False)
    while str(house.state.phase) != "trading":
        house.step()
    return house


def laid(house: OfferedHouse, colour: str, card: str) -> None:
    """Give *colour* the credit *card*, and let the player lay it."""
    house.table.do({"do": "correct", "player": colour, "reason": "x", "bonus": {card: 1}}, HOST)
    house.table.do({"do": "lay", "player": colour, "card": card}, HOST)


@pytest.mark.parametrize("name", ["andromeda", "draws", "hanse", "wreck"])
def test_what_is_offered_is_accepted_and_the_other_way_round(tmp_path: Path, name: str) -> None:
    """At random positions, tablet, phones, spectators and console are offered exactly the actions that are accepted."""
    found = examined(tmp_path, name, positions=1, lots=Random(name), pages=6, sought=2)

    assert [str(fault) for fault in found.faults] == []
    assert found.pages > 10


@pytest.mark.parametrize("who", ["host", "seat"])
def test_who_has_laid_a_credit_can_be_excused(tmp_path: Path, who: str) -> None:
    """A credit on the table is not in hand any more, so its player may sit out."""
    house = begun(tmp_path)
    starter = house.state.starter
    other = next(colour for colour in house.state.colours if colour != starter)
    house.table.do({"do": "lay", "player": starter, "card": "p1"}, HOST)
    laid(house, other, "silver")
    for colour in house.state.colours:
        if colour not in (starter, other):
            house.table.do({"do": "lay", "player": colour, "card": None}, HOST)
    house.now += 60
    house.table.do({"do": "lay", "player": starter, "card": "p2"}, HOST)
    line = {"do": "excuse", "player": other}

    missing = seek(house, "host" if who == "host" else other, line, 60)

    assert house.accepts("host", line)
    assert missing == ""
    house.close()


def test_no_page_of_a_tablet_depends_on_a_hidden_credit(tmp_path: Path) -> None:
    """Until the rules are asked, the tablet's page doesn't depend on who holds the only credit in play."""
    pages = []
    for at, holder in enumerate(("red", "blue")):
        folder = tmp_path / str(at)
        folder.mkdir()
        house = begun(folder)
        holder = house.state.colours[at]
        house.table.do({"do": "correct", "player": holder, "reason": "x", "bonus": {"silver": 1}}, HOST)
        house.table.do({"do": "lay", "player": house.state.starter, "card": "p1"}, HOST)
        other = next(colour for colour in house.state.colours if colour != house.state.starter)
        page = house.look("host", f"/table?seat={other}")[2]
        pages.append(
            [(link.words, link.address) for link in page.links] + [tuple(each.words for each in page.sendings)]
        )
        house.close()

    assert pages[0] == pages[1]


def test_the_walk_sees_a_button_that_is_refused(tmp_path: Path) -> None:
    """A tap on a line that the rules refuse is refused, and one on an accepted line has no effect during a walk."""
    house = begun(tmp_path)
    starter = house.state.starter
    before = house.table.snapshot.version

    lay = house.tap("host", _line({"do": "lay", "player": starter, "card": "p1"}, house))
    swap = house.tap("host", _line({"do": "swap", "player": starter, "with": starter}, house))

    assert (lay.accepted, swap.accepted) == (True, False)
    assert house.table.snapshot.version == before
    house.close()


def test_a_paused_table_offers_its_host_to_go_on_and_no_move(tmp_path: Path) -> None:
    """While the game is paused no page offers a line."""
    house = begun(tmp_path)
    house.table.execute(Pause(), HOST)

    found, _ = walk(house, "host", Random(1), 12)

    assert found.faults == []
    assert all("line" not in dict(each.fields) for each in house.look("host", "/table")[2].sendings)
    house.close()


def test_a_form_sends_what_a_browser_would() -> None:
    """A form sends hidden fields, ticked and chosen values, and the tapped button, but nothing that is disabled."""
    page = Page(
        '<form method="post" action="/x"><input type="hidden" name="a" value="1">'
        '<input type="radio" name="r" value="1"><input type="radio" name="r" value="2" checked>'
        '<input type="checkbox" name="c" checked>'
        '<button name="b" value="3">Go</button><button name="b" value="4" disabled>No</button></form>'
    )

    sent = [(each.words, dict(each.fields)) for each in page.sendings]

    assert sent == [
        ("Go", {"a": "1", "r": "2", "c": "on", "b": "3"}),
        ("Go [r=1]", {"a": "1", "r": "1", "c": "on", "b": "3"}),
    ]


def test_a_form_that_is_typed_in_has_a_button_of_its_own_for_enter() -> None:
    """In a form with several buttons the first one has no label, so that Enter makes no choice by accident."""
    field, choice, other = '<input name="a">', '<button name="b" value="1">Ana</button>', "<button>Go</button>"
    forms = (f"{field}{choice}{other}", f"{field}<button></button>{choice}", f"{field}{other}", f"{choice}{other}")

    found = [form.typed and form.by_enter for body in forms for form in Page(f"<form>{body}</form>").forms]

    assert found == ["Ana", "", "", 0]


def test_a_field_that_is_typed_in_is_kept() -> None:
    """A field inside of [data-keeps], however deep, keeps its text; one next to it does not."""
    page = Page(
        '<form><p data-keeps><label><input name="a" /></label><br /></p><input name="b" />'
        '<textarea name="c"></textarea><input type="radio" name="d"></form>'
        '<form data-keeps="x"><div><input name="e" type="number"></div></form>'
    )

    assert [form.forgets for form in page.forms] == [["b", "c"], []]


def _line(line: Line, house: OfferedHouse) -> Sending:
    import json

    csrf = house.browsers["host"].csrf
    return Sending("line", "/table/do", (("csrf", csrf), ("line", json.dumps(dict(line)))))

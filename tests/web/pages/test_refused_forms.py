"""A refused form keeps all entered values; the wrong field is marked and has the reason next to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

import web
from companion.app.club_link import ClubLink
from companion.games.registry import GAMES
from companion.kernel.supervisor import Supervisor
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.web.applications import lent_app
from tests.web.served_house import HOST, ServedHouse, ToldRing
from tests.web.told_instrument import ToldInstrument
from web.games.registry import COVERS

FOLDER = Path(web.__file__).parent
TEMPLATES = sorted(set(FOLDER.rglob("templates/**/*.html")) - set((FOLDER / "club").rglob("*.html")))
"""All templates of a table; the pages of a club are a separate application."""
INPUT = re.compile(r"<input\b[^>]*?/>", re.DOTALL)
GET_FORM = re.compile(r'<form\b[^>]*?method="get".*?</form>', re.DOTALL)
VALUES = {f"value_p{planet}_{at}": str(4 + (planet + at) % 9) for planet in range(1, 8) for at in range(3)}
NUMBERS = {f"{name}{at}": "3" for name in ("aboard", "trained") for at in (1, 2, 3)}
ODD = "Zoe\u202e"
HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "contents": {"red": 3, "blue": 2},
    "virtual": True,
}


@dataclass(frozen=True)
class Refusal:
    """The page of a form, the values entered, and the sentence expected next to the field."""

    page: str
    action: str
    entered: dict[str, Any]
    wrong: str
    says: str
    host: bool = True


REFUSALS = {
    "pin": Refusal("/pin", "/pin", {"pin": "12"}, "pin", "Wrong PIN", host=False),
    "pin of a table": Refusal("/join", "/join", {"pin": "12"}, "pin", "Wrong PIN", host=False),
    "new": Refusal("/games?show=names&of=Ana", "/names", {"new": "x" * 19}, "new", "up to 18 letters"),
    "code": Refusal("/device?show=club", "/device/club", {"code": "hello"}, "code", "isn't the code"),
    "words": Refusal("/games/1/verify", "/games/1/words", {"words": ODD}, "words", "words can't have"),
    "penalty": Refusal("/table/clock", "/table/pace", {"penalty": ODD}, "penalty", "one line of up to"),
    "copy": Refusal("/ring/teach", "/ring/teach/begin", {"copy": ODD, "others": "pink"}, "copy", "name of the copy"),
    "others": Refusal("/ring/teach", "/ring/teach/begin", {"copy": "Ours", "others": ODD}, "others", "colours can't"),
    "colour": Refusal("/welcome?step=cubes", "/welcome/cubes", {"colour": ["orange"]}, "colour", "2 to 12 colours"),
    "file": Refusal("/games?show=files", "/games/files", {}, "file", "choose a file"),
    "file of a replay": Refusal("/replay", "/replay", {}, "file", "Choose a file"),
    "file of a calibration": Refusal("/ring?show=calibrations", "/ring/calibrations", {}, "file", "choose a file"),
    "label_*": Refusal("/welcome?step=board", "/welcome/board", {**VALUES, "label_p1": ODD}, "label_p1", "U+202E"),
    "value_*_*": Refusal("/welcome?step=board", "/welcome/board", {"value_p3_1": "x"}, "value_p3_1", "not x"),
    "keep": Refusal("/new?game=andromeda", "/new", {"keep": ODD}, "keep", "U+202E"),
    "keep of a board": Refusal("/welcome?step=board", "/welcome/board", {**VALUES, "keep": ODD}, "keep", "U+202E"),
    "name*": Refusal("/new?game=hanse", "/new", {"name1": "Zoe", "name2": "zoe"}, "name2", "called"),
    "name* of draws": Refusal("/new?game=draws&players=2", "/new", {"name2": ODD, "back": "on"}, "name2", "Seat 2"),
    "colour*": Refusal("/new?game=andromeda", "/new", {"colour2": "red"}, "colour2", "both have"),
    "label_* of a game": Refusal("/new?game=andromeda", "/new", {"label_p2": ODD}, "label_p2", "U+202E"),
    "value_*_* of a game": Refusal("/new?game=andromeda", "/new", {"value_p2_1": "x"}, "value_p2_1", "not x"),
    "c_*": Refusal("/new?game=draws", "/new", {"c_red": "1000"}, "c_red", "0 to"),
    "species*": Refusal("/new?game=wreck", "/new", {"species1": ODD}, "species1", "U+202E"),
    "aboard*": Refusal("/new?game=wreck", "/new", {"aboard1": "99", "trained1": "3"}, "aboard1", "not 99"),
    "trained*": Refusal("/new?game=wreck", "/new", {"aboard1": "3", "trained1": "x"}, "trained1", "not x"),
    "place*": Refusal(
        "/new?game=wreck", "/new", {"aboard1": "3", "trained1": "3", "per1": "2", "place1": ODD}, "place1", "U+202E"
    ),
    "tech*": Refusal("/new?game=wreck", "/new", {**NUMBERS, "tech2": ODD}, "tech2", "Technology 2"),
    "per*": Refusal("/new?game=wreck", "/new", {"aboard1": "3", "trained1": "3", "per1": "x"}, "per1", "not x"),
}
"""Every kind of field in a form that changes something, by its name in the templates."""
CHOSEN = {"players", "first", "measure", "sure", "damaged", "names", "vaccine", "cells", "by", "*", "own"}
"""Fields whose values are choices that a page offers, and the one whose button requests the same page again."""


@dataclass
class Field:
    """One field of a form as a browser sees it."""

    name: str
    kind: str
    value: str
    ticked: bool
    invalid: bool
    says: str


@dataclass
class Form(HTMLParser):
    """The visible fields of the form for *action* in *html*, and its hidden fields."""

    html: str
    action: str
    fields: list[Field] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    sentence: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._inside = self._says = False
        self._group = ""
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._says = given.get("id") == "wrong"
        if tag == "form":
            self._inside = given.get("action") == self.action
        if given.get("role") == "radiogroup":
            self._group = given.get("aria-describedby", "") if "aria-invalid" in given else ""
        kind = given.get("type", "text")
        if tag != "input" or not self._inside or kind == "submit":
            return
        if kind == "hidden":
            self.hidden[given["name"]] = given.get("value", "")
            return
        says = self._group if kind == "radio" else given.get("aria-describedby", "")
        invalid = given.get("aria-invalid") == "true" or (kind == "radio" and bool(self._group))
        value = given.get("value", "on" if kind == "checkbox" else "")
        self.fields.append(Field(given["name"], kind, value, "checked" in given, invalid, says))

    def handle_endtag(self, tag: str) -> None:
        if tag == "div":
            self._group = ""

    def handle_data(self, data: str) -> None:
        self.sentence += data if self._says else ""
        self._says = self._says and not data

    def entered(self) -> dict[str, list[str]]:
        """Return what a browser sends for the visible fields."""
        sent: dict[str, list[str]] = {}
        for each in self.fields:
            if each.kind != "file" and (each.ticked or each.kind not in ("checkbox", "radio")):
                sent.setdefault(each.name, []).append(each.value)
        return sent


@pytest.fixture
def house(tmp_path: Path) -> Iterator[ServedHouse]:
    """A server with every game, a ring with an instrument, and a game of three on its table."""
    house = ServedHouse(tmp_path, ToldRing(instrument=ToldInstrument()))
    house.table = Table(LiveGame(house.ledger, GAMES, house.now, Random(5)))
    house.app = lent_app(
        *(house.table, house.ring, COVERS, house.access, house.now),
        people=house.people,
        threads=Supervisor(),
        club=lambda: ClubLink(house.table, tmp_path, print, Supervisor(), []),
    )
    house.table.open(HEADER, HOST)
    yield house
    house.table.close()
    house.ledger.close()


def browser_of(house: ServedHouse, host: bool) -> FlaskClient:
    """Return a browser of the host, or of a visitor."""
    return house.host().client if host else house.visitor()


def names_in(template: str) -> set[str]:
    """Return the names of editable fields in a template's POST forms, with `*` for variable parts."""
    inputs = INPUT.findall(GET_FORM.sub("", template))
    typed = [each for each in inputs if not re.search(r'type="(hidden|submit)"', each)]
    named = filter(None, (re.search(r'\bname="(.*?)"', each) for each in typed))
    return {re.sub(r"\{\{.*?\}\}", "*", each[1]) for each in named}


def test_every_field_has_a_refusal() -> None:
    """Forms: each field in a template has a row above, or is a choice that the page offers."""
    found = set().union(*(names_in(each.read_text(encoding="utf-8")) for each in TEMPLATES))

    assert found - {name.partition(" of ")[0] for name in REFUSALS} - CHOSEN == set()


def test_every_form_says_where_it_is() -> None:
    """Forms: each form that changes something names its page; the new-game form's page is its own URL."""
    for template in TEMPLATES:
        for form in re.findall(
            r'<form\b[^>]*?method="post".*?</form>', template.read_text(encoding="utf-8"), re.DOTALL
        ):
            assert 'action="/new"' in form or "sent_along()" in form, template.name


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refused_form_comes_back_whole(house: ServedHouse, name: str) -> None:
    """Forms: even without a script, all entered values are filled in again, and the wrong field shows the reason."""
    refusal = REFUSALS[name]
    client = browser_of(house, refusal.host)
    form = Form(client.get(refusal.page).get_data(as_text=True), refusal.action)
    entered = {**form.entered(), **refusal.entered}
    answer = client.post(refusal.action, data={**form.hidden, **entered}, follow_redirects=True)

    again = Form(answer.get_data(as_text=True), refusal.action)
    sent = {key: value if isinstance(value, list) else [value] for key, value in entered.items()}
    assert answer.status_code == 200
    assert again.entered() == sent
    assert {each.name for each in again.fields if each.invalid and "wrong" in each.says.split()} == {refusal.wrong}
    assert refusal.says in again.sentence


def test_what_was_entered_comes_back_once(house: ServedHouse) -> None:
    """Forms: the next request for the page shows the page's own values again."""
    client = house.host().client
    form = Form(client.get("/games?show=names&of=Ana").get_data(as_text=True), "/names")
    first = client.post("/names", data={**form.hidden, "new": ODD}, follow_redirects=True)
    second = client.get("/games?show=names&of=Ana")

    assert Form(first.get_data(as_text=True), "/names").entered() == {"new": [ODD]}
    assert Form(second.get_data(as_text=True), "/names").entered() == {"new": ["Ana"]}


def test_nobody_chooses_a_file_twice(house: ServedHouse, tmp_path: Path) -> None:
    """Files: an import that needs a confirmation is stored for the device that sent it; other devices can't find it."""
    (tmp_path / "other").mkdir()
    other = ServedHouse(tmp_path / "other")
    first, second = tmp_path / "first.sqlite", tmp_path / "second.sqlite"
    assert house.table.archive.night(first)
    house.table.rename("Ana", "Anna")
    assert house.table.archive.night(second)
    table = Table(LiveGame(other.ledger, GAMES, house.now, Random(5)))
    other.app = lent_app(table, None, COVERS, other.access, house.now)
    table.importer.merge_from(first)
    client, upload = other.host().client, (BytesIO(second.read_bytes()), "second.sqlite")

    form = Form(client.get("/games?show=files").get_data(as_text=True), "/games/files")
    sent = client.post("/games/files", data={**form.hidden, "file": upload}, follow_redirects=True)
    asked = Form(sent.get_data(as_text=True), "/games/files")
    assert [each.name for each in asked.fields] == ["names"]
    assert "Import second.sqlite." in asked.html
    stranger = other.host()
    stranger.post("/games/files", names="1")
    assert "Ana" in table.archive.people()
    client.post("/games/files", data={**asked.hidden, "names": "1"})
    assert "Ana" not in table.archive.people()
    table.close()
    other.ledger.close()

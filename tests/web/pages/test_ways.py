"""The links between pages: the number of taps to each page from home or the menu, and the number of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.figures.traced import is_page
from tests.web.games.andromeda.room import Room
from tests.web.games.andromeda.test_seat_page import Phone

ROOT = Path(__file__).parents[3]
TEMPLATES = sorted(ROOT.glob("web/**/*.html"))
LINK = re.compile(r'href="(/[^"#]*)')
TAPS, TAPS_IN_PLAY = 3, 2
IN_PLAY = {"/help", "/history", "/join", "/table", "/table/clock", "/table/correct", "/device", "/ring", "/fairness"}
"""Addresses that a host uses during a game."""
ELSEWHERE = {
    "/table/undo": "is opened by the button for undo, where that asks first",
    "/games/<int:game_id>/after": "needs a game that is over",
    "/house/off": "needs a computer that can be switched off from here",
    "/ring/check": "needs a ring",
    "/statistics/player": "needs a game that is over",
    "/games/<int:game_id>/so-far": "needs a damaged game",
    "/games/<int:game_id>/verify": "needs a game whose draws are sealed",
    "/replay/<key>": "needs a file",
}
"""Pages that no link leads to in a game without a ring, with the reason."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A table at the first action, for the host."""
    made = Room(tmp_path).in_actions()
    yield made
    made.table.close()


def links(client: FlaskClient, address: str) -> set[str]:
    """Return the links of the page at *address*."""
    answer = client.get(address, follow_redirects=True)
    if answer.mimetype != "text/html":
        return set()
    return {found.replace("&amp;", "&") for found in LINK.findall(answer.get_data(as_text=True))}


def reached(room: Room, start: str, taps: int) -> set[str]:
    """Return the rules of all pages that are at most *taps* links from *start*."""
    matcher = room.app.url_map.bind("localhost")
    seen, now, found = {start}, {start}, set[str]()
    for _ in range(taps):
        now = {link for address in now for link in links(room.client, address)} - seen
        now = {link for link in now if not link.startswith(("/static", "/api"))}
        seen |= now
    for address in seen:
        rule = matcher.match(urlsplit(address).path, return_rule=True)[0]
        found |= {rule.rule, urlsplit(address).path}
    return found


def pages(room: Room) -> list[Rule]:
    """Return the rules of all pages for users."""
    return [rule for rule in room.app.url_map.iter_rules() if "GET" in (rule.methods or ()) and is_page(rule)]


def test_every_page_is_three_taps_from_home_or_menu(room: Room) -> None:
    """Links: from home or from the menu, every page is at most three taps away."""
    found = reached(room, "/", TAPS) | reached(room, "/table/menu", TAPS)

    assert {rule.rule for rule in pages(room)} - found == set(ELSEWHERE)


def test_pages_of_play_are_two_taps_from_the_menu(room: Room) -> None:
    """Links: what a host needs during a game is at most two taps from the menu."""
    assert reached(room, "/table/menu", TAPS_IN_PLAY) >= IN_PLAY


def test_no_link_of_a_phone_is_refused(room: Room) -> None:
    """Links: each link that a seat's phone shows, up to three taps from its table, leads to a page it may open."""
    phone, seen = Phone(room, room.state.turn), set[str]()
    now = {"/table", "/table/menu"}
    for _ in range(TAPS):
        seen |= now
        now = {link for address in now for link in links(phone.client, address) if "/static/" not in link} - seen

    refused = [address for address in sorted(seen | now) if phone.client.get(address).status_code in (401, 403)]
    assert f"/games/{room.snapshot.game_id}/replay" in seen
    assert refused == []


def test_there_are_few_pages(room: Room) -> None:
    """Links: apart from the steps of games, there are at most 28 pages."""
    assert len({rule.rule for rule in pages(room)}) <= 28


def test_the_menu_is_seven_rows(room: Room) -> None:
    """The menu's rows after Pause are Help, What happened, Change the board, Phones, Settings and End the game."""
    rows = re.findall(r'<a class="act" href="([^"]+)"', room.look("/table/menu").html)

    assert rows == ["/help", "/history", "/table/correct", "/join", "/table/menu?of=settings", "/table/menu?of=end"]


MEANS = {"ask": "[Hh]elp", "quiet": "hush", "lock": "/pin|[Hh]ost"}
"""For each icon with only one meaning in all templates, the text that must be near it."""


@pytest.mark.parametrize(("icon", "meaning"), MEANS.items())
def test_an_icon_has_one_meaning(icon: str, meaning: str) -> None:
    """The question mark means help, the bubble means the quiet table, and the lock means the host."""
    used = re.compile(rf'(?:icon|captioned|row|also)\([^()]*"{icon}"')
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES]
    found = [text[max(0, at.start() - 200) : at.end() + 200] for text in texts for at in used.finditer(text)]

    assert found
    assert [near for near in found if not re.search(meaning, near)] == []

"""Announcements for screen readers: a swapped part contains, once, the sentences since the last version shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.web.games.andromeda.room import Room

LIVE = re.compile(r'role="(?:status|alert|log)"|aria-live="(?!off)')
PLACES = ("/table", "/table/board", "/table/menu", "/table/clock", "/help?ask", "/games", "/")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A table for four at the first action."""
    made = Room(tmp_path).in_actions()
    yield made
    made.table.close()


def told(room: Room, path: str = "/table", **headers: str) -> list[str]:
    """Return the sentences that a part of a page contains, by version."""
    page = room.client.get(path, headers={"X-Part": "main", **headers}).get_data(as_text=True)
    found = json.loads(unescape(page.partition('data-told="')[2].partition('"')[0]))
    assert [version for version, _ in found] == sorted({version for version, _ in found})
    return [text for _, text in found]


def test_a_page_is_told_what_it_has_not_shown(room: Room) -> None:
    """Announcements: there is one sentence for each version since the shown version; a newly opened page has none."""
    shown = str(room.snapshot.version)
    room.attempt(4).out("blue").out("red")

    assert told(room, **{"X-Shown": shown}) == [
        "Ana tries for the 9 at Ringworld: 2 draws.",
        "Ben's station flies home.",
        "Ana takes the 9 at Ringworld. Ana earns a silver credit.",
    ]
    assert told(room, "/games/1/replay", **{"X-Shown": str(room.snapshot.version)}) == told(room) == []


def test_a_page_is_told_as_much_as_its_device_wants(room: Room) -> None:
    """Announcements: "few" gives only turns and results; an unknown value counts as the usual one."""
    shown = str(room.snapshot.version)
    room.attempt(4).out("red")
    few, strange = (told(room, **{"X-Shown": shown, "X-Words": words}) for words in ("few", "loud"))

    assert few == ["Ana takes the 9 at Ringworld."] and len(strange) == 2


@pytest.mark.parametrize("shown", ["x", "-1", "", "٣", "9" * 30])
def test_nonsense_in_the_header_is_no_news(room: Room, shown: str) -> None:
    """Announcements: an invalid version counts as no version."""
    assert told(room, **{"X-Shown": shown.encode().decode("latin-1")}) == []


def test_nothing_that_is_swapped_speaks_by_itself(room: Room) -> None:
    """Announcements: no part of a page is a live region, since every swap would be announced again."""
    room.attempt(4).out("blue")
    parts = [room.client.get(path, headers={"X-Part": "main"}).get_data(as_text=True) for path in PLACES]

    assert [LIVE.findall(part) for part in parts] == [[]] * len(PLACES)


def test_what_speaks_stands_beside_what_is_swapped(room: Room) -> None:
    """Announcements: every page except the big screen has one log, one alarm and one answer region."""
    page, screen = (room.client.get(path).get_data(as_text=True) for path in ("/table", "/screen"))

    assert [page.count(f'id="{place}"') for place in ("told", "alarm", "answer")] == [1, 1, 1]
    assert 'id="told"' not in screen


@pytest.mark.parametrize("path", PLACES)
def test_the_first_link_of_a_page_skips_its_bar(room: Room, path: str) -> None:
    """Landmarks: every page has one main element, one main heading, and a skip link past the bar."""
    page = room.client.get(path).get_data(as_text=True)

    assert page.count("<main") == page.count("<h1") == page.count('id="content"') == 1
    assert page.index('href="#content"') < page.index("<button")


@pytest.mark.parametrize(
    ("path", "regions"),
    [
        ("/table", ("Board", "What can Ana do?", "What happened", "Score")),
        ("/table/act/establish", ("Board", "Establish a centre", "Score")),
        ("/games/1/replay", ("What happened", "Steps", "Score")),
        ("/help?ask", ("Questions",)),
    ],
)
def test_what_a_page_is_made_of_has_a_name(room: Room, path: str, regions: tuple[str, ...]) -> None:
    """Landmarks: question, board, score and history are regions that screen readers can jump to."""
    page = unescape(room.client.get(path).get_data(as_text=True))

    assert [name for name in regions if f'aria-label="{name}"' not in page] == []

"""Replay: any game can be seen step by step, even without a script or from an upload, and downloaded as a file."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from flask import Flask

from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.session.table import Table
from tests.companion.stored_games import record_of, shelf
from tests.web.served_house import Browser
from web import HostPin, make_app
from web.games.registry import COVERS

KINDS = list(GAMES)
LINES = 60


@dataclass
class Library:
    """A server whose ledger has a game of each kind."""

    table: Table
    app: Flask
    access: HostPin
    numbers: dict[str, int]
    records: dict[str, list[Line]]

    def host(self) -> Browser:
        """Return a browser that has entered the PIN."""
        browser = Browser(self.app.test_client())
        browser.post("/pin", pin=self.access.pin)
        return browser

    def page(self, address: str) -> str:
        """Return the page that a visitor gets at *address*, where {andromeda} and the like are numbers of games."""
        answer = self.app.test_client().get(address.format(**self.numbers))
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer.get_data(as_text=True)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A game of each kind, none of them on the table."""
    folder = tmp_path_factory.mktemp("library")
    records = {name: record_of(name, "library")[:LINES] for name in KINDS}
    table, numbers = shelf(folder, list(records.values()))
    access = HostPin(folder)
    app = make_app(table, None, COVERS, access, time.monotonic)
    yield Library(table, app, access, dict(zip(KINDS, numbers, strict=True)), records)
    table.close()


def said(page: str) -> str:
    """Return the sentence that *page* shows for its step, without tags."""
    found = re.search(r'<span class="say">(.*?)</span>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]*>", " ", found[1]).split())


def way(page: str, name: str) -> str:
    """Return the address of the button *name* of a page, or "" if it has none."""
    found = re.search(rf'href="([^"]*)"[^>]*data-way="{name}"', page)
    return found[1].replace("&amp;", "&") if found else ""


@pytest.mark.parametrize("name", KINDS)
def test_every_button_is_a_link_from_step_to_step(library: Library, name: str) -> None:
    """Replay: without a script, links lead from the first step to the last and back."""
    page, seen = library.page(f"/games/{library.numbers[name]}/replay?at=0"), []
    for _step in range(6):
        page = library.page(way(page, "on"))
        seen.append(said(page))
    for _step in range(5):
        page = library.page(way(page, "back"))
        seen.append(said(page))
    last = library.page(way(page, "last"))

    assert seen[6:] == seen[4::-1]
    assert (way(last, "on"), way(last, "last")) == ("", "")
    assert said(library.page(way(last, "first"))) == "The game begins."


@pytest.mark.parametrize("name", KINDS)
def test_the_last_step_is_shown_where_none_is_asked_for(library: Library, name: str) -> None:
    """Replay: without a step, or beyond the last one, the last is shown; before the first one, the first is shown."""
    address = f"/games/{library.numbers[name]}/replay"

    assert said(library.page(address)) == said(library.page(f"{address}?at=999999"))
    assert said(library.page(f"{address}?at=-5")) == "The game begins."


@pytest.mark.parametrize("name", ["andromeda", "draws"])
def test_a_game_that_is_over_ends_on_its_board(name: str, tmp_path: Path) -> None:
    """The last step of a finished game shows the board, not only who won."""
    table, (number,) = shelf(tmp_path, [record_of(name, "library")])
    app = make_app(table, None, COVERS, HostPin(tmp_path), time.monotonic)
    page = app.test_client().get(f"/games/{number}/replay").get_data(as_text=True)
    assert 'class="worlds"' in page if name == "andromeda" else 'class="panel tallied closing grow"' in page


def test_rounds_and_draws_can_be_leapt_to(library: Library) -> None:
    """Replay: buttons jump to the next round or draw; a game without a ring has no button for draws."""
    page = library.page("/games/{andromeda}/replay?at=0")
    drawn = library.page(way(page, "draw-on"))
    rounded = library.page(way(page, "part-on"))

    assert "station comes out" in said(drawn)
    assert "Round 1" in library.page(way(rounded, "part-on"))
    assert 'data-way="draw-on"' not in library.page("/games/{hanse}/replay?at=0")


def test_what_was_taken_back_is_shown_by_choice(library: Library) -> None:
    """Replay: undone lines are left out, or struck out on request."""
    record = library.records["andromeda"]
    undone = next(at for at, line in enumerate(record) if line["do" if at else "record"] == "undo") - 1

    assert "<del>" not in library.page(f"/games/{{andromeda}}/replay?at={undone}")
    assert "<del>" in library.page(f"/games/{{andromeda}}/replay?at={undone}&undone=1")


def test_two_games_stand_side_by_side_each_with_its_own_step(library: Library) -> None:
    """Replay: each of two games has a frame of its own, which only this server may embed."""
    page = library.page("/games/{andromeda}/replay?at=7&beside={wreck}&beside_at=9&undone=1")
    frames = [each.replace("&amp;", "&") for each in re.findall(r'<iframe[^>]*src="([^"]*)"', page)]
    answer = library.app.test_client().get(frames[1])

    assert len(frames) == 2
    assert 'data-at="7"' in library.page(frames[0])
    assert 'data-at="9"' in answer.get_data(as_text=True)
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert library.app.test_client().get("/games").headers["X-Frame-Options"] == "DENY"


def test_a_record_is_looked_through_and_nothing_of_it_is_kept(library: Library) -> None:
    """Replay: the host uploads a file, anybody with its address can see it, and the ledger doesn't store it."""
    host, games = library.host(), len(library.table.archive.games())
    text = "".join(json.dumps(line) + "\n" for line in library.records["wreck"])
    sent = {"csrf": host.csrf, "file": (BytesIO(text.encode()), "night.jsonl")}
    answer = host.client.post("/replay", data=sent)
    address = answer.headers["Location"]

    assert (answer.status_code, address[:8]) == (303, "/replay/")
    assert said(library.page(f"{address}?at=5")) == said(library.page("/games/{wreck}/replay?at=5"))
    assert len(library.table.archive.games()) == games


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "empty"), ("{}\n", "Line 1"), ('{"record":"table-record","version":1,"game":"chess"}\n', "chess")],
)
def test_a_file_that_is_no_record_is_refused_with_its_line(library: Library, text: str, why: str) -> None:
    """Replay: a file is checked like an import, and the first wrong line is named."""
    host = library.host()
    sent = {"csrf": host.csrf, "file": (BytesIO(text.encode()), "night.jsonl")}

    page = host.client.post("/replay", data=sent, follow_redirects=True).get_data(as_text=True)

    assert why in page


def test_a_guest_brings_no_file_and_takes_none(library: Library) -> None:
    """Replay: anybody can watch, but uploads and downloads, which take time, need permission."""
    visitor = library.app.test_client()

    assert visitor.post("/replay").status_code == 403
    assert visitor.get(f"/games/{library.numbers['draws']}/replay.html").status_code == 403


@pytest.mark.parametrize(
    "address", ["/games/9999/replay", "/replay/f00", "/games/9999/replay/step", "/replay/f00.html"]
)
def test_what_is_not_there_is_no_page(library: Library, address: str) -> None:
    """Replay: an unknown game or an unknown file gives 404."""
    assert library.host().client.get(address).status_code == 404


@pytest.mark.parametrize("name", KINDS)
def test_one_file_holds_the_whole_game_and_asks_nobody_for_anything(library: Library, name: str) -> None:
    """Replay: the downloaded file has a sentence for every move, is small, and contains no other address."""
    answer = library.host().client.get(f"/games/{library.numbers[name]}/replay.html")
    page = answer.get_data(as_text=True)
    steps = int(re.search(r'data-last="(\d+)"', page)[1])  # type: ignore[index]

    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert len(page.encode()) < 300_000
    assert page.count("<li>", page.index("replay-told")) == steps
    bare = re.sub(r'id="packed">[^<]*<', "", page)
    assert not re.findall(r"https?:|//[a-z]|@import|url\((?!#)|<link|src=", bare)


def face_down(record: list[Line], card: str) -> list[Line]:
    """Return *record* up to where *card* has been played face down, and others have not yet played."""
    starter = ""
    for at, (line, following) in enumerate(pairwise(record)):
        if line.get("do") != "lay":
            starter = ""
        elif not starter:
            starter = str(line["player"])
        elif line["player"] != starter and following.get("do") == "lay" and following["player"] != starter:
            return [*record[:at], {**line, "card": card}]
    raise AssertionError("nobody has laid anything face down")


def test_what_lies_face_down_in_a_game_that_goes_on_is_told_nowhere(tmp_path: Path) -> None:
    """Replay: two games that differ only in a face-down card have the same page and the same file."""
    record = record_of("andromeda", "library", undone=0)
    table, numbers = shelf(tmp_path, [face_down(record, card) for card in ("p2", "p6")])
    access = HostPin(tmp_path)
    app = make_app(table, None, COVERS, access, time.monotonic)
    host = Library(table, app, access, {}, {}).host()

    for way_there in ("replay/step", "replay.html"):
        one, other = (host.get(f"/games/{number}/{way_there}") for number in numbers)
        assert one == other
    assert host.get(f"/games/{numbers[0]}/replay/step?at=1") != host.get(f"/games/{numbers[0]}/replay/step")
    table.close()

"""Pages for actions that are opened by URL without permission say why not, and link back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.games.hanse.cards import WITHIN
from companion.games.registry import GAMES
from companion.session.commands import Pause
from tests.offered.house import HOST, OfferedHouse
from web.games.registry import COVERS

ENDS = {"andromeda act/": "move", "hanse act/": "discard", "hanse card/": next(iter(WITHIN))}
"""For each beginning of an address, the page that represents all pages with this beginning."""
MOVERS = [
    (name, word + ENDS.get(f"{name} {word}", ""))
    for name, cover in COVERS.items()
    for word in cover.pages.reserved.movers
]
HOSTS = [(name, word) for name, cover in COVERS.items() for word in cover.pages.reserved.host]


def begun(folder: Path, name: str) -> OfferedHouse:
    """Return a server with a running game of *name*."""
    play = GAMES[name].random_play
    assert play is not None
    house = OfferedHouse(folder, name, play.players[-1], Random(3), rulings=False, ring=False)
    for _ in range(12):
        house.step()
    return house


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, OfferedHouse]]:
    """Servers with a running game of each kind."""
    houses = {name: begun(tmp_path_factory.mktemp(name), name) for name in COVERS}
    yield houses
    for house in houses.values():
        house.close()


@pytest.fixture(scope="module")
def paused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, OfferedHouse]]:
    """Servers with a paused game of each kind."""
    houses = {name: begun(tmp_path_factory.mktemp(name), name) for name in COVERS}
    for house in houses.values():
        house.table.execute(Pause(), HOST)
    yield houses
    for house in houses.values():
        house.close()


@pytest.mark.parametrize(("name", "path"), MOVERS)
def test_who_only_looks_reads_why_and_finds_a_way_on(played: dict[str, OfferedHouse], name: str, path: str) -> None:
    """Actions: a visitor's page has no button that sends a line, but links to a seat and back to the table."""
    status, at, page = played[name].look("onlooker", f"/table/{path}")

    assert status == 200
    assert not [each for each in page.sendings if each.address.startswith("/table/")]
    assert at == "/table" or {"/join", "/table"} <= {link.address for link in page.links}


@pytest.mark.parametrize(("name", "path"), HOSTS)
def test_a_phone_reads_that_a_page_is_the_hosts(played: dict[str, OfferedHouse], name: str, path: str) -> None:
    """Corrections: a seat's phone says that only the host can correct, and has no form."""
    house = played[name]

    page = house.look(house.seats[0], f"/table/{path}")[2]

    assert "Only the host can do that." in page.text
    assert not [each for each in page.sendings if each.address.startswith("/table/")]


@pytest.mark.parametrize(("name", "path"), MOVERS)
def test_a_paused_game_has_no_actions(paused: dict[str, OfferedHouse], name: str, path: str) -> None:
    """Actions: during a pause their pages say so, even on the host's tablet, and offer no line."""
    _, at, page = paused[name].look("host", f"/table/{path}")

    assert at == "/table" or "The game is paused." in page.text
    assert not [each for each in page.sendings if each.value("line") or each.value("lines")]


def test_every_word_of_what_can_be_done_leads_where_it_is_done(tmp_path: Path) -> None:
    """Now: each room of the wreck has its own page, and the bridge's page offers the bridge's action."""
    house = OfferedHouse(tmp_path, "wreck", 2, Random(9), rulings=False, ring=False)
    rooms = set[str]()
    while not house.over and len(rooms) < 4:
        house.step()
        for link in house.look("host", "/help")[2].links:
            if "act=" in link.address and (room := link.address.partition("act=")[2]) not in rooms:
                rooms.add(room)
                page = house.look("host", link.address)[2]
                given = "".join(each.value("line") for each in page.sendings) + "".join(
                    one.address for one in page.links
                )
                assert f'"do": "{room}"' in given or f"act={room}" in given, room

    assert rooms
    house.close()

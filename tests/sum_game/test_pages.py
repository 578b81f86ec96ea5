"""Sum to 31 is played on its pages: turns, undo, a correction, the end, the record and the voice."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.records import replay
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.sum_game.house import EXACT, OVER, SumHouse
from tests.sum_game.rules import GAME
from tests.sum_game.test_rules import GAMES, START
from tests.web.pretended import walked
from tests.web.served_house import HOST, Browser

FOREIGN = re.compile(
    r"andromeda|planet|\bearth\b|\bcentres?\b|station|transport|trading|\btrade|credit|technolog|joker|\bship\b|galax"
    r"|turn over|were laid|practice game|your board",
    re.IGNORECASE,
)
STORY = "/games/1/replay"
TAG = re.compile(r"<[^>]*>")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[SumHouse]:
    """A companion with no game on the table."""
    made = SumHouse(tmp_path)
    yield made
    made.ledger.close()


def text(page: str) -> str:
    """Return the words of a page, with single spaces."""
    return " ".join(html.unescape(TAG.sub(" ", page)).split())


def buttons(page: str) -> list[dict[str, object]]:
    """Return the lines that the buttons of a page send."""
    return [json.loads(html.unescape(each)) for each in re.findall(r'name="line" value="([^"]*)"', page)]


def foreign(browser: Browser, *starts: str) -> dict[str, list[str]]:
    """Return words of other games, and pages that fail, on all pages that links lead to."""
    pages = walked(browser.client, *starts, but=("/ring",))
    found = {address: FOREIGN.findall(page) for address, page in pages.items()}
    gone = {address: ["gone"] for address in pages if browser.client.get(address).status_code >= 400}
    return {address: words for address, words in found.items() if words} | gone


def test_the_table_speaks(house: SumHouse) -> None:
    """A tap is announced on every device, together with whose turn it is next."""
    host = house.host()
    house.opened(host)
    before = house.snapshot.version
    house.take(host, 6)
    host.post("/table/undo")
    told = json.loads(host.get(f"/api/v1/utterances?after={before}"))["utterances"]

    assert [one["text"] for one in told] == [
        "Ana takes 6: 6.",
        "Ben, take a chip.",
        "Taken back: Ana takes 6: 6.",
        "Ana, take a chip.",
    ]


def test_the_end_is_spoken(house: SumHouse) -> None:
    """The last chip is announced, then the result."""
    host = house.host()
    house.opened(host).take(host, *EXACT[:-1])
    before = house.snapshot.version
    house.take(host, EXACT[-1])
    told = json.loads(host.get(f"/api/v1/utterances?after={before}"))["utterances"]

    assert [one["text"] for one in told] == ["Ben takes 2: 31.", "Ben makes exactly 31 and wins."]


def test_the_first_page_offers_a_new_game(house: SumHouse) -> None:
    """Before a game the pages have words of this game only, and every link leads somewhere."""
    host = house.host()

    assert foreign(host, "/", "/welcome", "/new", "/help", "/games", "/device") == {}
    assert "Make exactly 31 and you win" in text(host.get("/help?card=end"))


def test_each_page_during_a_game_is_there(house: SumHouse) -> None:
    """During a game host and phones can follow every link."""
    host = house.host()
    house.opened(host).take(host, 6, 6)

    assert foreign(host, "/", "/table", "/table/menu", "/table/undo", STORY, "/table/clock") == {}
    assert foreign(house.phone("red"), "/", "/table", STORY, "/table/menu", "/table/correct") == {}


def test_a_rules_card_leads_to_pages_that_are_there(house: SumHouse) -> None:
    """A game without the page "What can we do now?" has no link to it on its rules cards."""
    host = house.host()
    card = house.opened(host) and host.get("/help?card=turn&from=/table")

    assert "Take a chip of 1 to 6." in text(card)
    assert "/table/now" not in card


def test_only_values_that_are_left_have_a_button(house: SumHouse) -> None:
    """A turn has one button for each value in the supply, with the number of chips that are left."""
    host = house.host()
    house.opened(host)
    before = buttons(host.get("/table"))
    house.take(host, 6, 6, 6, 6)
    after = buttons(host.get("/table"))

    assert [line["value"] for line in before] == [1, 2, 3, 4, 5, 6]
    assert [line["value"] for line in after] == [1, 2, 3, 4, 5]
    assert "4 left" in text(host.get("/table"))


def test_a_phone_takes_for_itself_alone(house: SumHouse) -> None:
    """Only the current player's phone has buttons, and only its line is accepted."""
    house.opened(house.host())
    red, blue = house.phone("red"), house.phone("blue")
    offered = len(buttons(red.get("/table"))), len(buttons(blue.get("/table")))
    house.take(blue, 6)
    refused = house.snapshot.state.total
    house.take(red, 6)

    assert offered == (6, 0)
    assert (refused, house.snapshot.state.total) == (0, 6)


def test_a_seats_phone_has_its_band_and_every_way_on(house: SumHouse) -> None:
    """Until the end a phone shows its band instead of the bar, with undo, help, history and its seat on the page."""
    host = house.host()
    house.opened(host).take(host, 6)
    page = house.phone("red").get("/table")

    assert 'class="band red"' in page and 'class="bar"' not in page and "Ben's turn" in text(page)
    assert 'action="/table/undo"' in page and page.count('class="dock"') == 1
    assert all(f'href="{address}"' in page for address in ("/help?from=/table", "/history", "/device", "/join"))


def test_the_last_page_has_the_band_of_all_games(house: SumHouse) -> None:
    """After the end a seat's phone has a band with its place instead of the game's own band, and the host the bar."""
    host = house.host()
    house.opened(host).take(host, *EXACT)
    page, at_host = house.phone("blue").get("/table"), host.get("/table")

    assert 'class="band' in page and "Place 1 of 2" in text(page)
    assert 'class="bar"' in at_host and 'class="band' not in at_host


def test_the_bar_has_the_clock(house: SumHouse) -> None:
    """The bar of a turn shows the seconds that are left; a page with a way back doesn't."""
    host = house.host()
    house.opened(host)

    assert "data-dial" in host.get("/table") and 'class="band' not in host.get("/table")
    assert "data-dial" not in host.get("/table/correct")


def test_the_page_for_corrections_is_the_same_in_every_game(house: SumHouse) -> None:
    """Corrections don't have the class of the game's own pages, so that rules for its turns don't change them."""
    host = house.host()
    page = house.opened(host) and host.get("/table/correct")

    assert 'class="page mend"' in page


def test_a_chip_is_taken_back(house: SumHouse) -> None:
    """One tap gives the chip back to the supply and the turn to the player."""
    host = house.host()
    house.opened(host).take(host, 6)
    host.post("/table/undo")

    assert house.snapshot.state == START


def test_the_sum_is_corrected_in_steps(house: SumHouse) -> None:
    """A value of the whole table has no tab for each player, and only the host has buttons to correct it."""
    host = house.host()
    house.opened(host).take(host, 6, 5)
    page = host.get("/table/correct")
    up = next(line for line in buttons(page) if line["total"] == 16)
    on_a_phone = buttons(house.phone("red").get("/table/correct"))
    host.post("/table/do", line=json.dumps(up))

    assert 'href="/table/correct"' in host.get("/table/menu")
    assert [line["total"] for line in buttons(page)] == [6, 10, 12, 16]
    assert on_a_phone == []
    assert "player" not in up and 'aria-label="Whose"' not in page
    assert house.snapshot.state.total == 16 and house.snapshot.state.mover == "red"
    assert "The sum is now 16" in text(host.get(STORY))


@pytest.mark.parametrize(
    ("values", "winner", "why"),
    [
        (EXACT, ("blue",), "Ben makes exactly 31 and wins."),
        (OVER, ("red",), "Ben makes 32. Won: Ana."),
    ],
)
def test_a_whole_game_is_played_and_told(
    house: SumHouse, values: tuple[int, ...], winner: tuple[str, ...], why: str
) -> None:
    """The final page says who won and why, the history names each chip, and every link leads somewhere."""
    host = house.host()
    house.opened(host).take(host, *values)
    result = GAME.result(house.snapshot.state)

    assert result is not None and result.winners == winner
    assert why in text(host.get("/table")) and not buttons(host.get("/table"))
    assert "Ana takes a 5" in text(host.get(STORY))
    assert "Again with the same people" in text(host.get("/table"))
    assert foreign(host, "/", "/table", STORY, "/games", "/games/1/after", "/table/clock", "/statistics") == {}
    assert foreign(house.phone("red"), "/table") == {}


def test_the_last_chip_is_taken_back(house: SumHouse) -> None:
    """The page for corrections is closed while the game is over; an undo of the last chip continues the game."""
    host = house.host()
    house.opened(host).take(host, *EXACT)
    closed = text(host.get("/table/correct"))
    host.post("/table/undo")

    assert "The game is over." in closed
    assert house.snapshot.state.mover == "blue" and buttons(host.get("/table"))


def test_a_player_who_left_is_played_for(house: SumHouse) -> None:
    """The companion takes the smallest chip for a player who has left."""
    host = house.host()
    house.opened(host)
    host.post("/table/left", seat="blue")
    house.take(host, 6)

    assert house.snapshot.state.mover == "red" and house.snapshot.state.total == 7


def test_nobody_is_played_for_when_all_have_left(house: SumHouse) -> None:
    """The companion plays for no player after all have left, since such a game might never end."""
    host = house.host()
    house.opened(host)
    host.post("/table/left", seat="blue")
    host.post("/table/left", seat="red")

    assert house.snapshot.absent == {"red", "blue"} and house.snapshot.state == START


def test_it_is_the_same_after_a_restart(house: SumHouse) -> None:
    """After a restart the state is the same, since it is computed from the stored events."""
    host = house.host()
    house.opened(host).take(host, 6, 5)
    again = Table(LiveGame(house.ledger, GAMES, lambda: house.seconds, Random(1)))

    assert again.snapshot.state == house.snapshot.state


def test_its_record_replays_to_the_same_end(house: SumHouse) -> None:
    """A replayed or imported record ends in the same state."""
    house.opened(house.host()).take(house.host(), *OVER)
    record = list(house.table.archive.record())
    taken = house.table.importer.import_record(record, HOST).game

    assert replay(GAMES, enumerate(record, 1)).state == house.snapshot.state
    assert house.table.archive.final(taken) == house.table.archive.final(1)

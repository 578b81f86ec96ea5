"""A second game needs only two folders: the race works on every page, and no page shows words of Andromeda."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from companion.autoplay.simulate import Bill, simulate
from companion.console.controller import meant, panel
from companion.kernel.errors import Refused
from companion.model.snapshot import ImportFault
from companion.ports.console import Button, Pressed, Shape
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.records import RecordError, replay
from companion.records.export import as_csv, as_play
from companion.session.live_game import LiveGame
from companion.session.table import Table
from companion.session.timeline import Timeline, of_record
from tests.dice_game.house import THROWS, DiceHouse
from tests.dice_game.pages import HEADER
from tests.dice_game.rules import GAME, NAMES
from tests.web.pretended import walked
from tests.web.served_house import HOST, Browser

FOREIGN = re.compile(
    r"andromeda|planet|\bearth\b|\bcentres?\b|station|transport|trading|\btrade|credit|technolog|joker|\bship\b|galax"
    r"|turn over|were laid|practice game|your board",
    re.IGNORECASE,
)
"""Words of Andromeda, and words for what the race doesn't need."""
STORY = "/games/1/replay"
TAG = re.compile(r"<[^>]*>")
OF_THE_RING = "/ring"
"""The ring has pages of its own, with its own words; no page of the race links to them."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DiceHouse]:
    """A companion with the race, and no game on the table."""
    made = DiceHouse(tmp_path)
    yield made
    made.ledger.close()


def foreign(pages: dict[str, str]) -> dict[str, list[str]]:
    """Return the foreign words on each page, by address."""
    found = {address: FOREIGN.findall(text) for address, text in pages.items()}
    return {address: words for address, words in found.items() if words}


def pages_from(browser: Browser, *starts: str) -> dict[str, str]:
    """Return every page that links lead to, except the ring's own pages."""
    found = walked(browser.client, *starts)
    return {address: text for address, text in found.items() if not urlsplit(address).path.startswith(OF_THE_RING)}


# Pages


def test_the_first_evening_asks_only_what_the_race_needs(house: DiceHouse) -> None:
    """Before a game, no board, cubes or practice are offered if no game has them."""
    host = house.host()
    pages = pages_from(host, "/", "/welcome", "/new", "/help", "/games", "/device")

    assert foreign(pages) == {}
    assert "/welcome?step" not in pages["/welcome"]
    assert "/practice" not in pages["/"] and "/demo" not in pages["/"]
    assert house.app.test_client().get("/practice").status_code == 404
    assert host.post("/demo", game="dice")[0] == 404
    assert host.client.get("/welcome?step=board").status_code == 404


def test_every_page_of_an_evening_is_the_races_or_the_houses(house: DiceHouse) -> None:
    """During a game no page that the host or a player can reach shows a word of another game."""
    host = house.host()
    house.opened(host).throw(host, "roll 6", "hold", "roll 5")
    seen = pages_from(host, "/", "/table", "/table/menu", "/table/undo", STORY, "/table/clock")
    watched = pages_from(house.phone("red"), "/", "/table", "/join", STORY, "/welcome", "/table/menu")

    assert foreign(seen) == {} and foreign(watched) == {}
    assert {"/join", "/help", "/games", "/device"} <= seen.keys()
    assert "/ring" not in seen["/table/menu"] and 'id="ring-chip"' not in seen["/table"]
    assert not any(f'href="/table/{word}"' in seen["/table/menu"] for word in ("now", "correct", "left"))


def test_a_whole_game_is_played_and_told(house: DiceHouse) -> None:
    """After a game the page shows the result in a sentence, and the history says what was rolled."""
    host = house.host()
    house.played(host)

    assert "Ana is first." in host.get("/table")
    assert "Ben rolls 1." in TAG.sub("", host.get(STORY))
    assert foreign(pages_from(host, "/", "/table", STORY, "/games")) == {}


def test_its_times_are_told(house: DiceHouse) -> None:
    """The clock's page shows the race's step by its own name, with the time that the table took."""
    host = house.host()
    house.played(host)
    times = host.get("/table/clock")

    assert "A throw" in times and "1:10" in times


def test_its_players_have_a_time_for_the_whole_race(house: DiceHouse) -> None:
    """The time that the race suggests is shown next to each player, and can be changed with one tap."""
    host = house.host()
    house.opened(host)
    before = host.get("/table")
    host.post("/table/pace", pace='{"bank": {"seconds": 600}}')

    assert before.count("2:00</b>") == 2
    assert host.get("/table").count("10:00</b>") == 2


def test_its_clock_has_a_row_and_no_reveal(house: DiceHouse) -> None:
    """The clock's page has a row for the race's step, and no setting for a reveal, which the race doesn't have."""
    host = house.host()
    page = house.opened(host) and host.get("/table/clock")
    host.post("/table/pace", pace='{"limits": {"throw": {"mode": "strict", "seconds": 30}}}')

    assert "A throw" in page and '"reveal"' not in page
    assert house.snapshot.pace.limit("throw").seconds == 30
    assert host.post("/table/all_ready", back="/table", follow=True)[1].count('class="strip refusal"') == 1


def test_a_seat_rolls_for_itself_alone(house: DiceHouse) -> None:
    """A phone can only roll for its own colour."""
    house.opened(house.host())
    red, blue = house.phone("red"), house.phone("blue")
    house.throw(blue, "roll 6")
    refused = house.snapshot.state.pending
    house.throw(red, "roll 6")

    assert (refused, house.snapshot.state.pending) == (0, 6)


def test_whoever_leaves_is_played_for_and_may_come_back(house: DiceHouse) -> None:
    """The companion holds for a player who has left, and the player may come back."""
    host = house.host()
    house.opened(host)
    host.post("/table/left", seat="blue")
    house.throw(host, "roll 6", "hold")
    host.post("/table/returned", seat="blue")

    assert house.snapshot.state.mover == "red" and not house.snapshot.absent


def test_a_pause_says_nothing_of_cubes(house: DiceHouse) -> None:
    """A pause stops the clock. Without a ring, no page mentions cubes."""
    host = house.host()
    house.opened(host)
    menu = host.get("/table/menu")
    host.post("/table/pause")
    paused = host.get("/table")
    host.post("/table/resume")
    host.post("/table/abandon", reason="It got late")

    assert "The clock is stopped." in paused and "Play on" in host.get("/table")
    assert not re.search("cube", menu + paused + host.get("/table"))


def test_a_roll_is_taken_back(house: DiceHouse) -> None:
    """An undo takes one tap; without a ring, it asks for no reason."""
    host = house.host()
    house.opened(host).throw(host, "roll 6")
    page = host.get("/table/undo")
    host.post("/table/undo")

    assert "Take it back" in page and house.snapshot.state.pending == 0


def test_chance_is_cast_by_the_house(house: DiceHouse) -> None:
    """A roll without pips gets them once, and they are recorded, so that a replay needs no randomness."""
    host = house.host()
    house.opened(host).throw(host, "roll")

    assert house.snapshot.recent[0].line["pips"] in range(1, 7)


def test_programs_see_the_race_alone(house: DiceHouse) -> None:
    """Programs can send a line and read state, table, clock, games and record; no answer has a word of another game."""
    host = house.host()
    house.opened(host)
    header = {"Authorization": f"Bearer {house.access.local_token}"}
    client = house.app.test_client()
    given = client.post("/api/v1/commands", json={"do": "roll", "player": "red", "pips": 3}, headers=header)
    asked = ("state", "table", "clock", "games", "record")
    answers = {name: client.get(f"/api/v1/{name}", headers=header).get_data(as_text=True) for name in asked}

    assert given.status_code == 200
    assert json.loads(answers["state"])["pending"] == 3
    assert foreign(answers) == {}


# The ledger and exports


def test_it_is_taken_up_after_a_restart(house: DiceHouse) -> None:
    """After a restart, the state is the same, because it is computed from the stored events."""
    host = house.host()
    house.opened(host).throw(host, "roll 6", "hold", "roll 5")
    again = Table(LiveGame(house.ledger, {GAME.name: GAME}, lambda: house.seconds, Random(1)))

    assert again.snapshot.state == house.snapshot.state


def test_its_record_replays_to_the_same_end(house: DiceHouse) -> None:
    """A record replays to the same end, and another table imports it as a separate game."""
    house.played(house.host())
    record = list(house.table.archive.record())
    played = replay({GAME.name: GAME}, enumerate(record, 1))
    taken = house.table.importer.import_record(record, HOST).game

    assert played.state == house.snapshot.state
    assert house.table.archive.final(taken) == house.table.archive.final(1)
    assert played.game.standing(played.state) == ("Ana: 12", "Ben: 0")
    assert foreign({"record": json.dumps(record)}) == {}


def test_a_record_has_the_result_of_each_roll(house: DiceHouse) -> None:
    """A roll without pips, which a page may ask about, is refused in a record that is replayed, shown or imported."""
    record = [{**HEADER, "players": [{"colour": each, "name": NAMES[each]} for each in ("red", "blue")]}]
    record.append({"do": "roll", "player": "red"})

    with pytest.raises(RecordError, match="pips is missing"):
        replay({GAME.name: GAME}, enumerate(record, 1))
    with pytest.raises(RecordError, match="pips is missing"):
        of_record({GAME.name: GAME}, enumerate(record, 1), Timeline)
    with pytest.raises(ImportFault) as fault:
        house.table.importer.import_record(record, HOST)
    assert (fault.value.index, fault.value.reason) == (2, "pips is missing")


def test_it_is_exported_in_each_form(house: DiceHouse) -> None:
    """A game is exported as a table of its lines, and as a play with the race's own scores."""
    house.played(house.host())
    (entry,), result = house.table.archive.games(), house.table.archive.result(1)
    table = as_csv(house.table.archive.transcript_lines(1))
    assert result is not None
    play = as_play(entry, result, 70_000)

    assert [row["do"] for row in csv.DictReader(io.StringIO(table))] == [throw.split()[0] for throw in THROWS]
    assert [(each["name"], each["score"], each["rank"], each["winner"]) for each in play["players"]] == [
        ("Ana", 12, 1, True),
        ("Ben", 0, 2, False),
    ]
    exports = {"csv": table, "play": json.dumps(play), "json": json.dumps(house.table.archive.final(1))}
    assert foreign(exports) == {}


def test_it_is_simulated() -> None:
    """A random game reaches its end, the bill counts the race's rounds, and equal random numbers give the same game."""
    one, same = (simulate(GAME, GAME.random_play, 3, Random("1"), lambda: 0.0) for _ in range(2))
    bill = Bill()
    bill.add(one)

    assert one.record == same.record and not bill.broken
    assert bill.rounds >= 1
    assert replay({GAME.name: GAME}, enumerate(one.record, 1)).state.won
    assert foreign({"record": json.dumps(one.record), "final": json.dumps(one.final)}) == {}


# Devices


def test_a_console_shows_it_and_has_no_say(house: DiceHouse) -> None:
    """A steady light on the console shows whose turn it is; a button that has no use in the race is refused."""
    house.opened(house.host())
    shown = panel(house.snapshot)

    assert (shown.lamp.colour, shown.lamp.shape) == ("red", Shape.STEADY)
    with pytest.raises(Refused):
        meant(house.snapshot, Pressed(Button.READY, "red"))


def test_a_ring_beside_it_changes_nothing(house: DiceHouse) -> None:
    """A ring is never armed for the race, and a cube that passes counts as practice."""
    house.opened(house.host())
    before = house.snapshot.state
    house.table.heard(
        RingEvent("d", "boot", 1, 1000, RingEventKind.OUT, 0, ("raw",), Judgement("red", (("red", 0.99),)))
    )

    assert house.table.order() is None
    assert house.snapshot.state == before
    assert [notice.kind for notice in house.snapshot.notices] == ["practice"]

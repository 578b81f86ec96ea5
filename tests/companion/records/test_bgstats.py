"""A game exported as a BG Stats play: its fields, its date, and a link short enough for a QR code."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest

from companion.model.game import Result
from companion.model.snapshot import GameEntry, Status
from companion.records.export import LONGEST_LINK, as_play, play_link
from tests.companion.records.json_schema import broken

SCHEMA = json.loads(Path(__file__).with_name("bgstats.schema.json").read_text(encoding="utf-8"))
COLOURS = ("red", "blue", "green", "yellow", "black")


@pytest.fixture(params=["UTC", "Europe/Amsterdam", "America/St_Johns", "Pacific/Kiritimati"])
def zone(request: pytest.FixtureRequest) -> Iterator[str]:
    """Set the computer's time zone, and restore it afterwards."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
    time.tzset()


def play(began: float = 0.0, names: tuple[str, ...] = ("Ana", "Ben", "Cem"), points: bool = True) -> dict[str, Any]:
    """Return the play of a game that the first of *names* won."""
    players = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, names, strict=False)]
    totals = {each["colour"]: 40 - at for at, each in enumerate(players)} if points else {}
    entry = GameEntry(7, "andromeda", {"players": players}, "1", Status.FINISHED, began, began, 300, False)
    return as_play(entry, Result(("red",), totals, "", "blue"), 3_600_000)


@pytest.mark.parametrize("points", [True, False])
def test_a_play_has_the_fields_that_the_app_knows(points: bool) -> None:
    """BG Stats: the app knows every field, and each has the right type, with or without points."""
    assert list(broken(play(points=points), SCHEMA)) == []


def test_the_schema_finds_what_is_wrong() -> None:
    """BG Stats: the schema detects wrong fields."""
    wrong = {**play(), "playDate": "yesterday", "durationMin": -1, "mood": "fine"}

    assert len(list(broken(wrong, SCHEMA))) == 3


@pytest.mark.parametrize("hour", ["2026-01-31 23:30", "2026-07-31 23:30", "2026-03-29 01:30", "2026-10-25 02:30"])
def test_its_date_is_in_utc(zone: str, hour: str) -> None:
    """BG Stats: the date is in UTC in any time zone, even when summer time starts or ends."""
    began = datetime.fromisoformat(hour).replace(tzinfo=ZoneInfo(zone))

    assert play(began.timestamp())["playDate"] == began.astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    "names",
    [
        ("Ana", "Ben", "Cem"),
        ("Annemarijke", "Bartholomeus", "Constantinia", "Dorothea-Eva", "Emmanuelle-B"),
        ("Ångström-Ö", "Æthelstanø", "Ümit-Çağlaş", "Žofia-Šárka", "Đorđe-Ćiro"),
    ],
)
def test_its_link_fits_into_a_code(names: tuple[str, ...]) -> None:
    """BG Stats: a link with five long names is still short enough for a QR code, and has names and winners."""
    link = play_link(play(1.8e9, names))
    (text,) = parse_qs(urlsplit(link).query)["data"]
    read = json.loads(text)

    assert len(link) < LONGEST_LINK
    assert list(broken(read, SCHEMA)) == []
    assert [each["name"] for each in read["players"]] == list(names)
    assert [each.get("winner", False) for each in read["players"]] == [True, *[False] * (len(names) - 1)]


def test_ids_mean_the_same_everywhere() -> None:
    """BG Stats: a person has one id in all games and colours; a play has its game's id; unnamed seats have none."""
    one, other = play(names=("Ana", "Ben", "Cem")), play(names=("Ben", " ana", "Blue"))
    ids = [[each.get("sourcePlayerId") for each in found["players"]] for found in (one, other)]
    entry = GameEntry(7, "andromeda", {"players": []}, "1", Status.FINISHED, 0, 0, 0, False, identity="a" * 32)

    assert (ids[0][0], ids[0][1]) == (ids[1][1], ids[1][0])
    assert len(set(ids[0])) == 3
    assert "sourcePlayerId" not in play(names=("Red", "Ben"))["players"][0]
    assert as_play(entry, Result(()), 0)["sourcePlayId"] == "a" * 32
    assert play()["sourcePlayId"] != "7"


def test_ranks_agree_with_the_winner() -> None:
    """BG Stats: after a broken tie only the winner is first; if two win, both are first."""
    players = [{"colour": colour, "name": colour * 2} for colour in ("red", "blue", "green")]
    entry = GameEntry(7, "andromeda", {"players": players}, "1", Status.FINISHED, 0, 0, 0, False)
    totals = {"red": 20, "blue": 20, "green": 5}
    ranks = [
        [each["rank"] for each in as_play(entry, Result(winners, totals), 0)["players"]]
        for winners in (("blue",), ("red", "blue"))
    ]

    assert ranks == [[2, 1, 3], [1, 1, 3]]


def test_invented_points_are_marked() -> None:
    """BG Stats: points on a board with example values are marked as invented."""
    marked = as_play(GameEntry(7, "a", {"players": []}, "1", Status.FINISHED, 0, 0, 0, False), Result(()), 0, True)

    assert "invented" in marked["comments"]
    assert "comments" not in play()
    assert list(broken(marked, SCHEMA)) == []


def test_who_left_early_has_no_place() -> None:
    """BG Stats: a player who left early has no points and no rank, and is named in the comments."""
    players = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, ("Ana", "Ben", "Cem"), strict=False)]
    entry = GameEntry(7, "andromeda", {"players": players}, "1", Status.FINISHED, 0.0, 0.0, 300, False)
    result = Result(("red",), {"red": 40, "blue": 38, "green": 30}, "", "red")

    told = as_play(entry, result, 3_600_000, left={"blue"})

    assert list(broken(told, SCHEMA)) == []
    assert [each.get("rank") for each in told["players"]] == [1, None, 2]
    assert [each["winner"] for each in told["players"]] == [True, False, False]
    assert "score" not in told["players"][1]
    assert "Ben" in told["comments"]

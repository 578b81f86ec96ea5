"""Data folders of every older version: the current program says the same about them as their own program did."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.companion.app.processes import Service, companion
from tests.generations.opened import HERE, differences, said_by_commands, said_by_pages, unpacked
from tests.generations.opened import exported as exported_now

GENERATIONS = ("third",)
NEWEST = GENERATIONS[-1]
HOLDS = {
    "answer": ("answered",),
    "calibration": ("kept",),
    "clock": ("extended", "going", "held", "kept", "pace", "ready", "reveal", "started"),
    "copy": ("kept", "used"),
    "game": ("imported", "opened"),
    "judgement": ("again", "first"),
    "line": ("correct", "double_exit", "draw", "establish", "undo"),
    "moment": (
        *("abandoned", "agreed", "beat", "copy", "counted", "finished", "left", "left open"),
        *("paused", "reopened", "resumed", "returned", "switched"),
    ),
    "passage": ("asked", "practice", "surplus"),
    "ring": ("back", "boot", "fault", "gate", "glitch", "lift", "out", "pair", "stuck"),
}
"""The rows of each kind that the newest generation must have, since it would test little otherwise."""


@pytest.fixture(
    scope="module",
    params=[name if name == NEWEST else pytest.param(name, marks=pytest.mark.long) for name in GENERATIONS],
)
def generation(request: pytest.FixtureRequest) -> str:
    """The name of a generation."""
    return str(request.param)


@pytest.fixture(scope="module")
def folder(generation: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An unpacked copy of the generation: `data`, and the files exported to `out`."""
    return unpacked(generation, tmp_path_factory.mktemp(generation))


@pytest.fixture(scope="module")
def told(generation: str) -> dict[str, Any]:
    """What the generation's own program said about it."""
    found: dict[str, Any] = json.loads((HERE / f"{generation}.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def served(folder: Path, generation: str, tmp_path: Path) -> Iterator[Service]:
    """A service on a separate copy of the generation."""
    service = Service(unpacked(generation, tmp_path) / "data")
    yield service
    service.stop()


def games(folder: Path) -> list[int]:
    """Return the numbers of the games in a folder."""
    return sorted(int(path.stem) for path in (folder / "out").glob("*.record"))


def exported(data: Path, game: int, out: Path) -> dict[str, str]:
    """Return a game in all its forms, without the number of sealed draws, which older versions didn't write."""
    counted = re.compile(r'(?<="words": )(\[[^]]*\]), "drawn": \d+')
    return {form: counted.sub(r"\1", text, count=1) for form, text in exported_now(data, game, out).items()}


def as_then(name: str, text: str) -> str:
    """Return an exported file without what newer programs add to it."""
    if name.endswith(".record"):
        header, rest = text.split("\n", 1)
        said = json.loads(header)
        own = {field: value for field, value in said.items() if field not in ("id", "started", "ended")}
        assert {"id", "started", "ended"} <= said.keys()
        return f"{json.dumps(own, ensure_ascii=False)}\n{rest}"
    if name.endswith(".json"):
        return re.sub(r', "left": \[[^]]*\]\}$', "}", text.rstrip("\n")) + "\n"  # this list did not exist
    if name.endswith(".bgstats"):
        play = json.loads(text)
        # Older programs exported no ids of players and plays for the app, and no mark for invented points.
        own_ids = [each.pop("sourcePlayerId", "") for each in (*play["players"], {})] + [play.pop("sourcePlayId")]
        play.pop("comments", "")
        assert all(isinstance(each, str) for each in own_ids)
        return json.dumps(play, ensure_ascii=False, sort_keys=True)
    return text


def test_the_newest_generation_holds_every_kind_of_row(tmp_path: Path) -> None:
    """The newest generation has questions, undos, corrections, inventories, judgements, clocks, copies and turns."""
    with closing(sqlite3.connect(unpacked(NEWEST, tmp_path) / "data" / "ledger.sqlite")) as ledger:
        held = set(ledger.execute("SELECT DISTINCT kind, word FROM row"))

    assert {(kind, word) for kind, words in HOLDS.items() for word in words} <= held


def test_the_commands_say_what_they_said(folder: Path, told: dict[str, Any]) -> None:
    """The commands give the same games, PIN and classifications of passages, and the doctor finds no fault."""
    now = said_by_commands(folder)

    assert differences({name: told[name] for name in now}, now) == []
    assert any(told["judged"].values())


def test_every_game_is_exported_as_it_was(folder: Path, tmp_path: Path) -> None:
    """Record, table, final state and play of each game are exported unchanged, apart from what newer headers add."""
    forms = [path for path in (folder / "out").iterdir() if path.stem.isdigit()]
    each = {game: exported(folder / "data", game, tmp_path) for game in games(folder)}
    now = {f"{game}.{form}": text for game, found in each.items() for form, text in found.items()}
    then = {path.name: path.read_text(encoding="utf-8") for path in forms}

    assert {name: as_then(name, text) for name, text in now.items()} == {
        name: as_then(name, text) if name.endswith(".bgstats") else text for name, text in then.items()
    }


def test_every_record_is_replayed_and_taken_in(folder: Path, tmp_path: Path) -> None:
    """A record replays to its final state by the current rules, and so it does after an import into a new ledger."""
    for number in games(folder):
        record, final = folder / "out" / f"{number}.record", json.loads((folder / "out" / f"{number}.json").read_text())
        taken = companion("import", record, "--data", tmp_path)
        here = companion("export", taken.stdout.split()[-1].rstrip("."), "--to", "json", "--data", tmp_path)

        assert json.loads(companion("replay", record, "--json").stdout) == final
        assert json.loads(here.stdout) == final


def test_a_backup_and_a_calibration_come_back(folder: Path, told: dict[str, Any], tmp_path: Path) -> None:
    """A backup is restored to the same ledger, and a calibration is imported and exported unchanged."""
    out, data = folder / "out", tmp_path / "data"
    restored = companion("restore", out / "backup.sqlite", "--data", data)
    brought = companion("calibration", "import", out / "calibration.json", "--data", tmp_path / "other")
    companion("calibration", "export", tmp_path / "again.json", "--data", tmp_path / "other")

    assert (restored.returncode, brought.returncode) == (0, 0)
    assert json.loads(companion("games", "--json", "--data", data).stdout) == told["games"]
    assert (tmp_path / "again.json").read_text() == (out / "calibration.json").read_text()


def test_a_capture_is_a_ring_again(folder: Path) -> None:
    """A capture of the generation can be opened as a ring."""
    (log, *_) = sorted((folder / "data" / "captures").glob("*.log"))

    looked = companion("doctor", "--data", folder / "data", "--ring", f"capture:{log}")

    assert looked.returncode == 0
    assert "device virtual" in looked.stdout.splitlines()[-1]


def test_the_service_goes_on_where_it_was(served: Service, told: dict[str, Any], tmp_path: Path) -> None:
    """The service has the same game on the table, the same question, pages and copy, and the same seats for phones."""
    now = said_by_pages(served, tmp_path / "data")

    assert differences({name: told[name] for name in now}, now) == []
    assert told["programs"]["table"]["questions"]


def test_a_game_of_then_is_played_on(served: Service) -> None:
    """The open question can be answered, a draw undone, and every game put on the table again."""
    (question,) = served.ask("GET", "/api/v1/table")[1]["questions"]
    answer = {"deed": "answer", "question": question["id"], "chosen": question["offered"][0][0]}
    numbers = [each["id"] for each in served.ask("GET", "/api/v1/games")[1]["games"]]

    assert served.ask("POST", "/api/v1/deeds", answer)[0] == 200
    assert served.ask("POST", "/api/v1/deeds", {"deed": "undo", "reason": "misread"})[0] == 200
    for number in numbers:
        assert served.ask("POST", "/api/v1/deeds", {"deed": "switch", "game": number})[0] == 200

"""Data folders of every version that ever wrote one: today's program still says of them what their own one said."""

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
"""What the newest generation must hold of each kind of row, or it would prove little."""


@pytest.fixture(
    scope="module",
    params=[name if name == NEWEST else pytest.param(name, marks=pytest.mark.long) for name in GENERATIONS],
)
def generation(request: pytest.FixtureRequest) -> str:
    """The name of a generation."""
    return str(request.param)


@pytest.fixture(scope="module")
def folder(generation: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what was kept of it: `data` and what was taken `out`."""
    return unpacked(generation, tmp_path_factory.mktemp(generation))


@pytest.fixture(scope="module")
def told(generation: str) -> dict[str, Any]:
    """What its own program said of it."""
    found: dict[str, Any] = json.loads((HERE / f"{generation}.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def served(folder: Path, generation: str, tmp_path: Path) -> Iterator[Service]:
    """A service on a copy that is its own."""
    service = Service(unpacked(generation, tmp_path) / "data")
    yield service
    service.stop()


def games(folder: Path) -> list[int]:
    """The games of a folder, by their numbers."""
    return sorted(int(path.stem) for path in (folder / "out").glob("*.record"))


def exported(data: Path, game: int, out: Path) -> dict[str, str]:
    """Return a game in every form, without the number of its sealed lots, which no version before counted."""
    counted = re.compile(r'(?<="words": )(\[[^]]*\]), "drawn": \d+')
    return {form: counted.sub(r"\1", text, count=1) for form, text in exported_now(data, game, out).items()}


def as_then(name: str, text: str) -> str:
    """Return what was exported without what later programs say besides: whose game it is, and whose play."""
    if name.endswith(".record"):
        header, rest = text.split("\n", 1)
        said = json.loads(header)
        own = {field: value for field, value in said.items() if field not in ("id", "started", "ended")}
        assert {"id", "started", "ended"} <= said.keys()
        return f"{json.dumps(own, ensure_ascii=False)}\n{rest}"
    if name.endswith(".json"):
        return re.sub(r', "left": \[[^]]*\]\}$', "}", text.rstrip("\n")) + "\n"  # seats that left early were not named
    if name.endswith(".bgstats"):
        play = json.loads(text)
        # Colours and numbers of games were no ids for another program, and invented points were not marked.
        own_ids = [each.pop("sourcePlayerId", "") for each in (*play["players"], {})] + [play.pop("sourcePlayId")]
        play.pop("comments", "")
        assert all(isinstance(each, str) for each in own_ids)
        return json.dumps(play, ensure_ascii=False, sort_keys=True)
    return text


def test_the_newest_generation_holds_every_kind_of_row(tmp_path: Path) -> None:
    """Generations: the newest has questions, undo, corrections, inventories, judgements, clocks, copies and turns."""
    with closing(sqlite3.connect(unpacked(NEWEST, tmp_path) / "data" / "ledger.sqlite")) as ledger:
        held = set(ledger.execute("SELECT DISTINCT kind, word FROM row"))

    assert {(kind, word) for kind, words in HOLDS.items() for word in words} <= held


def test_the_commands_say_what_they_said(folder: Path, told: dict[str, Any]) -> None:
    """Generations: the games, the host's PIN, what each captured passage is judged as, and a doctor with no worry."""
    now = said_by_commands(folder)

    assert differences({name: told[name] for name in now}, now) == []
    assert any(told["judged"].values())


def test_every_game_is_exported_as_it_was(folder: Path, tmp_path: Path) -> None:
    """Generations: record, table, final state and play of each game, to the letter but for what headers say since."""
    forms = [path for path in (folder / "out").iterdir() if path.stem.isdigit()]
    each = {game: exported(folder / "data", game, tmp_path) for game in games(folder)}
    now = {f"{game}.{form}": text for game, found in each.items() for form, text in found.items()}
    then = {path.name: path.read_text(encoding="utf-8") for path in forms}

    assert {name: as_then(name, text) for name, text in now.items()} == {
        name: as_then(name, text) if name.endswith(".bgstats") else text for name, text in then.items()
    }


def test_every_record_is_replayed_and_taken_in(folder: Path, tmp_path: Path) -> None:
    """Generations: a record comes to its final state by the rules of today, and in a new ledger too."""
    for number in games(folder):
        record, final = folder / "out" / f"{number}.record", json.loads((folder / "out" / f"{number}.json").read_text())
        taken = companion("import", record, "--data", tmp_path)
        here = companion("export", taken.stdout.split()[-1].rstrip("."), "--to", "json", "--data", tmp_path)

        assert json.loads(companion("replay", record, "--json").stdout) == final
        assert json.loads(here.stdout) == final


def test_a_backup_and_a_calibration_come_back(folder: Path, told: dict[str, Any], tmp_path: Path) -> None:
    """Generations: the backup is a ledger again, and the calibration goes in and out as it is."""
    out, data = folder / "out", tmp_path / "data"
    restored = companion("restore", out / "backup.sqlite", "--data", data)
    brought = companion("calibration", "import", out / "calibration.json", "--data", tmp_path / "other")
    companion("calibration", "export", tmp_path / "again.json", "--data", tmp_path / "other")

    assert (restored.returncode, brought.returncode) == (0, 0)
    assert json.loads(companion("games", "--json", "--data", data).stdout) == told["games"]
    assert (tmp_path / "again.json").read_text() == (out / "calibration.json").read_text()


def test_a_capture_is_a_ring_again(folder: Path) -> None:
    """Generations: what went over the wire then answers as a ring now."""
    (log, *_) = sorted((folder / "data" / "captures").glob("*.log"))

    looked = companion("doctor", "--data", folder / "data", "--ring", f"capture:{log}")

    assert looked.returncode == 0
    assert "device virtual" in looked.stdout.splitlines()[-1]


def test_the_service_goes_on_where_it_was(served: Service, told: dict[str, Any], tmp_path: Path) -> None:
    """Generations: the game on the table, its question, its pages, its copy, and the seats that phones have joined."""
    now = said_by_pages(served, tmp_path / "data")

    assert differences({name: told[name] for name in now}, now) == []
    assert told["programs"]["table"]["questions"]


def test_a_game_of_then_is_played_on(served: Service) -> None:
    """Generations: the open question is answered, a draw taken back, and every game put on the table again."""
    (question,) = served.ask("GET", "/api/v1/table")[1]["questions"]
    answer = {"deed": "answer", "question": question["id"], "chosen": question["offered"][0][0]}
    numbers = [each["id"] for each in served.ask("GET", "/api/v1/games")[1]["games"]]

    assert served.ask("POST", "/api/v1/deeds", answer)[0] == 200
    assert served.ask("POST", "/api/v1/deeds", {"deed": "undo", "reason": "misread"})[0] == 200
    for number in numbers:
        assert served.ask("POST", "/api/v1/deeds", {"deed": "switch", "game": number})[0] == 200

"""A game with a damaged row: the service starts, names the row, and all other games can be played."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.ledger import Ledger
from tests.companion.app.processes import Service, companion
from tests.generations.opened import Visitor, unpacked

PAGES = ("/", "/games", "/table", "/history", "/ring", "/new")


class Hurt:
    """A data folder whose live game has one damaged row, an event or its header."""

    def __init__(self, folder: Path, header: bool) -> None:
        self.data = unpacked("five-games", folder) / "data"
        self.ledger = self.data / "ledger.sqlite"
        Ledger.open(self.ledger).close()  # Migrate the ledger first, so that today's program wrote the damaged rows.
        chosen = "kind = 'game'" if header else "kind = 'line' AND json_array_length(body, '$.events') > 0"
        with closing(sqlite3.connect(self.ledger)) as card:
            live = "SELECT game FROM row WHERE word = 'switched' ORDER BY id DESC LIMIT 1"
            found = f"SELECT id, game FROM row WHERE {chosen} AND game = ({live}) ORDER BY id"  # noqa: S608
            self.row, self.game = card.execute(found).fetchone()
            card.execute("DROP TRIGGER row_stays")
            hurt = "replace(replace(body, '\"event\"', '\"evenu\"'), '\"header\"', '\"headfr\"')"
            card.execute(f"UPDATE row SET body = {hurt} WHERE id = ?", (self.row,))  # noqa: S608
            card.commit()
        self.kept = self.rows()

    def rows(self) -> list[tuple[object, ...]]:
        """Return every row of the damaged game."""
        with closing(sqlite3.connect(self.ledger)) as card:
            return list(card.execute("SELECT * FROM row WHERE game = ? ORDER BY id", (self.game,)))


@pytest.fixture(params=[False, True], ids=["an event", "the header"])
def hurt(request: pytest.FixtureRequest, tmp_path: Path) -> Hurt:
    """A data folder with damage."""
    return Hurt(tmp_path, request.param)


def test_the_house_starts_and_plays_the_others(hurt: Hurt) -> None:
    """Damage: pages still load, page and refusal name the row, other games can be played, and no row changes."""
    service = Service(hurt.data)
    visitor = Visitor(service.url, (hurt.data / "token").read_text(encoding="utf-8").strip())
    games = [each["id"] for each in service.ask("GET", "/api/v1/games")[1]["games"]]
    seen = {page: visitor.get(page) for page in PAGES}
    # The first page links to what can be read of the game, with the reason, or gives the reason itself.
    home, left = service.page("/"), f"/games/{hurt.game}/so-far"
    text = service.page(left) if f'href="{left}"' in home else home
    status, refused = service.ask("POST", "/api/v1/deeds", {"deed": "switch", "game": hurt.game})
    sound = set(games) - {hurt.game}
    others = [service.ask("POST", "/api/v1/deeds", {"deed": "switch", "game": game})[0] for game in sound]
    again = visitor.get(f"/ring?show=again&game={hurt.game}")

    assert service.stop() == 0
    assert max(seen.values()) < 400
    assert f"row {hurt.row} of the ledger " in text
    assert (status, f"row {hurt.row} " in refused["reason"]) == (400, True)
    assert others == [200] * 4
    assert again < 500
    assert hurt.rows() == hurt.kept


def test_the_commands_say_it_in_a_sentence(hurt: Hurt, tmp_path: Path) -> None:
    """Damage: games, export, doctor and restore name the row and handle the other games."""
    listed = companion("games", "--data", hurt.data)
    exported = companion("export", hurt.game, "--to", "json", "--data", hurt.data)
    looked = companion("doctor", "--data", hurt.data)
    restored = companion("restore", hurt.ledger, "--data", tmp_path / "other")
    whole = companion("games", "--json", "--data", tmp_path / "other")

    said = f"row {hurt.row} of the ledger can't be read: "
    assert (listed.returncode, len(listed.stdout.splitlines())) == (0, 5)
    assert (exported.returncode, exported.stderr.count("\n"), said in exported.stderr) == (2, 1, True)
    assert looked.returncode == 1
    cares = [line for line in looked.stdout.splitlines() if line.startswith("CARE")]
    assert [f"row {hurt.row} " in line for line in cares] == [True, True]  # the damaged row itself, and its game
    assert [said in line for line in cares] == [False, True]
    assert (restored.returncode, restored.stdout.count(said)) == (0, 1)
    assert len(json.loads(whole.stdout)) == 5
    assert hurt.rows() == hurt.kept


def test_a_whole_ledger_is_no_care(tmp_path: Path) -> None:
    """Damage: with an intact ledger, the doctor finds nothing that needs care."""
    looked = companion("doctor", "--data", unpacked("five-games", tmp_path) / "data")

    assert (looked.returncode, "CARE" in looked.stdout) == (0, False)

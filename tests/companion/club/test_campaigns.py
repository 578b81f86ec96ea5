"""A short run of each of the programs that test clubs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.club import measured
from tests.club import attack, month, outages
from tests.club.__main__ import played
from tests.club.broker import MISSING, PROGRAM

ROOT = Path(__file__).parents[3]
PATIENCE_S = 120

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)


def test_kills_lose_nothing() -> None:
    """Kills: while broker, club and tables are killed at random, each row arrives once, and no ledger forks."""
    words = ("--rows", "200", "--kills", "3", "--tables", "2", "--seed", "5", "--every", "0.3", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "tests.club.kills", *words], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )
    found = json.loads(done.stdout)

    assert done.returncode == 0, done.stdout + done.stderr
    assert (found["unequal"], found["forks"], found["merged_alike"]) == (0, 0, True)
    assert sum(found["killed"].values()) == 3


def test_an_attack_comes_to_nothing(tmp_path: Path) -> None:
    """Attack: a table that sends another table's ledger, epoch or topics can't change that table's rows at the club."""
    found = attack.played(tmp_path, 1, 1.5, 3)

    assert attack.is_fine(found), found
    assert min(found["tried"][kind] for kind in ("replay", "other rows", "next rows", "names")) > 0


def test_a_month_has_the_league_of_its_ledgers(tmp_path: Path) -> None:
    """Month: with a restored copy, and renamed and removed people, the league equals that computed from all ledgers."""
    found = month.played(tmp_path, 2, 3, 1, 1, ("wreck",))

    assert (found["league_alike"], found["removed_in_files"]) == (True, 0), found
    assert (found["games"], found["sources"]) == (8, 3)


def test_a_table_that_dies_or_goes_back_in_time_is_seen(tmp_path: Path) -> None:
    """Outages: the wall shows that a table was killed and is back, and a restored copy appears as a second ledger."""
    with outages.outages(tmp_path) as found:
        found.kill()
        both = found.restore()

    assert both
    assert {"killed", "back after a kill", "restored"} <= set(found.slowest)


def test_the_measurement_has_all_figures(tmp_path: Path) -> None:
    """Bench: a short run with two tables measures all figures, and no transaction is missing."""
    found = measured(tmp_path, 2, 0.5, 0.25)

    assert found["missing"] == 0
    assert 0 < found["disk_p50_ms"] <= found["disk_p95_ms"]
    assert found["merged_p95_ms"] > 0


def test_a_club_with_tables_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`make club`: a club is founded, two tables join and play, their rows arrive, and all checksums match."""
    assert played(tmp_path, 2, 0.05, PATIENCE_S, rows=9) == 0

    said = capsys.readouterr().out
    assert "2 tables play" in said
    assert "Table 01: row " in said
    assert "rows of 2 ledgers in the inbox match their checksums" in said

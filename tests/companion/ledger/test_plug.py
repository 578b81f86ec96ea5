"""Power cuts: `kill -9` at any moment loses no acknowledged event, and stores none twice."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.ledger import Ledger
from companion.session.commands import Switch
from tests.companion.live_table import HOST, LiveTable
from tests.forkserver.process import Forked

PULLS = (4, pytest.param(10, marks=pytest.mark.long))
ROOT = Path(__file__).parents[3]


def play_and_pull(path: Path, seq: int, acknowledgements: int, more_bytes: int) -> int:
    """Start a process at event *seq*, kill it at a random moment, and return the last event that it acknowledged."""
    with Forked("tests.companion.ledger.playing", path, seq, aloud=True) as process:
        for _ in range(acknowledgements):
            assert process.stdout.readline().startswith("ack ")
        process.stdout.read(more_bytes)
        process.kill()
        *_, last = [f"ack {seq + acknowledgements - 1}", *process.stdout.read().split("\n")[:-1]]
    return int(last.split()[-1])


def heard(path: Path) -> list[int]:
    """Return the numbers of the ring events in the ledger, in the order in which they were stored."""
    ledger = Ledger.read_only(path)
    found = [row.source[2] for row in ledger._stored("WHERE kind = 'ring' ORDER BY id") if row.source is not None]
    ledger.close()
    return found


@pytest.mark.parametrize("pulls", PULLS)
def test_the_plug_may_be_pulled_at_any_moment(tmp_path: Path, pulls: int) -> None:
    """Power cuts: after many kills, every acknowledged event is stored once, in order, in a legal game."""
    path, lots, last = tmp_path / "ledger.db", Random(3), 0

    for _ in range(pulls):
        last = play_and_pull(path, last + 1, lots.randrange(1, 60), lots.randrange(4))
        found = heard(path)
        assert found == list(range(1, len(found) + 1))
        assert last <= len(found) <= last + 1

    live_table = LiveTable(path)
    number = live_table.table.importer.import_record(live_table.table.archive.record(), HOST).game
    view = live_table.view
    live_table.table.execute(Switch(number), HOST)
    assert live_table.view == view
    live_table.ledger.close()

"""A calibration in the middle of a game, on a simulated ring from end to end: bytes, wizard, ledger, arming."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from companion.app.bootstrap import ledger_and_ring
from companion.app.ring_controller import RingController
from companion.ledger import Row
from companion.model.snapshot import Who
from companion.ports.calibration import Instrument, Line, WizardStage
from companion.ports.ring import RingState
from companion.records import RECORD, VERSION

HOST = Who("host", "tablet")
COLOURS = ("red", "blue", "green")
PATIENCE_S = 60.0


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[RingController]:
    """A table with a simulated ring."""
    with ledger_and_ring(tmp_path, "mock:?seed=4") as opened:
        yield opened


def until(wanted: Callable[[], object], opened: RingController) -> None:
    """Wait until *wanted* is true, checking it whenever ring, instrument or table publishes a change."""
    news = Event()
    instrument = opened.ring.instrument
    assert instrument is not None
    ends = [
        opened.table.subscribe(lambda snapshot: news.set()),
        opened.table.subscribe_ring(lambda view: news.set()),
        instrument.subscribe(news.set),
    ]
    while not wanted():
        assert news.wait(PATIENCE_S), f"it never came: {opened.ring.view}"
        news.clear()
    for end in ends:
        end()


def begin_attempt(opened: RingController) -> None:
    """Play a game up to the moment when red draws at p1."""
    players = [{"colour": colour, "name": colour.capitalize()} for colour in COLOURS]
    header = {"record": RECORD, "version": VERSION, "game": "andromeda", "players": players, "first": "red"}
    opened.table.open({**header, "options": {"trade_record": "off"}}, HOST)
    lines: list[Line] = [
        *({"do": "setup", "player": each, "cards": {f"p{n}": 1 for n in range(1, 7)}} for each in COLOURS),
        {"do": "deal"},
        *({"do": "transport", "player": each, "move": "pass"} for each in COLOURS),
        {"do": "end_trading"},
        {"do": "establish", "player": "red", "planet": "p1", "cards": 5, "jokers": [], "bonus": True},
    ]
    for line in lines:
        opened.table.do(line, HOST)


def teach(opened: RingController, instrument: Instrument) -> None:
    """Go through the wizard: references, passes of each colour, review."""
    for reference in ("black", "white", "dark"):
        instrument.look(reference)
        until(partial(taken, instrument, reference), opened)
    for colour in COLOURS:
        instrument.turn_to(colour)
        until(lambda: armed_for_wizard(opened), opened)
        for number in range(1, 7):
            opened.ring.slide()
            until(partial(passed, instrument, colour, number), opened)
    instrument.review()


def taken(instrument: Instrument, reference: str) -> bool:
    """Return whether the wizard has measured a *reference*."""
    shown = instrument.view.wizard
    return shown is not None and any(each.name == reference and each.counts for each in shown.references)


def passed(instrument: Instrument, colour: str, count: int) -> bool:
    """Return whether the wizard has *count* passes of a colour."""
    shown = instrument.view.wizard
    return shown is not None and shown.counts.get(colour, 0) >= count


def armed_for_wizard(opened: RingController) -> bool:
    """Return whether the ring is armed for the wizard's order."""
    instrument = opened.ring.instrument
    assert instrument is not None
    return instrument.order is not None and opened.ring.view.armed == instrument.order[0]


def test_a_ring_is_taught_in_the_middle_of_an_attempt(playing: RingController) -> None:
    """Calibrating leaves the open attempt alone; the calibration is saved and used, and the next draw is the game's."""
    until(lambda: playing.ring.view.state is RingState.LIVE, playing)
    begin_attempt(playing)
    order = playing.table.order()
    assert order is not None
    until(lambda: playing.ring.view.armed == order.token, playing)
    record = list(playing.table.archive.record())
    instrument = playing.ring.instrument
    assert instrument is not None

    instrument.begin("ours", COLOURS)
    teach(playing, instrument)
    shown = instrument.view.wizard
    assert shown is not None
    assert (shown.stage, shown.trouble) == (WizardStage.REVIEW, "")
    playing.table.save_calibration(instrument.finish("2026-05-03T18:20:00Z"), HOST)

    assert list(playing.table.archive.record()) == record
    assert instrument.view.wizard is None
    assert instrument.view.calibration is not None
    assert instrument.view.calibration.copy == "ours"
    until(lambda: playing.ring.view.armed == order.token, playing)
    version = playing.table.snapshot.version
    playing.ring.slide()
    until(lambda: playing.table.snapshot.version > version, playing)
    snapshot = playing.table.snapshot
    assert snapshot.questions or snapshot.recent[0].line["do"] == "draw"
    judged = [row for row in rows(playing, "judgement") if row.body["calibration"]]
    assert judged[-1].body["calibration"] == instrument.view.calibration.id


def rows(opened: RingController, kind: str) -> list[Row]:
    """Return the rows of *kind* in the ledger, oldest first."""
    ledger = opened.table.live.ledger
    found = (ledger.row(number) for number in range(1, ledger.last + 1))
    return [row for row in found if row is not None and row.kind == kind]

"""Every fault, recorded from a simulated ring and replayed, is reported with its name and its sentence.

There are two rungs: a host receives the recorded bytes at the recorded times, or
the capture is opened as a ring, like any other.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.ports.ring import Order, RingEvent, RingEventKind, RingState, RingView
from companion.ring.faults import FAULTS, lost
from firmware_bridge import open_ring
from firmware_bridge.capture.reader import Tape, read_tape
from firmware_bridge.colour import CalibratedJudge, calibration_of
from firmware_bridge.passages.passage import Passages
from firmware_bridge.protocol.connection import Connection
from firmware_bridge.protocol.messages import Event
from rungs.capture import NOTE, OPENED, RECEIVED, SENT
from tests.companion.live_table import LiveTable
from tests.firmware_bridge.capture.recordings.record import SCRIPTS, TOKEN, record

HERE = Path(__file__).parent
PATIENCE_S = 60.0
ASKED = ("two-together", "unknown-colour", "ambiguous-colour", "colour-not-in-the-ring", "sensor-missing", "saturated")
TOLD = ("went-back", "poke", "surplus", "stuck", "gate-open-while-shaking", "lifted", "ambient-light", "saturated")
TOLD = (*TOLD, "dirty-window", "device-restarted", "sensor-missing")
NAMES = sorted({*ASKED, *TOLD, "link-lost"})
BY_WHAT_IS_LEFT = {"sensor-missing": "unread-colour", "saturated": "unread-colour"}
"""The question after a fault of the sensor: the fault is reported, and a station without a colour causes a question."""


def tape(name: str) -> Tape:
    """Return the capture of a fault."""
    return read_tape(HERE / f"{name}.log")


def judge(name: str) -> CalibratedJudge:
    """Return a judge with the calibration of that fault's ring."""
    file = "close.json" if name == "ambiguous-colour" else "five.json"
    return CalibratedJudge(calibration_of(json.loads((HERE / file).read_text())))


def heard_again(name: str) -> list[RingEvent]:
    """Return the events of a host that receives the recorded bytes, session by session."""
    recorded = tape(name)
    sessions = (name for name in _sessions(recorded))
    host = Connection(lambda: next(sessions, "none"))
    host.connected(0.0)
    seen = judge(name)
    events: list[RingEvent] = []
    passages: dict[str, Passages] = {}
    for entry in recorded.entries:
        if entry.mark == NOTE and entry.data.startswith(OPENED.encode()) and entry.at_ms > 0:
            host.connected(entry.at_ms / 1000)
        if not entry.mark.startswith(RECEIVED):
            host.outgoing(entry.at_ms / 1000)
            continue
        for heard in host.receive(entry.sent, entry.at_ms / 1000):
            if isinstance(heard, Event):
                mine = passages.setdefault(heard.boot, Passages("simulated"))
                event = mine.take(heard, seen, {})
                events += [event] if event else []
                host.recorded(heard)
    assert host.damaged == 0
    return events


def _sessions(recorded: Tape) -> Iterator[str]:
    """Yield the names of the recorded host's sessions in order, after one that it used before it was connected."""
    yield "unused"
    for entry in recorded.entries:
        if entry.mark == SENT and entry.data.startswith(b"$hi "):
            yield entry.data.split(b"h=")[1].split(b"*")[0].decode()


class AtTheTable:
    """A listener that passes everything to the table, and can be waited for."""

    def __init__(self, evening: LiveTable) -> None:
        self.views: list[RingView] = []
        self._table = evening.table
        self._changed = threading.Condition()

    def heard(self, *events: RingEvent) -> None:
        """Pass events to the table."""
        self._table.heard(*events)
        with self._changed:
            self._changed.notify_all()

    def ring_changed(self, view: RingView) -> None:
        """Store the view."""
        with self._changed:
            self.views.append(view)
            self._changed.notify_all()

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until *done* is true."""
        with self._changed:
            assert self._changed.wait_for(done, PATIENCE_S)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[LiveTable]:
    """A table with a toy game whose attempt allows one draw, so that a second draw is surplus."""
    made = LiveTable(tmp_path / "ledger.db")
    made.open(bag={"red": 3, "blue": 3, "green": 3}).dig(1)
    yield made
    made.ledger.close()


@pytest.fixture(params=["link", "ring"])
def told_again(request, evening) -> Iterator[Callable[[str], LiveTable]]:
    """Return a function that replays a capture to the table, by either rung, with the current token."""
    opened = []
    token = evening.token()

    def by_link(name: str) -> LiveTable:
        for event in heard_again(name):
            evening.table.heard(replace(event, token=token) if event.token == TOKEN else event)
        return evening

    def by_ring(name: str) -> LiveTable:
        listener = AtTheTable(evening)
        opened.append(open_ring(f"capture:{HERE / name}.log?speed=0", listener, judge(name)))
        opened[0].arm(Order(token, {"red": 3, "blue": 3, "green": 3}))
        last = heard_again(name)[-1]
        listener.until(lambda: len(evening.rows("ring")) == len(heard_again(name)))
        assert evening.rows("ring")[-1].word == last.kind
        return evening

    yield by_link if request.param == "link" else by_ring
    for ring in opened:
        ring.close()


@pytest.mark.parametrize("name", TOLD)
def test_a_fault_that_is_told_comes_out_with_its_words(told_again, name):
    """The notice of a reported fault has the name and the sentence of the table of faults."""
    evening = told_again(name)

    notice = next(each for each in evening.snapshot.notices if each.kind == name)
    assert notice.text == FAULTS[name].text or name == "surplus"
    assert "Put it back" in notice.text or name != "surplus"


@pytest.mark.parametrize("name", ASKED)
def test_a_fault_that_leaves_a_doubt_becomes_a_question(told_again, name):
    """A fault that leaves the colour open becomes a question with the colours below the ring."""
    evening = told_again(name)

    assert evening.question.fault == BY_WHAT_IS_LEFT.get(name, name)
    assert evening.question.offered
    assert evening.deeds() == ["dig"]


@pytest.mark.parametrize("name", ["ambient-light", "dirty-window", "lifted", "went-back", "gate-open-while-shaking"])
def test_a_fault_that_makes_no_draw_makes_none(told_again, name):
    """A cube that went back, a lifted or shaken ring, or a sensor fault never counts as two draws."""
    evening = told_again(name)

    assert evening.deeds() in (["dig"], ["dig", "draw"])
    assert len(evening.deeds()) == 1 or name in ("ambient-light", "dirty-window")


def test_a_lost_link_is_shown_and_nothing_is_lost(evening):
    """A lost link is shown, the replay reconnects, and each station is reported once."""
    listener = AtTheTable(evening)
    ring = open_ring(f"capture:{HERE / 'link-lost'}.log?speed=0", listener, judge("link-lost"))
    ring.arm(Order(evening.token(), {"red": 3, "blue": 3, "green": 3}))
    listener.until(lambda: any(lost(view) for view in listener.views))
    listener.until(lambda: ring.view.state is RingState.LIVE and len(evening.rows("ring")) == 7)
    ring.close()

    gone = next(view for view in listener.views if lost(view))
    assert lost(gone) is FAULTS["link-lost"]
    assert gone.trouble
    assert [row.word for row in evening.rows("ring")].count("out") == 2


def test_a_capture_told_twice_to_one_ledger_is_told_once(evening):
    """A capture replayed twice has the same boots, so the ledger drops the repeated events."""
    listener = AtTheTable(evening)
    for _ in range(2):
        ring = open_ring(f"capture:{HERE / 'surplus'}.log?speed=0", listener, judge("surplus"))
        ring.arm(Order(evening.token() or 1, {"red": 3}))
        heard = len(heard_again("surplus"))
        listener.until(lambda ring=ring, heard=heard: ring.view.last_passage_at and len(evening.rows("ring")) == heard)
        ring.close()

    assert evening.deeds() == ["dig", "draw"]


def test_a_restart_is_a_boot_of_its_own():
    """A restart of the device is a new boot, with events from number 1."""
    events = heard_again("device-restarted")

    assert [event.seq for event in events if event.kind is RingEventKind.BOOT] == [1, 1]
    assert len({event.boot for event in events}) == 2


@pytest.mark.parametrize("name", NAMES)
def test_every_fault_has_a_capture_that_says_that_it_is_simulated(name):
    """Every fault has a capture that says "simulated" in its first line and in its hello."""
    recorded = tape(name)

    assert "(simulated)" in (HERE / f"{name}.log").read_text().splitlines()[0]
    assert all(hello.simulated for hello in recorded.hellos.values())
    assert name in FAULTS


@pytest.mark.parametrize("name", ["two-together", "link-lost", "device-restarted"])
def test_the_recorder_writes_the_same_again(name, tmp_path):
    """Recording the same script twice gives the same bytes."""
    once, again = tmp_path / "once", tmp_path / "again"
    once.mkdir()
    again.mkdir()

    assert record(name, SCRIPTS[name], once).read_bytes() == record(name, SCRIPTS[name], again).read_bytes()

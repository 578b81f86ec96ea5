"""The check of a ring: a good ring passes, each fault is found, and no event of a game is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.conformance.html_report import histogram, page, round_numbers
from firmware_bridge.conformance.suite import checked
from firmware_bridge.conformance.text_report import as_text
from firmware_bridge.device.framing import opened, seal
from firmware_bridge.protocol.connection import Connection, Greeted
from firmware_bridge.protocol.messages import Event
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.virtual import VirtualRing
from firmware_bridge.transport.in_process import DirectWire
from rungs.trouble import Damage
from rungs.wire import WireLost
from tests.effort import seeds

Change = Callable[[str], str | None]
Spoil = Callable[[bytes], bytes]
TICK_S = 0.0005


def as_it_is(body: str) -> str | None:
    """Return *body* unchanged."""
    return body


class Habit:
    """A virtual ring whose input and output are changed on the way; time passes while the host waits."""

    def __init__(
        self, says: Change = as_it_is, hears: Change = as_it_is, line_s: float = 0.0, line: Spoil = bytes
    ) -> None:
        self.now = 50.0
        boots = (f"{number:08x}" for number in count(1))
        self.ring = VirtualRing(IDEAL, Random(1), boots.__next__, self.now)
        self._says, self._hears, self._line_s, self._line = says, hears, line_s, line
        self.wire = DirectWire("habit", self, lambda: self.now, self.pause)

    def pause(self, seconds: float) -> bool:
        """Advance the clock."""
        self.now += seconds + TICK_S
        return False

    def receive(self, data: bytes, now: float) -> None:
        """Pass the changed *data* to the ring."""
        self.ring.receive(changed(self._line(data), self._hears), now)

    def outgoing(self, now: float) -> bytes:
        """Return the ring's output with changes."""
        data = self.ring.outgoing(now)
        self.now += self._line_s if data else 0
        return self._line(changed(data, self._says))

    def due(self, now: float) -> float:
        """Return when the ring has output next."""
        return self.ring.due(now)

    def check(self, **wishes):
        """Run the check on this ring."""
        names = (f"c{number}" for number in count(1))
        return checked("habit", Conversation(self.wire, lambda: self.now, names.__next__), **wishes)


def changed(data: bytes, change: Change) -> bytes:
    """Apply *change* to complete lines, and leave noise unchanged."""
    lines = []
    for piece in data.splitlines(keepends=True):
        body = opened(piece.strip().removeprefix(b"$"))
        fresh = change(body) if body else None
        lines.append(piece if body is None or fresh == body else seal(fresh) if fresh else b"")
    return b"".join(lines)


def without(word: str) -> Change:
    """Return a filter that drops the lines whose first word is *word*."""
    return lambda body: None if body.split(" ")[0] == word else body


def instead(old: str, new: str) -> Change:
    """Return a filter that replaces *old* with *new*."""
    return lambda body: re.sub(old, new, body)


def failed(report) -> list[str]:
    """Return the names of the failed results."""
    return [result.name for result in report.results if not result.passed]


def test_the_virtual_ring_keeps_every_promise():
    """The virtual ring passes everything; only tests of abilities that it lacks are skipped."""
    report = Habit().check()

    assert failed(report) == []
    assert report.passed
    assert len(report.results) > 50
    assert {each.name for each in report.skipped} <= {
        "event forgotten when acknowledged",
        "white against the calibration's",
    }


@pytest.mark.parametrize(
    ("habit", "found"),
    [
        ({"says": without("hello")}, "answers a greeting"),
        ({"says": instead("^hello v=1", "hello v=7")}, "speaks the protocol's version"),
        ({"says": instead("id=virtual", "id=a-name-far-too-long")}, "names itself in good form"),
        ({"says": without("tally")}, "status dump, whole (best of 5)"),
        ({"says": instead("gate=[01]", "gate=x")}, "switches told as promised"),
        ({"says": instead(" lost=0", " lost=3")}, "events lost for want of room"),
        ({"says": without("pong")}, "pings answered"),
        ({"says": without("beat")}, "heartbeat off its second"),
        ({"line_s": 0.15}, "round trip (p95)"),
        ({"hears": instead("^ping h=nobody", "ping h=c1")}, "line of another session answered"),
        ({"hears": instead("^hi v=99", "hi v=1")}, "opens no session for it"),
        ({"hears": without("arm")}, "orders carried out"),
        ({"says": instead("^sorry (.*) why=unknown", r"done \1")}, "unknown order refused as such"),
        ({"hears": without("lamp")}, "lamp obeys"),
        ({"hears": without("ack")}, "event sent again though it arrived"),
        ({"hears": without("replay")}, "event sent again when asked for"),
        (
            {"says": instead("what=white counts=.*", "what=white counts=0:0:0:9 sum=8")},
            "white, dimmest frame mean (clear)",
        ),
        ({"says": instead("what=dark counts=.*", "what=dark counts=0:0:0:3000 sum=8")}, "light of the room, of white"),
        (
            {"says": instead("what=black counts=.*", "what=black counts=9:9:9:3000 sum=8")},
            "white against black, worst channel",
        ),
        ({"says": without("frame")}, "passages that cannot be read"),
        ({"says": instead("tok=9999990..", "tok=0")}, "verdicts with another token than armed"),
        ({"says": instead("k=out", "k=back")}, "verdicts that the edges contradict"),
        ({"says": instead("A[+]0", "A-0")}, "edges that make no sense"),
        ({"says": instead("len=1..", "len=240")}, "length of a cube off one edge (median)"),
        ({"says": without("edge")}, "gaps between events"),
    ],
)
def test_a_bad_habit_is_found(habit, found):
    """Each fault breaks the promise that was written for it."""
    report = Habit(**habit).check()

    assert found in failed(report)
    assert not report.passed


@pytest.mark.parametrize("seed", seeds(8))
def test_a_bad_line_is_not_blamed_on_the_ring(seed):
    """With 0.2 % damaged bytes in both directions, only the result for the line fails."""
    damage = Damage(0.002, Random(seed))

    assert failed(Habit(line=damage.passed).check()) == ["damaged lines heard"]


JUNK = ("x", "0", "-1", "999999999999999", "A+0", "A+0,B+0", "0:0:0:0", "1:2:3", "out", "pair")


@pytest.mark.parametrize("seed", seeds(12))
def test_whatever_a_ring_says_there_is_a_report(seed):
    """Nonsense in any field gives a report, and breaks neither the check nor its text or page."""
    lots = Random(seed)

    def says(body: str) -> str:
        word, *fields = body.split(" ")
        if lots.random() < 0.5 or not fields:
            return body
        spoilt = lots.randrange(len(fields))
        fields[spoilt] = fields[spoilt].partition("=")[0] + "=" + lots.choice(JUNK)
        return " ".join([word, *fields])[:109].strip()

    report = Habit(says=says).check()

    assert list(as_text(report))
    assert json.dumps(report.line(), allow_nan=False)
    assert "</html>" in page(report, "today")


def test_what_the_ring_kept_before_is_still_there_for_a_game():
    """Three stations that wait for a host before the check are received by a host after it, each once."""
    habit = Habit()
    habit.ring.load({"red": 3})
    for _ in range(3):
        habit.ring.slide(habit.now, "red")
    assert failed(habit.check()) == []

    host = Connection(lambda: "game")
    host.connected(habit.now)
    heard = []
    end = habit.now + 2
    while habit.now < end:
        habit.wire.write(host.outgoing(habit.now))
        heard += host.receive(habit.wire.read(0.01), habit.now)

    assert [each.gone for each in heard if isinstance(each, Greeted)] == [0]
    numbers = [each.number for each in heard if isinstance(each, Event)]
    assert numbers == list(range(1, len(numbers) + 1))
    tokens = [each.fields["tok"] for each in heard if isinstance(each, Event) and each.word == "pass"]
    assert tokens[:3] == ["0", "0", "0"]
    assert all(int(token) >= 900_000_000 for token in tokens[3:])


def test_a_ring_that_does_not_say_what_it_keeps_is_left_all_of_it():
    """If the ring sends no status dump, the check acknowledges nothing, since nothing is known to be its own."""
    heard = []

    def hears(body: str) -> str:
        heard.append(body)
        return body

    Habit(says=without("tally"), hears=hears).check()

    acks = [body for body in heard if body.startswith("ack")]
    assert all(" n=0 " in body for body in acks)


def test_with_nothing_kept_before_its_own_events_are_taken_away():
    """If all of the ring's events were recorded before, the check acknowledges its own events too."""
    habit = Habit()
    host = Connection(lambda: "game")
    host.connected(habit.now)
    for _ in range(30):
        habit.wire.write(host.outgoing(habit.now))
        for heard in host.receive(habit.wire.read(0.01), habit.now):
            if isinstance(heard, Event):
                host.recorded(heard)
    assert habit.ring.acknowledged

    report = habit.check()

    assert "event forgotten when acknowledged" in [result.name for result in report.results]
    assert report.passed
    assert habit.ring.acknowledged


def test_a_ring_without_a_slide_asks_only_when_told_to():
    """Without --ask, tests that need a hand are skipped; with it, a person is asked and has all the time they need."""
    no_slide = instead(r"sim=1 can=glmbs", "sim=0 can=glmb")
    report = Habit(says=no_slide).check()
    assert "passages told" in [each.name for each in report.skipped]

    habit = Habit(says=no_slide)
    asked = []
    answered_at = []

    def ask(deed: str) -> Callable[[], bool | None]:
        asked.append(deed)
        answered_at.append(habit.now + 20)
        if "Slide" in deed:
            habit.ring.load({"red": 1})
            habit.ring.slide(habit.now)
        return lambda: True if habit.now >= answered_at[-1] else None

    report = habit.check(ask=ask)
    assert len(asked) == 2
    assert failed(report) == []
    assert "cubes that left" in [result.name for result in report.results]


def test_a_wire_that_breaks_is_a_failure():
    """A lost wire is a failure, and the results so far are reported."""
    habit = Habit()
    until = habit.now + 2

    def lost(now: float) -> bool:
        return now > until

    wire = DirectWire("habit", habit, lambda: habit.now, habit.pause, lost)
    report = checked("habit", Conversation(wire, lambda: habit.now, lambda: "c1"))

    assert any("stays connected" in name for name in failed(report))
    assert len(report.results) > 5
    with pytest.raises(WireLost):
        wire.read(1)


def test_the_report_is_text_json_and_a_page_of_its_own():
    """The report is text with one line per promise, JSON, and a page that loads nothing."""
    report = Habit(says=without("beat")).check()
    text = list(as_text(report))
    line = json.loads(json.dumps(report.line(), allow_nan=False))
    made = page(report, "today")

    assert sum(each.startswith("FAIL") for each in text) == len(failed(report))
    assert all(each.keys() >= {"name", "passed", "value", "limit", "unit"} for each in line["results"])
    assert made.count("<svg") >= 4
    assert not re.search(r"<script|<link|src=|https?:|url\(|@import", made)
    assert "simulated" in made


def test_what_a_ring_says_of_itself_is_text_on_the_page():
    """The ring's own texts are escaped on the report's page."""
    report = Habit(says=instead("fw=0.1.0", "fw=<b>x</b>")).check()

    assert "<b>x" not in page(report, "today")


def test_plots_hold_for_one_value_and_for_none_but_nought():
    """A plot of a single value, or of zeros, has a valid scale."""
    assert histogram([1.0], "one", "ms").count("<rect") == 1
    assert "nan" not in histogram([0.0, 0.0], "nought", "ms")
    assert round_numbers(0, 10) == [0, 5, 10]
    assert 3 <= len(round_numbers(0.07, 0.42)) <= 6

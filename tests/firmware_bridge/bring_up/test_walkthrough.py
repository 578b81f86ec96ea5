"""The first bench hour: a good ring passes, the right step finds each fault, and no finished step is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.bring_up.html_report import bench_page, checklist
from firmware_bridge.bring_up.measurements import MeasuringBench
from firmware_bridge.bring_up.record import BenchRecord, StepOutcome, read_record, write_record
from firmware_bridge.bring_up.steps import STEPS, MeasuringWay
from firmware_bridge.bring_up.walkthrough import Walkthrough, summary
from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.device.framing import opened, seal
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.virtual import VirtualRing
from firmware_bridge.transport.in_process import DirectWire
from rungs.wire import WireLost
from tests.forkserver.process import finished

PAGE = Path(__file__).parents[3] / "hardware" / "bench-hour.md"
TICK_S = 0.002
Change = Callable[[str], str | None]


class Workbench:
    """A newly soldered ring, and a simulated person who does what each step asks; time passes during waits."""

    def __init__(self, says: Change = lambda body: body, answers: dict[str, str] | None = None) -> None:
        self.now = 50.0
        boots = (f"{number:08x}" for number in count(1))
        self.ring = VirtualRing(IDEAL, Random(1), boots.__next__, self.now)
        self.record = BenchRecord()
        self.saved: list[str] = []
        self.said: list[str] = []
        self.asked: list[str] = []
        self._says = says
        self._answers = answers or {}
        self._doing = ""
        self._names = (f"c{number}" for number in count(1))

    def pause(self, seconds: float) -> bool:
        """Advance the clock."""
        self.now += seconds + TICK_S
        return False

    def receive(self, data: bytes, now: float) -> None:
        """Pass data from the host to the ring."""
        self.ring.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Return the ring's output, with the changes of this test."""
        bodies = [opened(piece.strip().removeprefix(b"$")) for piece in self.ring.outgoing(now).splitlines()]
        changed = [self._says(body.replace("sim=1 can=glmbs", "sim=0 can=glmb")) for body in bodies if body]
        return b"".join(seal(body) for body in changed if body)

    def due(self, now: float) -> float:
        """Return when the ring has output next."""
        return self.ring.due(now)

    def talk(self) -> Conversation:
        """Start a conversation with the ring."""
        return Conversation(
            DirectWire("bench", self, lambda: self.now, self.pause), lambda: self.now, self._names.__next__
        )

    def say(self, sentence: str) -> None:
        """Record the sentence, and which step it is about."""
        self.said.append(sentence)
        if found := re.match(r"\n(\d+) of", sentence):
            self._doing = STEPS[int(found[1]) - 1].name

    def ask(self, sentence: str) -> Callable[[], str | None]:
        """Start doing what is asked, and return a function that gives the answer."""
        self.asked.append(self._doing)
        if self._doing in self._answers:
            answer = self._answers.pop(self._doing)
            return lambda: answer
        if "`again`" in sentence:
            return lambda: "looked at it"
        deed = DEEDS.get(self._doing, lambda bench: iter(()))(self)
        answer = {
            "usb": "5.02",
            "supply": "3,29 V",
            "sensor-supply": "3.3",
            "free-lane": "0.1",
            "neighbour": "3.1",
            "lamp": "y",
            "beep": "yes",
        }
        # each call of the returned function does one thing
        return lambda: None if next(deed, "done") is None else answer.get(self._doing, "")

    def walk(self) -> bool:
        """Run all steps."""
        bench = MeasuringBench(self.talk(), self.ask, 300.0, self.talk)
        self.record.is_of(bench.take_over())
        return Walkthrough(bench, self.record, self._save, self.say, lambda: "today").through()

    def failed(self) -> list[str]:
        """Return the names of the steps that are not settled."""
        return [name for name, outcome in self.record.outcomes.items() if not outcome.settled]

    def _save(self) -> None:
        self.saved.append(json.dumps(self.record.line(), allow_nan=False))

    def stamp(self) -> int:
        """Return the time of the ring's clock."""
        return round((self.now - 50.0) * 1e6) + self.ring._link.ahead_us

    def slide(self, times: int, speed_mm_s: float = 80.0, fault: str = "") -> Iterator[None]:
        """Slide *times* cubes."""
        for _ in range(times):
            self.ring.load({"red": 2 if fault == "pair" else 1})
            self.ring.slide(self.now, "red", speed_mm_s, fault)
            yield

    def flip(self, switch: Callable[[bool, int], object]) -> Iterator[None]:
        """Flip a switch three times."""
        for on in (True, False) * 3:
            switch(on, self.stamp())
            yield

    def outer_beam(self) -> Iterator[None]:
        """Block and release the outer beam, five times."""
        for _ in range(5):
            self.ring._works.edge("B", True, self.stamp())
            self.ring._works.edge("B", False, self.stamp() + 40_000)
            yield

    def restart(self) -> Iterator[None]:
        """Restart the ring by its power."""
        self.ring.restart(self.now, "power")
        yield


DEEDS: dict[str, Callable[[Workbench], Iterator[None]]] = {
    "gate": lambda bench: bench.flip(bench.ring._works.gate),
    "lift": lambda bench: bench.flip(bench.ring._works.lift),
    "beam-a": lambda bench: bench.slide(5, fault="poke"),
    "beam-b": lambda bench: bench.outer_beam(),
    "beams": lambda bench: bench.slide(5, fault="back"),
    "slow": lambda bench: bench.slide(20, 30.0),
    "normal": lambda bench: bench.slide(20),
    "fast": lambda bench: bench.slide(20, 400.0),
    "pairs": lambda bench: bench.slide(5, fault="pair"),
    "shaking": lambda bench: bench.slide(1, fault="shake_open"),
    "unplugged": lambda bench: bench.restart(),
}


def without(word: str) -> Change:
    """Return a filter that drops the lines whose first word is *word*."""
    return lambda body: None if body.split(" ")[0] == word else body


def instead(old: str, new: str) -> Change:
    """Return a filter that replaces *old* with *new*."""
    return lambda body: re.sub(old, new, body)


def test_a_good_ring_passes_every_step():
    """All steps pass with a good ring, and each one is saved when it is done."""
    bench = Workbench()

    assert bench.walk()

    assert [name for name, each in bench.record.outcomes.items() if each.passed] == [step.name for step in STEPS]
    assert len(bench.saved) == len(STEPS)
    assert "22 of 22 steps fine" in summary(bench.record)


@pytest.mark.parametrize(
    ("step", "says", "answers"),
    [
        ("usb", None, {"usb": "4.2"}),
        ("link", without("pong"), {}),
        ("gate", instead("^gate (.*) open=1", r"gate \1 open=0"), {}),
        ("lift", instead("^lift (.*) up=1", r"lift \1 up=0"), {}),
        ("beam-a", instead("k=poke", "k=glitch"), {}),
        ("beam-b", instead("e=B", "e=A"), {}),
        ("beams", instead("k=back", "k=stuck"), {}),
        ("sensor", instead("what=white counts=.*", "what=white counts=0:0:0:9 sum=8"), {}),
        ("lamp", None, {"lamp": "n"}),
        ("beep", instead("^done", "dane"), {}),
        ("slow", instead("len=1..", "len=240"), {}),
        ("normal", instead("k=out", "k=glitch"), {}),
        ("fast", instead("parts=[0-9]+", "parts=x"), {}),
        ("pairs", instead("k=pair", "k=out"), {}),
        ("shaking", instead("what=gate-open-while-shaking", "what=lifted"), {}),
        ("idle", without("beat"), {}),
        ("unplugged", None, {"unplugged": ""}),
    ],
)
def test_what_is_wrong_is_found_by_the_step_for_it(step, says, answers):
    """A faulty part fails the step that checks it, and the other steps go on."""
    bench = Workbench(says or (lambda body: body), answers)
    for each in STEPS:
        if each.name != step:
            bench.record.outcomes[each.name] = StepOutcome("before", skipped="not today")

    assert bench.walk()

    assert bench.failed() == [step]
    assert "1 failed" in summary(bench.record)


def test_an_hour_that_was_broken_off_goes_on_where_it_was(tmp_path):
    """Resuming repeats failed and open steps, but not those that passed."""
    first = Workbench(answers={"usb": "4.2", "supply": "quit"})
    assert not first.walk()
    write_record(tmp_path / "record", first.record)

    second = Workbench()
    second.record = read_record(tmp_path / "record")
    assert second.record.line() == first.record.line()
    assert second.walk()

    assert second.asked[0] == "usb"
    assert second.failed() == []


def test_a_plug_pulled_in_a_step_loses_nothing_before_it():
    """If the wire breaks during a step, finished steps are recorded, and this one isn't."""
    bench = Workbench()
    end = 200.0
    wire = DirectWire("bench", bench, lambda: bench.now, bench.pause, lambda now: now > end)
    held = MeasuringBench(Conversation(wire, lambda: bench.now, lambda: "c1"), bench.ask, 300.0, bench.talk)
    held.take_over()

    with pytest.raises(WireLost):
        Walkthrough(held, bench.record, bench._save, bench.say, lambda: "today").through()

    assert 0 < len(bench.record.outcomes) < len(STEPS)
    assert json.loads(bench.saved[-1])["steps"].keys() == bench.record.outcomes.keys()


def test_a_step_may_be_left_out_with_a_reason():
    """A step can be skipped with a reason, before it is done or after it has failed."""
    bench = Workbench(answers={"usb": "skip no multimeter", "supply": "5.1", "lamp": "skip"})
    asked = bench.ask

    def ask(sentence: str) -> Callable[[], str | None]:
        return (lambda: "skip the meter is broken") if "`again`" in sentence else asked(sentence)

    held = MeasuringBench(bench.talk(), ask, 300.0, bench.talk)
    held.take_over()
    assert Walkthrough(held, bench.record, bench._save, bench.say, lambda: "today").through()

    reasons = {name: each.skipped for name, each in bench.record.outcomes.items() if each.skipped}
    assert reasons == {"usb": "no multimeter", "supply": "the meter is broken", "lamp": "no reason given"}


def test_a_ring_that_starts_anew_is_greeted_anew():
    """A board that restarts during the hour is greeted again, a note says so, and the hour goes on."""
    bench = Workbench()
    held = MeasuringBench(bench.talk(), bench.ask, 1.0, bench.talk)
    held.take_over()
    bench.ring.restart(bench.now, "watchdog")

    held.keep_company(1.0)

    assert held.talk.boot == "00000002"
    assert held.remarks == ["the ring restarted and lost what it hadn't sent"]
    assert bench.ring.acknowledged


def test_promises_that_are_broken_are_named():
    """The note of a step names the broken promises."""
    bench = Workbench(without("tally"))
    for each in STEPS:
        if each.name != "promises":
            bench.record.outcomes[each.name] = StepOutcome("before", skipped="not today")

    bench.walk()

    assert bench.failed() == ["promises"]
    assert "status dump" in bench.record.outcomes["promises"].note


def test_a_voltage_that_is_no_number_is_asked_for_again():
    """A text, an empty or an impossible number is answered with a sentence, and the question is repeated."""
    bench = Workbench()
    answers = iter(["five", "", "nan", "-3", "1e9", "5.0 V"])
    held = MeasuringBench(bench.talk(), lambda sentence: lambda: next(answers, "quit"), 1.0, bench.talk)
    held.take_over()

    assert not Walkthrough(held, bench.record, bench._save, bench.say, lambda: "today").through()

    assert bench.said.count("Type a number in V, like 3.3.") == 5
    assert bench.record.outcomes["usb"].passed


def test_a_record_belongs_to_one_ring():
    """A record of another ring is refused."""
    bench = Workbench()
    bench.record = BenchRecord(device="another")

    with pytest.raises(InputError, match="this record is of ring another"):
        bench.walk()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"bench_hour": 9}', '{"bench_hour": 1, "steps": {"usb": 1}}'])
def test_what_is_no_record_is_refused(tmp_path, text):
    """A file that is not a record is refused with its name, and not overwritten."""
    (tmp_path / "record").write_text(text)

    with pytest.raises(InputError, match="isn't a record of a bench hour"):
        read_record(tmp_path / "record")

    assert (tmp_path / "record").read_text() == text


def test_the_checklist_on_paper_is_the_one_that_is_walked():
    """hardware/bench-hour.md contains all steps word for word, and says that nobody has done them with a real ring."""
    page = PAGE.read_text(encoding="utf-8")

    assert checklist() in page, "put what firmware_bridge.bring_up.html_report.checklist() returns into the page"
    assert "Nobody has walked" in page


def test_every_step_has_a_name_of_its_own_and_a_way_to_its_values():
    """Steps have unique names; every step has a measuring function, except those whose value is typed in."""
    names = [step.name for step in STEPS]

    assert len(set(names)) == len(names)
    assert all((step.measure is None) == (step.way is MeasuringWay.TYPED) for step in STEPS)
    assert all(step.limits for step in STEPS)


def test_the_page_loads_nothing_and_shows_what_was_typed_as_text():
    """Notes are escaped on the report's page, and open steps are listed."""
    bench = Workbench(answers={"usb": "4.2", "supply": "quit"})
    asked = bench.ask

    def ask(sentence: str) -> Callable[[], str | None]:
        return (lambda: "<b>burnt</b>") if "`again`" in sentence else asked(sentence)

    held = MeasuringBench(bench.talk(), ask, 1.0, bench.talk)
    bench.record.is_of(held.take_over())
    Walkthrough(held, bench.record, bench._save, bench.say, lambda: "today").through()
    made = bench_page(bench.record, "today")

    assert "<b>burnt" not in made
    assert "&lt;b&gt;burnt" in made
    assert "still to do" in made
    assert not re.search(r"<script|<link|src=|https?:|url\(|@import", made)


def test_the_command_walks_with_a_virtual_ring(tmp_path):
    """The command skips steps that need a hand or are settled, and writes record and page."""
    record = BenchRecord("virtual", "0.1.0", True)
    for name in ("promises", "link", "lamp", "slow", "fast"):
        record.outcomes[name] = StepOutcome("before", skipped="took long")
    write_record(tmp_path / "hour.json", record)

    options = ("--bench-hour", "--record", tmp_path / "hour.json", "--idle-minutes", "0.02")
    done = finished("companion", "ring", "check", "--ring", "mock:?seed=1", *options, given=b"y\n")

    assert done.returncode == 0, done.stdout + done.stderr
    read = read_record(tmp_path / "hour.json")
    fine = {name for name, outcome in read.outcomes.items() if outcome.passed}
    assert fine == {"sensor", "beep", "normal", "idle"}
    assert "simulated" in (tmp_path / "hour.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--ring", "none"), 2, "--ring: none means no ring"),
        (("--ring", "/no/such/port"), 1, "is it plugged in?"),
        (("--ring", "mock:", "--idle-minutes", "-1"), 2, "--idle-minutes"),
        (("--ring", "mock:", "--record", "/no/such/folder/x"), 2, "/no/such/folder/x"),
        (("--ring", "mock:", "--html", "/no/such/folder/y"), 2, "/no/such/folder/y"),
    ],
)
def test_what_cannot_be_walked_is_one_line_and_a_status(ring_command, tmp_path, arguments, status, says):
    """The exit status is 2 for bad input and 1 for a failure, and an empty record is not mentioned."""
    walk = ring_command("check", "--bench-hour", "--record", tmp_path / "hour.json", *arguments)
    _, told = walk.communicate(timeout=60)

    assert (walk.returncode, says in told.splitlines()[-1]) == (status, True), told
    assert "Your progress" not in told


def test_a_record_belongs_to_the_bench_hour(ring_command, tmp_path):
    """Options of the bench hour without `--bench-hour` are refused, and no other check runs."""
    check = ring_command("check", "--ring", "mock:", "--record", tmp_path / "hour.json")

    assert "only work with --bench-hour" in check.communicate(timeout=60)[1]
    assert check.returncode == 2

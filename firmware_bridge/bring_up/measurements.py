"""The measurements of the bring-up steps. Most ask a person to do something, and count the ring's events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.conformance.link import PINGS, pace
from firmware_bridge.conformance.orders import TOKEN, done
from firmware_bridge.conformance.passages import seen
from firmware_bridge.conformance.result import ConformanceResult, Figures, Skipped, quantile
from firmware_bridge.conformance.sensor import references
from firmware_bridge.conformance.suite import checked, nobody_there
from firmware_bridge.passages.passage import MeasuredPassage
from firmware_bridge.protocol.messages import DeviceStatus, Event, Hello
from rungs.wire import WireLost

SETTLE_S = 1.0
ASK_EACH_S = 0.2
GREET_S = 20.0
SLIDES = 20
LOOK_AT_S = 0.7  # how long each colour of the lamp is shown, and each tone is played
TONES_HZ = (800, 1600, 3200)
COLOURS = ("ff0000", "00ff00", "0000ff", "000000")

Value = tuple[str, float]
Type = Callable[[str], Callable[[], str | None]]
"""Shows a sentence to a person and returns a function. That function returns the line that the person typed, or None
while there is no line yet.
"""


class StepSkipped(Exception):
    """A step was skipped, or is not possible with this ring. Its message says why."""


class Senseless(Exception):
    """The ring's events are malformed. The message says how."""


class WalkBroken(Exception):
    """The person has stopped the walkthrough."""


class MeasuringBench:
    """A ring on the bench, and a person next to it. *replug* opens the ring's wire again."""

    def __init__(self, talk: Conversation, typed: Type, idle_s: float, replug: Callable[[], Conversation]) -> None:
        self.talk = talk
        self.idle_s = idle_s
        self.remarks: list[str] = []  # remarks about the present step
        self._typed = typed
        self._replug = replug

    def take_over(self) -> Hello:
        """Greet the ring, take over its events and return its hello. No other host may be using the ring."""
        boot = self.talk.boot
        hello = self.talk.greet(GREET_S)
        if not isinstance(hello, Hello):
            raise WireLost("No ring with our protocol answers. For more: `companion ring check`.")
        if boot and hello.boot != boot:
            self.talk.events.clear()
            self.remarks.append("the ring restarted and lost what it hadn't sent")
        _, tally = self.talk.dump()
        self.talk.first = tally.first if tally else hello.first
        self.talk.before = self.talk.first - 1
        return hello

    def has(self, ability: str) -> bool:
        """Return whether the ring reports *ability*."""
        return self.talk.hello is not None and ability in self.talk.hello.abilities

    def line(self, sentence: str) -> str:
        """Show *sentence* and return the line that the person types. Meanwhile the session is kept alive.

        Raise StepSkipped if the person types `skip`, and WalkBroken for `quit`.
        """
        answer = self._typed(sentence)
        while (typed := answer()) is None:
            self.keep_company(ASK_EACH_S)
        word, _, rest = typed.strip().partition(" ")
        if word == "skip":
            raise StepSkipped(rest.strip() or "no reason given")
        if word == "quit":
            raise WalkBroken
        return typed.strip()

    def keep_company(self, seconds: float) -> None:
        """Receive from the ring for a number of seconds.

        Acknowledge its events, so that it does not send them again.
        """
        talk = self.talk
        if not talk.lives():
            self.take_over()
        until = talk.now() + seconds
        while talk.wait(lambda line: isinstance(line.message, Event), until - talk.now()) is not None:
            talk.ack()
        talk.ack()

    def step_events(self) -> list[Event]:
        """Wait until the person has done the step. Return the events that arrived meanwhile."""
        known = set(self.talk.events)
        self.line("Press Enter when it is done:")
        return self.fresh(known)

    def fresh(self, known: Iterable[int]) -> list[Event]:
        """Wait for the last events, and return the events that are not in *known*."""
        before = -1
        while len(self.talk.events) > before:
            before = len(self.talk.events)
            self.keep_company(SETTLE_S)
        lines = {number: lines[0].message for number, lines in self.talk.events.items() if number not in set(known)}
        return [event for _, event in sorted(lines.items()) if isinstance(event, Event)]

    def replugged(self) -> Hello:
        """Wait until the ring was unplugged and plugged in again, and return its new hello."""
        self.talk = self._replug()
        return self.take_over()


def passages(events: Sequence[Event]) -> list[MeasuredPassage]:
    """Return the passages in *events*. Raise Senseless if one is incomplete."""
    by_number = {event.number: event for event in events}
    try:
        return [seen(event, by_number) for event in events if event.word == "pass"]
    except (KeyError, ValueError):
        raise Senseless("a passage makes no sense. For more: `companion ring check --ask`") from None


def promises(bench: MeasuringBench) -> Iterator[Value]:
    """Measure everything that `companion ring check` can measure without a person, in a separate conversation."""
    report = checked("bench", bench.talk, None, nobody_there)
    bench.take_over()
    broken = [result.name for result in report.results if not result.passed]
    bench.remarks += broken
    yield "promises broken", len(broken)
    yield "promises kept", sum(result.passed for result in report.results)


def link(bench: MeasuringBench) -> Iterator[Value]:
    """Measure round trips and damaged lines."""
    figures, damaged = Figures(), bench.talk.damaged
    list(pace(bench.talk, figures))
    yield "round trip (p95)", quantile(figures.trips_ms, 0.95)
    yield "pings without an answer", PINGS - len(figures.trips_ms)
    yield "damaged lines heard", bench.talk.damaged - damaged


def gate(bench: MeasuringBench) -> Iterator[Value]:
    """Count the changes of the gate switch."""
    return _switched(bench, "g", "gate", "open", ("opened", "closed"))


def lift(bench: MeasuringBench) -> Iterator[Value]:
    """Count the changes of the switch below the ring."""
    return _switched(bench, "l", "lift", "up", ("lifted", "set down"))


def _switched(bench: MeasuringBench, ability: str, word: str, key: str, names: tuple[str, str]) -> Iterator[Value]:
    if not bench.has(ability):
        raise StepSkipped("this ring has no such switch")
    found = Counter(event.fields.get(key) for event in bench.step_events() if event.word == word)
    yield names[0], found["1"]
    yield names[1], found["0"]


def pokes(bench: MeasuringBench) -> Iterator[Value]:
    """Count pokes: passages that block only the inner beam."""
    return _verdicts(bench, "pokes", lambda each: each.kind == "poke")


def only_b(bench: MeasuringBench) -> Iterator[Value]:
    """Count passages that block only the outer beam. No cube does that, so the ring reports a glitch."""
    return _verdicts(bench, "outer beam alone", lambda each: {beam for beam, _, _ in each.edges} == {"B"})


def backs(bench: MeasuringBench) -> Iterator[Value]:
    """Count cubes that block both beams and then go back."""
    return _verdicts(bench, "went back", lambda each: each.kind == "back")


def pairs(bench: MeasuringBench) -> Iterator[Value]:
    """Count pairs: two cubes at once."""
    return _verdicts(bench, "pairs told", lambda each: each.kind == "pair")


def _verdicts(bench: MeasuringBench, name: str, wanted: Callable[[MeasuredPassage], bool]) -> Iterator[Value]:
    found = passages(bench.step_events())
    right = sum(map(wanted, found))
    yield name, right
    yield "other verdicts", len(found) - right


def sensor(bench: MeasuringBench) -> Iterator[Value]:
    """Measure the white, dark and black references like the conformance check."""

    def card(deed: str) -> Callable[[], bool | None]:
        answer = bench.line(f"{deed} Then press Enter (n: you have none).")
        return lambda: not answer.lower().startswith("n")

    for found in references(bench.talk, Figures(), None, card):
        if isinstance(found, ConformanceResult):
            yield found.name, found.value
        elif isinstance(found, Skipped) and found.name in ("colour sensor", "references"):
            raise StepSkipped(found.why)


def lamp(bench: MeasuringBench) -> Iterator[Value]:
    """Show red, green and blue, and switch the lamp off. Ask the person whether they saw it."""
    if not bench.has("m"):
        raise StepSkipped("this ring has no lamp")
    return _shown(bench, "seen", [("lamp", (("rgb", colour),)) for colour in COLOURS])


def beeped(bench: MeasuringBench) -> Iterator[Value]:
    """Play three tones. Ask whether the person heard them."""
    if not bench.has("b"):
        raise StepSkipped("this ring has no beeper")
    return _shown(bench, "heard", [("beep", (("hz", hz), ("ms", 300))) for hz in TONES_HZ])


def _shown(
    bench: MeasuringBench, name: str, orders: Sequence[tuple[str, tuple[tuple[str, object], ...]]]
) -> Iterator[Value]:
    obeyed = 0
    for word, pairs_of in orders:
        obeyed += done(bench.talk.order(word, *pairs_of))
        bench.keep_company(LOOK_AT_S)
    answer = ""
    while answer[:1] not in ("y", "n"):
        answer = bench.line("y or n:").lower()
    yield name, int(answer[0] == "y" and obeyed == len(orders))


def slides(bench: MeasuringBench) -> Iterator[Value]:
    """Let out twenty cubes. Count missed cubes, double counts, and reports without a frame or with a wrong length."""
    found = passages(_by_order(bench) if bench.has("s") else bench.step_events())
    out = [each for each in found if each.kind == "out"]
    yield "cubes missed", max(SLIDES - len(out), 0)
    yield "cubes told twice", max(len(out) - SLIDES, 0)
    yield "other verdicts", len(found) - len(out)
    yield "cubes without a frame", sum(not each.frames for each in out)
    lengths = [each.length for each in out if each.length is not None]
    yield "length off one edge (median)", abs(median(lengths) - 1) if lengths else float("inf")


def _by_order(bench: MeasuringBench) -> list[Event]:
    """Order a simulated ring to let its cubes out. Return the events."""
    known = set(bench.talk.events)
    bench.talk.order("under", ("n", 0), ("u", f"red:{SLIDES}"))
    bench.talk.order("arm", ("tok", TOKEN + len(known) % 1000))
    for _ in range(SLIDES):
        if not done(bench.talk.order("slide")):
            break
        bench.keep_company(0.01)
    bench.talk.order("disarm")
    return bench.fresh(known)


def faults_while_shaking(bench: MeasuringBench) -> Iterator[Value]:
    """Count the reported faults while the ring is shaken with its gate open. It must report such shaking."""
    events = bench.step_events()
    yield "told that the gate was open", sum(event.fields.get("what") == "gate-open-while-shaking" for event in events)


def idle(bench: MeasuringBench) -> Iterator[Value]:
    """Measure the longest time between heartbeats, and count events without a cause."""
    known, damaged, since = set(bench.talk.events), bench.talk.damaged, len(bench.talk.lines)
    began = bench.talk.now()
    while bench.talk.now() < began + bench.idle_s:
        bench.keep_company(1.0)
    arrivals = [began, *(line.at for line in bench.talk.lines[since:] if isinstance(line.message, DeviceStatus))]
    yield (
        "oldest heartbeat",
        max((later - sooner for sooner, later in pairwise([*arrivals, bench.talk.now()])), default=0),
    )
    yield "events out of nothing", len(bench.fresh(known))
    yield "damaged lines heard", bench.talk.damaged - damaged


def replugged(bench: MeasuringBench) -> Iterator[Value]:
    """Check that the ring restarts after it was unplugged during a passage, and does not report a cube."""
    if bench.has("s"):
        raise StepSkipped("a simulated ring has no plug")
    boot = bench.talk.boot
    bench.line("Press Enter when it is plugged in again:")
    bench.replugged()
    yield "greets again", 1
    yield "as another start", int(bench.talk.boot != boot)
    yield "cubes told", sum(each.kind in ("out", "pair") for each in passages(bench.fresh(())))

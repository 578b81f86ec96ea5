"""One host in a session with one ring: it sends lines, waits for others, and asks the hand to act."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

import pytest

from firmware_bridge.colour import Judge
from firmware_bridge.conformance.conversation import Conversation, RingLine
from firmware_bridge.conformance.passages import seen
from firmware_bridge.device.codec import parse
from firmware_bridge.passages.passage import MeasuredPassage, judged
from firmware_bridge.protocol.messages import DeviceCounters, DeviceStatus, Event, Hello, OrderAnswer, OtherVersion
from rungs.load import Load
from rungs.wire import Wire, WireLost
from tests.hil.deeds import CARD, sentence
from tests.hil.deeds import seen as words
from tests.hil.ring import Ring, Step
from tests.hil.rungs import REAL
from tests.hil.rungs.real import A_HAND

FOUND_S = 5.0
BUSY_S = 30.0  # For a ring that is a process on this machine, which may be busy.
STARTS, EACH_S = 50, 0.1
SETTLES_S = 0.5  # After a start the ring measures white and dark before it can compare anything with them.
SOON_S = 0.15  # An answer that has not arrived after this time will not arrive.
TOLD_S = 8.0
QUIET_S = 0.05
WATCH_S = 0.7  # If nothing more is reported for this time, the action is over.
PASSING_TOKEN = 899_999_999  # A token that no game and no set-up uses.
# Arming the first puts announced cubes under the ring. Arming the second removes them, as nothing is announced then.
CLEARING_TOKENS = (899_999_998, 899_999_997)
JUST_NOW_S = 10.0
ALIVE_S = 1.0  # A waiting host pings this often, because a ring ends the session of a silent host.
AT_FIRST = {"beat": 1000, "edge": 8000, "gap": 4000, "filter": 1000, "stuck": 2500, "pair": 165}
NAMES = (f"t{number}" for number in count(1))
NO_SENSOR = "none"
LACKS_SENSOR = "this ring has no colour sensor"
LACKS = {
    "g": "this ring has no gate switch",
    "l": "this ring has no lift sensor",
    "m": "this ring has no lamp",
    "b": "this ring has no beeper",
    "s": "this ring lets nothing out by order: only a simulated one does",
    "o": "this ring lets out any cube by order, and none by its colour",
}


@dataclass(frozen=True)
class Passage:
    """A reported passage: its verdict, its parts, the measurements in the parts, and the time of its last line."""

    verdict: Event
    parts: tuple[Event, ...]
    seen: MeasuredPassage
    at: float
    judge: Judge | None

    @property
    def kind(self) -> str:
        """The verdict."""
        return self.verdict.fields["k"]

    @property
    def path(self) -> str:
        """The edges without their times: `A+ B+ A- B-`."""
        return " ".join(f"{beam}{'+' if on else '-'}" for beam, on, _ in self.seen.edges)

    @property
    def colour(self) -> str | None:
        """The colour that the rung's judge recognises, or None if there is no judge."""
        return judged(self.seen, self.judge, {}).colour if self.judge else None

    @property
    def lines(self) -> list[Event]:
        """All events of the passage, the verdict last."""
        return [*self.parts, self.verdict]


def _plain(step: Step) -> bool:
    """Return whether *step* lets out one cube and specifies nothing but its colour."""
    return bool(step.get("slide") == 1 and step.get("colours") and "fault" not in step and "speed_mm_s" not in step)


def beats(lines: Iterable[RingLine]) -> list[RingLine]:
    """Return the heartbeats among *lines*."""
    return [line for line in lines if isinstance(line.message, DeviceStatus) and not line.message.dump]


def beyond(host: Sitting, floor: int, arrived: Iterable[int]) -> None:
    """Acknowledge everything up to *floor*, and say that the numbers in *arrived* have arrived too."""
    bits = sum(1 << (number - floor - 1) for number in arrived if number > floor)
    host.talk.say("ack", ("b", host.talk.boot), ("n", floor), ("got", f"{bits:x}"))


class Sitting:
    """A host that has greeted the ring *rung*, taken its old events, and reset it to the state after a start.

    *plug* opens a wire to it. *load* measures how late this machine is.
    """

    def __init__(self, rung: Ring, plug: Callable[[], Wire], load: Load | None = None) -> None:
        self.rung = rung
        self.plug = plug
        self.load = load or Load()
        self._found_s = FOUND_S if rung.name == REAL else BUSY_S
        self._until_plugged()

    def begin(self) -> Sitting:
        """Greet the ring, and undo what the previous host left behind."""
        self.greet()
        if not self.rung.at_first:
            self.as_at_first()
        self.done("disarm")
        standing = self._left_alone()
        if standing.gate_open:
            self.do("close")
        if standing.lifted:
            self.do("set-down")
        self.take()
        return self

    def _left_alone(self) -> DeviceStatus:
        """Return the ring's state. A hand outside this suite first gets time to close the gate and lower the ring."""
        until = self.rung.now() + self._found_s
        while True:
            standing, _ = self.status()
            still = not (standing.gate_open or standing.lifted)
            if still or "hand" not in self.rung.cannot or self.rung.now() > until:
                return standing
            self.rung.wait(QUIET_S)

    def keeps_passages(self) -> bool:
        """Return whether the ring has passages that another host may be waiting for. No event is acknowledged."""
        self.greet()
        return any(line.body.startswith("pass ") for line in self.listen(1.0))

    def as_at_first(self, settings: Collection[str] = frozenset(AT_FIRST)) -> None:
        """Set *settings* to their values after a start."""
        for setting in sorted(settings & AT_FIRST.keys()):
            self.done("set", (setting, AT_FIRST[setting]))
        self.rung.at_first = True

    def put_back(self) -> None:
        """Undo what the orders of a test have changed, and leave."""
        changed = set(self.rung.changed)
        self.rung.at_first = False  # Until all of it has been undone.
        self.greet()
        if "under" in changed and "s" in self.talk.hello.abilities:
            for token in CLEARING_TOKENS:
                self.armed(token)
        self.done("disarm")
        if "lamp" in changed and "m" in self.talk.hello.abilities:
            self.done("lamp", ("rgb", "000000"))
        self.as_at_first(changed)
        self.take()  # The next host must not find events that somebody may be waiting for.
        self.rung.changed.clear()
        self.leave()

    def greet(self) -> Hello:
        """Open a new session. Returns the hello."""
        until = self.rung.now() + self._found_s
        hello = self.talk.greet(self._found_s)
        while isinstance(hello, OtherVersion) and self.rung.now() < until:  # its restart is not over yet
            self.listen(EACH_S)
            hello = self.talk.greet(self._found_s)
        assert isinstance(hello, Hello), f"no hello of our version: {hello}"
        _, tally = self.status()
        self.talk.first, self.talk.before = tally.first, tally.first - 1
        return hello

    def again(self) -> Hello:
        """Plug the wire in again and greet, as a host that knows nothing. Returns the hello."""
        until = self.rung.now() + self._found_s
        while True:
            self._plug_anew()
            try:
                return self.greet()
            except WireLost:  # It was just being unplugged.
                assert self.rung.now() < until, "the wire was lost again and again"

    def started_anew(self, word: str = "restarted") -> Hello | OtherVersion:
        """Restart the ring by the trouble *word*, and greet it again. Returns the hello."""
        boot = self.talk.boot
        self.rung.trouble(word)
        for _ in range(STARTS):
            self._plug_anew()
            with suppress(WireLost):
                hello = self.talk.greet(self._found_s)
                if isinstance(hello, OtherVersion):
                    return hello
                if isinstance(hello, Hello) and hello.boot != boot:
                    hello = self.greet()
                    self.listen(SETTLES_S)
                    return hello
                self.listen(EACH_S)  # It has not restarted yet, which happens on a busy machine.
        raise AssertionError(f"{word}, but the boot is still {boot}")

    def _plug(self) -> None:
        self.wire = self.plug()
        self.talk = Conversation(self.wire, self.rung.now, NAMES.__next__, self.load.owed_s)

    def _plug_anew(self) -> None:
        self.wire.close()
        self._until_plugged()

    def _until_plugged(self) -> None:
        until = self.rung.now() + self._found_s
        while True:
            try:
                return self._plug()
            except WireLost:
                if self.rung.now() > until:
                    raise
                self.rung.wait(QUIET_S)

    def leave(self) -> None:
        """Close the wire, and add what this host has learnt to the record."""
        self.wire.close()
        self.rung.learnt |= self._learnt()

    def _learnt(self) -> dict[str, object]:
        hello = self.talk.hello
        sizes = [int(each.fields["parts"]) + 1 for each in self.events.values() if each.word == "pass"]
        worst = {"most bytes in a line": self.talk.longest, "most lines of a passage": max(sizes, default=0)}
        found = {name: max(value, self.rung.learnt.get(name, 0)) for name, value in worst.items()}
        known = {"firmware": "firmware", "protocol": "version", "device": "device", "sensor": "sensor"}
        names = {**known, "can": "abilities", "simulated": "simulated"}.items() if hello else ()
        return {name: getattr(hello, field) for name, field in names} | found

    def able(self, *abilities: str) -> None:
        """Skip the test if the ring's hello does not list all these abilities."""
        for each in abilities:
            if each not in self.talk.hello.abilities:
                pytest.skip(LACKS[each])

    # Requests.

    def status(self) -> tuple[DeviceStatus, DeviceCounters]:
        """Ask for the status, waiting as long as a device may take to be found."""
        until = self.rung.now() + self._found_s
        standing, tally = self.talk.dump()
        while not (standing and tally) and self.rung.now() < until:
            standing, tally = self.talk.dump()
        assert standing and tally, f"no status within {self._found_s:g} s{self._started_meanwhile()}"
        return standing, tally

    def _started_meanwhile(self) -> str:
        """Return a message saying that the ring has restarted if the hello's boot number differs, otherwise ""."""
        boots = [line.message.boot for line in self.talk.lines if isinstance(line.message, Hello)]
        return f": boot {self.talk.boot} has become {boots[-1]}" if boots and boots[-1] != self.talk.boot else ""

    def sift(self) -> dict[str, int]:
        """Ask for the filters' settings and counters."""
        since = len(self.talk.lines)
        self.talk.say("dump")
        line = self.talk.wait(lambda line: line.body.startswith("sift "), self._found_s, since)
        assert line, "no sift"
        return {key: int(value) for key, value in parse(line.body)[1].items() if key != "h"}

    def done(self, word: str, *pairs: tuple[str, object]) -> None:
        """Give an order that must be carried out. Skips the test if it is `look` and the ring has no colour sensor."""
        if word == "look" and self.talk.hello.sensor == NO_SENSOR:
            pytest.skip(LACKS_SENSOR)
        why = self.why(word, *pairs)
        assert why == "", f"{word} {dict(pairs)} was refused: {why}"

    def why(self, word: str, *pairs: tuple[str, object]) -> str:
        """Give an order. Returns why it was refused, or "" if it was carried out."""
        line = self.talk.order(word, *pairs)
        assert line and isinstance(line.message, OrderAnswer), f"{word} was not answered"
        return line.message.why

    def armed(self, token: int) -> None:
        """Arm the ring."""
        self.done("arm", ("tok", token))

    def punctual(self, spare_s: float) -> None:
        """Skip the test if this machine stalled so much that a wait may have been longer by more than *spare_s*."""
        late_s = self.load.worst_s(self.rung.now() - JUST_NOW_S)
        if late_s > spare_s:
            pytest.skip(f"this machine was held up for {late_s * 1000:.0f} ms: nothing is shown by it")

    def listen(self, seconds: float) -> list[RingLine]:
        """Receive lines for *seconds*, and return them."""
        since = len(self.talk.lines)
        self.talk.listen(seconds)
        return self.talk.lines[since:]

    def answers(self, data: bytes, word: str, within_s: float = SOON_S) -> list[RingLine]:
        """Send *data*. Returns the lines with *word* that come within *within_s*."""
        self.talk.put(data)
        return [line for line in self.listen(within_s) if line.body.startswith(word + " ")]

    # Events.

    @property
    def events(self) -> dict[int, Event]:
        """All events of this boot that this host has received, by their numbers."""
        return {number: lines[0].message for number, lines in sorted(self.talk.events.items())}

    @property
    def newest(self) -> int:
        """The number of the newest event that was received."""
        return max(self.talk.events, default=0)

    def take(self) -> None:
        """Receive all events that the ring has, and acknowledge them."""
        for _ in range(100):
            self.talk.listen(QUIET_S)
            self.talk.ack()
            standing, tally = self.status()
            if tally.first > standing.last and standing.last <= self.newest + self.talk.before:
                return
        raise AssertionError("the ring keeps events that it does not tell")

    def event(self, wanted: Callable[[Event], bool], after: int, within_s: float = TOLD_S) -> Event:
        """Wait for an event after number *after* that is *wanted*."""

        def fits(line: RingLine) -> bool:
            message = line.message
            return isinstance(message, Event) and message.number > after and wanted(message)

        until = self.rung.now() + within_s
        line = self.talk.wait(fits, min(within_s, ALIVE_S), 0)
        while not line and self.rung.now() < until:
            self.talk.say("ping", ("id", 0))
            line = self.talk.wait(fits, ALIVE_S, 0)
        assert line, f"not told; heard {[each.body[:40] for each in self.talk.lines[-5:]]}"
        return line.message

    def closed(self, after: int) -> Event:
        """Wait for an event, with a number greater than *after*, that says that the gate is closed."""
        return self.event(lambda each: each.word == "gate" and each.fields["open"] == "0", after)

    def word(self, word: str, after: int, within_s: float = TOLD_S) -> Event:
        """Wait for an event of type *word* with a number greater than *after*."""
        return self.event(lambda event: event.word == word, after, within_s)

    def happens(self) -> Event:
        """Cause a small event that every ring can report: a look at white."""
        after = self.newest
        self.done("look", ("what", "white"))
        return self.word("look", after)

    def passage(self, after: int, kind: str = "") -> Passage:
        """Wait for the next passage after number *after* (of *kind*), and for all of its parts."""
        verdict = self.event(lambda each: each.word == "pass" and kind in ("", each.fields["k"]), after)
        numbers = range(verdict.number - int(verdict.fields["parts"]), verdict.number)
        for number in numbers:
            self.event(lambda each, number=number: each.number == number, 0)
        events = self.events
        at = self.talk.events[verdict.number][0].at
        parts = tuple(events[number] for number in numbers)
        return Passage(verdict, parts, seen(verdict, events), at, self.rung.judge)

    def passages(self, after: int) -> list[Passage]:
        """Return all received passages after number *after*."""
        found = [number for number, event in self.events.items() if event.word == "pass" and number > after]
        return [self.passage(number - 1) for number in found]

    # The hand.

    def hand(self, step: Step) -> None:
        """Do a step of a script: by an order if the ring can, or else by the simulated hand, or else by a person."""
        if self.rung.name == REAL and _plain(step) and "s" in self.talk.hello.abilities:
            self._by_order(str(step["colours"][0]))
        elif self.rung.person is None:
            self.rung.hand(step)
        else:
            self._ask(sentence(step))

    def _by_order(self, colour: str) -> None:
        """Make a simulated ring slide a cube, and arm it again as before."""
        token = self.status()[0].token
        self.done("under", ("n", 0), ("u", f"{colour}:1"))
        self.armed(PASSING_TOKEN)
        if token:
            self.done("under", ("n", 0), ("u", f"{colour}:1"))
            self.armed(token)
        else:
            self.done("disarm")
        self.done("slide")

    def _ask(self, deed: str) -> None:
        """Ask the person to do the *deed*, and show which events the ring reports meanwhile."""
        before = told = self.newest

        def seen() -> str:
            nonlocal told
            self.talk.ping()
            newest = self.newest
            self.talk.listen(WATCH_S)
            if newest == told or self.newest != newest:  # Nothing new, or more is coming.
                return ""
            told = newest
            return f"Seen: {words([each for number, each in self.events.items() if number > before])}."

        def forget() -> None:
            nonlocal before, told
            self.take()
            self.talk.disown()
            before = told = self.newest

        self.rung.person.ask(deed, seen, forget)

    def do(self, deed: str) -> None:
        """Let the hand do one of the actions of a script."""
        self.hand({"do": deed})

    def card(self) -> None:
        """Ask for a black card under the sensor. A simulated ring does not need one: it simulates its own."""
        if self.rung.name != REAL or self.talk.hello.simulated:
            return
        if self.rung.person is None:
            pytest.skip(A_HAND)
        self._ask(CARD)

    def slide(self, colour: str = "red", speed_mm_s: float = 0.0, fault: str = "", kind: str = "") -> Passage:
        """Let the hand slide out a cube. Returns its passage (the first of *kind*) after the gate has been closed."""
        after = self.newest
        step: dict[str, object] = {"slide": 1, "colours": [colour]}
        step |= {"speed_mm_s": speed_mm_s} if speed_mm_s else {}
        self.hand(step | ({"fault": fault} if fault else {}))
        passage = self.passage(after, kind)
        self.closed(after)
        return passage

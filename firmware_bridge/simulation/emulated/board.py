"""The emulated board: the device's end of a wire. It never runs ahead of the time that the caller passes in."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

from companion.kernel.shown import shows
from firmware_bridge.device.clock import PICO_PERIOD
from firmware_bridge.device.codec import VERSION
from firmware_bridge.simulation.emulated.child_process import BoardQuestion, Child, Crashed, Hung
from firmware_bridge.simulation.emulated.flash import BoardFlash
from firmware_bridge.simulation.emulated.peripherals import DONE, LETTERS, Answer, Hand, Peripherals
from firmware_bridge.simulation.emulated.runtimes import command, usual_port
from firmware_bridge.simulation.testbench import Change, SimulatedGate

# Values of `machine.reset_cause()` and of the watchdog's reason. The chip also uses its watchdog if the program resets
# it.
POWER, WATCHDOG, ORDERED = (1, 0), (3, 1), (3, 2)
SCRATCHES = 4  # words of the watchdog that survive every reset except a power cycle
ROOM = 4_096  # bytes buffered for the host
AHEAD_US = 5_000  # how far the board may run on its own while no change is planned
NEVER = float("inf")
ENDLESS = BoardQuestion("hangs", 0, -1, 0, 0, b"")


@dataclass(frozen=True)
class HeapUse:
    """Heap use after a garbage collection, and the smallest free amount before it, both in bytes."""

    used: int
    least_free: int


@shows("questions", "edges", "starts")
class EmulatedBoard(AbstractContextManager["EmulatedBoard"]):
    """The firmware on MicroPython's *port*, connected to the simulated gate *rig*. Times are arguments, in seconds.

    The board never runs ahead of the time that it was given. Computing takes no time, so its timing
    is not that of an RP2040. It may notice a change at the gate some milliseconds late, but it gets the correct time of
    the change.

    If the firmware fails, `Crashed` is raised; if *loud* is false, the firmware restarts instead. *patience_s* is the
    processor time in seconds for which the board may compute without a question. *chip* is the chip that the firmware
    detects: `RP2040`, or `RP2350` with the faults of such boards.
    """

    def __init__(
        self,
        rig: SimulatedGate,
        hand: Hand,
        now: float = 0.0,
        port: str = "",
        flash: BoardFlash | None = None,
        name: bytes = b"emulated",
        entropy: Callable[[int], bytes] = os.urandom,
        patience_s: float = 30.0,
        chip: str = "RP2040",
    ) -> None:
        self.rig = rig
        self.wiring = Peripherals(rig, hand)
        self.flash = flash or BoardFlash()
        self.loud = True
        self.reading = True  # if the host does not read, the bytes stay in the board's buffer
        self.questions = self.edges = self.starts = 0
        self.memory: HeapUse | None = None
        self._chip = chip
        self._scratch = [0] * SCRATCHES
        self._command = command(port or usual_port(), self.flash.folder)
        self._name = name
        self._entropy = entropy
        self._patience_s = patience_s
        self._zero = now
        self._child: Child | None = None
        self._into = self._out = b""
        self._came = 0  # the arrival time of the first byte that the board has not read
        self._start(0, POWER)

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """Switch the board off."""
        self.close()

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host."""
        self._run(self.us(now))
        if data and not self._into:
            self._came = self.us(now)
        self._into += data

    def outgoing(self, now: float) -> bytes:
        """Return what the board has written up to *now*."""
        self._run(self.us(now))
        if not self.reading:
            return b""
        data, self._out = self._out, b""
        return data

    def due(self, now: float) -> float:
        """Return when the board will next do something without input, or infinity."""
        ready = self._ready_us(self.us(now))
        return NEVER if ready is None else self._zero + ready / 1e6

    def speak(self, version: int) -> None:
        """Have the firmware speak *version* of the protocol from its next start on."""
        self.flash.customise(**({} if version == VERSION else {"PROTOCOL": version}))

    def restart(self, now: float, ticks: int = 0) -> None:
        """Power-cycle the board. Only the flash survives; the microsecond counter then starts at *ticks*."""
        self._run(self.us(now))
        self._out = b""
        self._start(self.us(now), POWER, ticks)

    def measure(self) -> None:
        """Measure the heap into `memory` as soon as the board waits."""
        self._measuring = True

    def close(self) -> None:
        """Switch the board off permanently."""
        if self._child is not None:
            self._child.end()
            self._child = None
            self.flash.close()

    @property
    def pid(self) -> int:
        """The ID of the process that runs the board."""
        assert self._child is not None
        return self._child.pid

    @property
    def at_us(self) -> int:
        """How far the board has advanced in the rig's time, in microseconds."""
        return self._at

    @property
    def born_us(self) -> int:
        """The rig's time, in microseconds, at which the board started."""
        return self._born

    def caught_up(self, now: float) -> int:
        """Run the board up to *now*, before something changes at its gate. Return the rig's time in microseconds."""
        self._run(self.us(now))
        return self.us(now)

    def us(self, now: float) -> int:
        """Return the rig's time in microseconds at *now*."""
        return round((now - self._zero) * 1e6)

    def _start(self, at_us: int, cause: tuple[int, int], ticks: int = 0) -> None:
        if self._child is not None:
            self._child.end()
        self._child = Child(self._command, self._patience_s)
        self.starts += 1
        self.rig.emitters(False, at_us)
        self.rig.lamp(False, at_us)
        self._at = self._born = self._fed = at_us
        self._cause, self._ticks_at_birth = cause, ticks
        if cause == POWER:
            self._scratch = [0] * SCRATCHES
        self._watch_us = 0
        self._into = b""
        self._changes: list[Change] = list(self.rig.until(at_us))
        self._question: BoardQuestion | None = None
        self._measuring = False

    def _run(self, until_us: int) -> None:
        """Answer the board's questions up to *until_us*."""
        while (ready := self._ready_us(until_us)) is not None and ready <= until_us:
            if self._watch_us and ready >= self._bites_us:
                self._start(self._bites_us, WATCHDOG)
                continue
            question, self._question = self._asked(), None
            self._changes += self.rig.until(ready)
            passed, self._at = ready - self._at - question.spent_us, ready
            self._answer(question, passed, until_us)

    @property
    def _bites_us(self) -> int:
        return self._fed + self._watch_us

    def _asked(self) -> BoardQuestion:
        """Return the question to answer next. If the board hangs but has a watchdog, return `ENDLESS`."""
        if self._question is None and self._child is not None:
            try:
                self._question = self._child.question()
            except Hung:
                if not self._watch_us:
                    raise Crashed(
                        f"The board's program hangs: it has asked for nothing for {self._patience_s:g} s."
                    ) from None
                self._question = ENDLESS
            self.questions += 1
            if self._question.fed_us >= 0:
                self._fed = self._at + self._question.fed_us
        assert self._question is not None, "a board that was switched off is asked nothing any more"
        return self._question

    def _ready_us(self, until_us: int) -> int | None:
        """Return when the board's question can be answered, or None if never."""
        question = self._asked()
        at = self._at + question.spent_us
        if question.verb in ("q", "hangs"):
            return self._bites_us if self._watch_us else None
        if at <= until_us:
            self._changes += self.rig.until(at)
            at = self._wakes_us(question, at) if question.verb == "r" else at
        return min(at, self._bites_us) if self._watch_us else at

    def _wakes_us(self, question: BoardQuestion, at_us: int) -> int:
        """Return the time at which the present wait ends: at its timeout, at a change, at input, or when a change may
        follow.
        """
        ends = [at_us + question.one]
        if self._changes:
            ends.append(self._changes[0].at_us)
        elif (due := self.rig.due_us()) is not None:
            ends.append(due)
        if question.two and self._into:
            ends.append(self._came)
        return max(min(ends), at_us)

    def _answer(self, question: BoardQuestion, passed: int, until_us: int) -> None:
        """Answer the question that is due.

        Questions that concern only the board are answered here, others by `wiring`.
        """
        match question.verb:
            case "x":
                self._reset()
            case "!":
                raise Crashed(self._child.last_words() if self._child else "")
            case "b":
                self._changes = []
                cause, reason = self._cause
                texts = [
                    str(self._ticks_at_birth),
                    self._name.hex(),
                    ",".join(map(str, (cause, reason, self._chip, *self._scratch))),
                    *self._levels(),
                ]
                self._say(texts, until_us)
            case "r":
                texts, self._measuring = [str(passed), "", *["m"] * self._measuring], False
                self._say(texts, until_us)
            case _:
                result, data = self._own(question) or self.wiring.answer(question, self._at)
                self._say([str(result), data.hex()], until_us)

    def _own(self, question: BoardQuestion) -> Answer | None:
        """Answer a question that involves no pin or bus. Return None for all others."""
        match question.verb:
            case "t":
                return DONE
            case "u":
                data, self._into = self._into[: question.one], self._into[question.one :]
                return 0, data
            case "w":
                taken = min(len(question.data), ROOM - len(self._out))
                self._out += question.data[:taken]
                return taken, b""
            case "e":
                return 0, self._entropy(question.one)
            case "d":
                self._watch_us, self._fed = question.one * 1000, self._at
                return DONE
            case "k":
                self._scratch[question.one] = question.two
                return DONE
            case "m":
                self.memory = HeapUse(question.one, question.two)
                return DONE
        return None

    def _reset(self) -> None:
        """Restart after the firmware has reset the chip, whether on purpose or because of a crash."""
        crash = self.flash.crash()
        if crash and self.loud:
            raise Crashed(crash)
        self._start(self._at, ORDERED)

    def _levels(self) -> list[str]:
        """Return the levels of all pins, for a board that has just started."""
        return [f"{letter}{self.rig.level(pin):d}" for pin, letter in LETTERS.items()]

    def _say(self, texts: Sequence[str], until_us: int) -> None:
        """Send an answer, with all pin changes so far and the time for which no other change will follow."""
        self._changes += self.rig.until(self._at)
        due = self.rig.due_us()
        ends = [self._at + AHEAD_US, *([due] if due is not None else []), *([self._bites_us] if self._watch_us else [])]
        allowed = max(min(ends) - self._at, 0)
        undisturbed = min(allowed, until_us - self._at)
        changes, self._changes = self._formatted(self._changes), []
        assert self._child is not None
        self._child.answer(" ".join([*map(str, (allowed, undisturbed, len(self._into))), *texts, *changes]))

    def _formatted(self, changes: Sequence[Change]) -> list[str]:
        self.edges += sum(change.pin in "ab" for change in changes)
        return [f"{LETTERS[each.pin]}{each.level:d}{self._ticks(each.at_us)}" for each in changes]

    def _ticks(self, at_us: int) -> int:
        return (at_us - self._born + self._ticks_at_birth) % PICO_PERIOD

"""A hostile ring: floods, wrong names, gaps in its numbers, endless lines, stations that nobody has.

It is connected by a pseudo-terminal and answers the host's greetings honestly,
so that it is accepted; everything else is random. Meanwhile the game goes on,
there is no traceback, and the service's memory doesn't grow.
"""

from __future__ import annotations

import os
import re
import selectors
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

from firmware_bridge.simulation.serving.process import PtyTerminal
from tests.fuzz.script import sealed, varied
from tests.fuzz.seeds import OF_HOST
from tests.strangers.house import PATIENCE_S, House, at_home, p95_ms
from tests.strangers.report import Report

GREETING = re.compile(rb"\$hi v=\d+ h=(\w+)")
ORDER = re.compile(rb"\$\w+ h=\w+ c=(\d+)(?: tok=(\d+))?")
WORDS = tuple(each for each in OF_HOST if each[:1] not in (b"~", b"@", b"!"))
COLOURS = (b"red", b"blue", b"", b"ff0000", b"red:9999", b"\xf0\x9f\x92\xa9")
LEVEL_MB = 24.0
"""Allowed growth of memory after the first quarter, in MB: buffers and caches of a fixed size."""
PORTION = 2048
CHANGES = 0.02
"""The probability of changing the kind of attack: to be recorded, events need a session that lasts a while."""
TURNS = 20


def ring(folder: Path, inputs: int, lots: Random) -> Report:
    """Let the ring send *inputs* hostile lines; the host sends a command after every twentieth."""
    report = Report("ring")
    folder.mkdir(parents=True, exist_ok=True)
    with plugged_in(folder / "ring", lots) as liar, at_home(folder, report, folder / "ring") as house:
        report.expect(liar.greeted.wait(PATIENCE_S), "the house does not greet its ring")
        weights, seconds = [], []
        for turn in range(TURNS):
            liar.say(inputs * (turn + 1) // TURNS - inputs * turn // TURNS)
            seconds.append(house.command())
            weights.append(house.weight_mb())
        report.tried.update(liar.said)
        _judge(house, report, weights, seconds)
    return report


def _judge(house: House, report: Report, weights: list[float], seconds: list[float]) -> None:
    report.figures["memory after a quarter and at the end, MB"] = f"{weights[TURNS // 4]} and {weights[-1]}"
    report.figures["command p95, ms"] = p95_ms(seconds)
    report.figures["ledger, MB"] = round(
        sum(each.stat().st_size for each in house.data.glob("ledger.sqlite*")) / 1e6, 1
    )
    report.expect(weights[-1] - weights[TURNS // 4] < LEVEL_MB, f"memory grows: {weights}")
    stands = house.service.ask("GET", "/api/v1/ring")[1]["ring"]
    report.answers[f"the ring is {stands['state']}"] += 1
    report.expect("stopped" not in str(stands["trouble"]), f"the ring's reader ended: {stands['trouble']}")


class Liar:
    """The device's end of a ring's wire: honest in its greetings, hostile in everything else."""

    def __init__(self, fd: int, lots: Random) -> None:
        self.greeted = Event()
        self.said: dict[str, int] = dict.fromkeys(LIES, 0)
        self._fd, self._lots = fd, lots
        self._wanted, self._done, self._ended = 0, Event(), Event()
        self.session, self.boot, self.number, self.token = b"0", b"0badc0de", 0, b"0"
        self._waiting = b""
        self._kind = "events"
        self._thread = Thread(target=self._live, name="liar", daemon=True)
        self._thread.start()

    def say(self, lines: int) -> None:
        """Send *lines* more lines, and wait until they are written."""
        self._done.clear()
        self._wanted += lines
        if not self._done.wait(PATIENCE_S * 10):
            raise TimeoutError("the house does not read its ring")

    def close(self) -> None:
        """Send nothing more."""
        self._ended.set()
        self._thread.join()

    def _live(self) -> None:
        os.set_blocking(self._fd, False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._fd, selectors.EVENT_READ | selectors.EVENT_WRITE)
            while not self._ended.is_set():
                events = selector.select(0.05)
                ready = sum(mask for _, mask in events)
                if ready & selectors.EVENT_READ:
                    self._hear()
                if ready & selectors.EVENT_WRITE:
                    self._speak()

    def _hear(self) -> None:
        data = os.read(self._fd, 65_536)
        for session in GREETING.findall(data):
            self.session = session
            hello = b"hello v=1 to=%s fw=0.1.0 id=liar sensor=tcs34725 sim=1 can=glmbs b=%s from=%d" % (
                session,
                self.boot,
                self.number + 1,
            )
            self._waiting += sealed(hello)
            self.greeted.set()
        for number, token in ORDER.findall(data):
            self.token = token or self.token
            self._waiting += sealed(b"%s h=%s c=%s" % (self._lots.choice((b"done", b"sorry")), self.session, number))

    def _speak(self) -> None:
        if not self._waiting and self._wanted and self.greeted.is_set():
            self._wanted -= 1
            if self._lots.random() < CHANGES:
                self._kind = self._lots.choice(sorted(LIES))
            self.said[self._kind] += 1
            self._waiting = LIES[self._kind](self, self._lots)
        if self._waiting:
            self._waiting = self._waiting[os.write(self._fd, self._waiting[:PORTION]) :]
        elif not self._wanted:
            self._done.set()
            time.sleep(0.001)  # nothing to send: select() would return immediately, again and again

    def event(self, body: bytes) -> bytes:
        """Return an event with the next number of this boot."""
        self.number += 1
        word, _, rest = body.partition(b" ")
        return sealed(b"%s b=%s n=%d t=%d %s" % (word, self.boot, self.number, self.number * 1000, rest))


def _events(liar: Liar, lots: Random) -> bytes:
    """Return valid events, one after another; each is recorded."""
    return liar.event(
        lots.choice((b"gate open=1", b"gate open=0", b"lift up=1", b"fault what=ambient-light", b"odd x=1"))
    )


def _holes(liar: Liar, lots: Random) -> bytes:
    """Return an event whose number leaves a gap, or was used before."""
    far = lots.choice((2, 30, 300, 999_999_999, -5))
    return sealed(b"gate b=%s n=%d t=%d open=1" % (liar.boot, max(0, liar.number + far), lots.getrandbits(40)))


def _other_names(liar: Liar, lots: Random) -> bytes:
    """Return a line with another boot, another device or another session."""
    name = b"%08x" % lots.getrandbits(32)
    body = lots.choice(
        (
            b"boot b=%s n=1 t=0 why=power" % name,
            b"hello v=1 to=%s fw=0.1.0 id=%s sensor=none sim=0 can=x b=%s from=1" % (liar.session, name, name),
            b"beat b=%s t=1 last=99 tok=7 gate=1 lift=0" % name,
            b"tally h=%s b=%s first=1 lost=0 bad=0 again=0" % (name[:6], liar.boot),
        )
    )
    return sealed(body)


def _lies(liar: Liar, lots: Random) -> bytes:
    """Return a passage with impossible colours, times and parts, but with the currently armed token."""
    frame = b"frame f=%s" % b",".join(b"%d:%d:0:0:0" % (lots.getrandbits(20), lots.getrandbits(16)) for _ in range(3))
    passed = b"pass k=%s tok=%s parts=%d len=%d us=%d" % (
        lots.choice((b"out", b"pair", b"back", b"stuck", b"", lots.choice(COLOURS) or b"x")),
        liar.token,
        lots.choice((0, 1, 3, 99)),
        lots.getrandbits(30),
        lots.getrandbits(30),
    )
    return liar.event(b"ref white=0:0:0:0 dark=9:9:9:9 sum=0") + liar.event(frame) + liar.event(passed)


def _giants(liar: Liar, lots: Random) -> bytes:
    """Return a line without an end."""
    return b"$" + lots.choice((b"a", b"gate ", b"\x00", b"*")) * lots.choice((130, 5000, 60_000))


def _noise(liar: Liar, lots: Random) -> bytes:
    """Return random bytes."""
    return lots.randbytes(lots.randrange(1, 200))


def _changed(liar: Liar, lots: Random) -> bytes:
    """Return a message with changed fields; rarely of another protocol version, which makes the host wait."""
    body = varied(lots.choice(WORDS), lots.getrandbits(32), WORDS)
    if b"v=2" in body and lots.random() < 0.99:
        return b""
    body = body.replace(b"h=s", b"h=" + liar.session).replace(b"to=s", b"to=" + liar.session)
    return b"".join(sealed(line) for line in body.split(b"\n"))


LIES: dict[str, Callable[[Liar, Random], bytes]] = {
    "changed": _changed,
    "events": _events,
    "giants": _giants,
    "holes": _holes,
    "lies": _lies,
    "noise": _noise,
    "other names": _other_names,
}


@contextmanager
def plugged_in(path: Path, lots: Random) -> Iterator[Liar]:
    """Connect a hostile ring to a pseudo-terminal at *path*."""
    terminal = PtyTerminal(path)
    liar = Liar(terminal.fd, lots)
    try:
        yield liar
    finally:
        liar.close()
        terminal.close()

"""A night in real time: a service and a virtual ring as processes, random play, eight devices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from threading import Event, Thread

from companion.kernel.languages import LANGUAGES
from tests.companion.app.processes import PATIENCE_S, VirtualRing
from tests.companion.app.test_pulled_plug import HAND, Evening
from tests.soak.course import Course, looked
from tests.strangers.visitor import Visitor

GAMES = 10
STEPS_OF_A_GAME = 180
LOOKS = 60
PAGES = ("/table", "/table/board", "/history", "/table", "/table/clock", "/table", "/ring", "/help")
"""The pages of the eight devices, which use three languages and include tablets."""
READ_IN = tuple(LANGUAGES)


def night(folder: Path, minutes: float, course: Course, lots: Random) -> None:
    """Play up to ten games in *minutes*; *course* measures the service sixty times."""
    ring, ended = VirtualRing(folder, HAND), Event()
    pause_s = minutes * 60 / GAMES / STEPS_OF_A_GAME
    evening = Evening(folder / "data", ring, lots)
    began = time.monotonic()
    try:
        with devices(evening.service.url, ended) as shown:
            while (played := (time.monotonic() - began) / 3600) < minutes / 60:
                if played * 60 >= len(course.looks) * minutes / LOOKS:
                    course.add(looked(evening.service.pid, evening.data, played))
                _step(evening, course)
                ended.wait(pause_s)  # not set yet: the pause between two steps
            course.say(f"{shown.total} pages shown")
    finally:
        evening.service.stop()
        ring.end()


def _step(evening: Evening, course: Course) -> None:
    if evening.played().state.finished:
        course.games += 1
        course.say(f"game {course.games} is over")
    evening.step()


class Shown:
    """The number of pages that each device has shown."""

    def __init__(self) -> None:
        self.pages = [0] * len(PAGES)
        self.faults: list[str] = []

    @property
    def total(self) -> int:
        """Return the total of all devices."""
        return sum(self.pages)


@contextmanager
def devices(url: str, ended: Event) -> Iterator[Shown]:
    """Run eight devices: each keeps a stream open, and fetches its page after each event."""
    shown, port = Shown(), int(url.rpartition(":")[2])
    threads = [Thread(target=_device, args=(port, number, shown, ended)) for number in range(len(PAGES))]
    for thread in threads:
        thread.start()
    try:
        yield shown
    finally:
        ended.set()
        for thread in threads:
            thread.join(PATIENCE_S)
    assert not shown.faults, shown.faults


def _device(port: int, number: int, shown: Shown, ended: Event) -> None:
    address = f"127.0.0.{10 + number}"
    stream = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S, source_address=(address, 0))
    headers = {"X-Part": "main", "Accept-Language": READ_IN[number % len(READ_IN)]}
    browser = Visitor(port, address, headers)
    try:
        stream.request("GET", "/api/v1/events")
        answer = stream.getresponse()
        while not ended.is_set() and (line := answer.readline()):
            if line.startswith(b"event: table"):
                status = browser.ask("GET", PAGES[number]).status
                shown.pages[number] += 1
                if status != 200:
                    shown.faults.append(f"{PAGES[number]} answers {status}")
        if not ended.is_set():
            shown.faults.append(f"the stream of device {number} has ended")
    except (OSError, HTTPException) as fault:  # nobody waits for this thread, so its error has to be recorded
        shown.faults.append(f"device {number} has heard no more: {fault!r}")
    finally:
        browser.close()
        stream.close()

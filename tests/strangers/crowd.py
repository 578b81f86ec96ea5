"""A crowd requests all pages that are slow to render during a game of 700 lines: does it delay the host's commands?

One phone with a seat requests the replay file eight times at once, a stranger
six pages after a game, another one steps through replays, and one disconnects
before any answer. Meanwhile the host repeats a line and its undo. Times are
printed with a verdict but are not findings, since the machine may be busy.
Findings are wrong answers, and commands that fail.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import median

from companion.autoplay.simulate import simulate
from companion.games.registry import GAMES
from companion.kernel.fields import Line
from tests.strangers.comers import seat
from tests.strangers.house import ADDRESSES, House, at_home
from tests.strangers.report import Report
from tests.strangers.visitor import Answer, Visitor

LINES = 700
QUIET = 120
PATIENCE_S = 600.0  # timeout for clients of a file: the rendering process has the lowest priority
LIMIT_MS, TIMES = 100.0, 5
FILES, PAGES, STEPS, LEAVING = 8, 6, 10, 4
"""Simultaneous requests: replay files by a phone, pages after a game by a stranger, steps of replays, disconnects."""
ROUND = FILES + PAGES + STEPS + LEAVING


def crowd(
    folder: Path, inputs: int, lots: Random, name: str = "andromeda", lines: int = LINES, quiet: int = QUIET
) -> Report:
    """Let a crowd send about *inputs* requests, in rounds, and time the host's commands before and during them.

    It requests a game of *name* with *lines* lines, or the longest of several. *quiet* commands are timed before.
    """
    report = Report("crowd")
    with at_home(folder, report) as house:
        record = long_record(lots, name, lines)
        past, live = taken_in(house, record), taken_in(house, record[:-2])
        house.service.ask("POST", "/api/v1/deeds", {"deed": "switch", "game": live})
        phone = seat("red", ADDRESSES[3])(house)
        host = commands(house, record[-2])
        before = [next(host) for _ in range(quiet)]
        report.figures["lines"], report.figures["memory before, MB"] = len(record), house.weight_mb()
        busy = [
            second for _ in range(max(1, inputs // ROUND)) for second in one_round(house, report, phone, past, host)
        ]
        told(report, before, busy)
        report.figures["memory after, MB"] = house.weight_mb()
        house.play()
    return report


def told(report: Report, quiet: list[float], busy: list[float]) -> None:
    """Report how long commands took, with a verdict."""
    usual, slowest = 1000 * median(quiet), 1000 * max(busy, default=0.0)
    limit = max(LIMIT_MS, TIMES * usual)
    report.figures["commands meanwhile"] = len(busy)
    report.figures["quiet slowest, ms"] = round(1000 * max(quiet), 1)
    report.figures["quiet median, ms"], report.figures["slowest, ms"] = round(usual, 1), round(slowest, 1)
    report.figures["verdict"] = f"{'within' if slowest <= limit else 'BEYOND'} {limit:.0f} ms"


def long_record(lots: Random, name: str, lines: int) -> list[Line]:
    """Return the record of a random game with *lines* lines, or of the longest of several games."""
    game = GAMES[name]
    play = game.random_play
    assert play is not None, "it can be played at random"
    found: list[Line] = []
    for each in range(60):
        own = Random(f"{lots.random()} {each}")
        found = max(found, list(simulate(game, play, max(play.players), own, lambda: 0.0).record), key=len)
        if len(found) >= lines:
            break
    return found


def taken_in(house: House, record: list[Line]) -> int:
    """Import a record as the host's script does, and return the number of its game."""
    script = Visitor(house.port, headers={"Authorization": f"Bearer {house.token}"})
    body = "".join(json.dumps(line) + "\n" for line in record).encode()
    answer = script.ask("POST", "/api/v1/import", body, {"Content-Type": "application/x-ndjson"})
    script.close()
    return int(json.loads(answer.body)["game_id"])


def commands(house: House, line: Line) -> Iterator[float]:
    """Execute *line* and undo it, again and again; yield the seconds that each took."""
    while True:
        for path, body in (("/api/v1/commands", line), ("/api/v1/deeds", {"deed": "undo"})):
            began = time.perf_counter()
            status, answer = house.service.ask("POST", path, body)
            assert status == 200, answer
            yield time.perf_counter() - began


def one_round(house: House, report: Report, phone: Visitor, game: int, host: Iterator[float]) -> Iterator[float]:
    """Start all requests at once, and yield the duration of the host's commands until all requests are answered."""
    with ThreadPoolExecutor(ROUND) as pool:
        asked = list(everybody(house, phone, game, pool))
        while not all(each.done() for each, _kind in asked):
            yield next(host)
    bodies = {judged(report, each.result(), kind) for each, kind in asked}
    report.expect(len({size for kind, size in bodies if kind == "file"}) == 1, "replay files differ")


def everybody(
    house: House, phone: Visitor, game: int, pool: ThreadPoolExecutor
) -> Iterator[tuple[Future[Answer | None], str]]:
    """Start all requests, each on a connection of its own, and yield each with its kind."""
    first, second, third = ADDRESSES[:3]
    for _ in range(FILES):
        yield pool.submit(visit(house, f"/games/{game}/replay.html", ADDRESSES[3], phone.cookie)), "file"
    for each in range(PAGES):
        path = f"/games/{game}/after" + ("/picture.svg" if each % 2 else "")
        yield pool.submit(visit(house, path, first)), "page"
    for each in range(STEPS):
        yield pool.submit(visit(house, f"/games/{game}/replay/step?at={60 * each}", second)), "step"
    for _ in range(LEAVING):
        yield pool.submit(leave(house, f"/games/{game}/so-far", third)), "left"


def visit(house: House, path: str, address: str = "127.0.0.1", cookie: str = "") -> Callable[[], Answer]:
    """Return a function that requests *path* as a program would, and waits for the answer."""

    def ask() -> Answer:
        visitor = Visitor(house.port, address, patience_s=PATIENCE_S)
        visitor.cookie = cookie
        answer = visitor.ask("GET", path)
        visitor.close()
        return answer

    return ask


def leave(house: House, path: str, address: str) -> Callable[[], None]:
    """Return a function that requests *path* and disconnects."""

    def ask() -> None:
        with socket.create_connection(("127.0.0.1", house.port), source_address=(address, 0)) as sock:
            sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n".encode())

    return ask


def judged(report: Report, answer: Answer | None, kind: str) -> tuple[str, int]:
    """Count an answer; only a complete page or "too many requests" is right."""
    report.tried[kind] += 1
    if answer is None:
        return kind, 0
    report.answers[str(answer.status)] += 1
    report.expect(answer.status in (200, 429), f"{kind}: {answer.status} {answer.text[:300]}")
    return (kind, len(answer.body)) if answer.status == 200 else ("", 0)

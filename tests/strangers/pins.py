"""Wrong PINs from many addresses: guessing succeeds nowhere, and locks nobody out who knows the right one."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.strangers.comers import come, host, seat, token
from tests.strangers.house import House, at_home
from tests.strangers.report import Report
from tests.strangers.visitor import Visitor

FREE, FIRST_WAIT_S = 5, 30.0
"""The wrong tries that each address has before it waits, counted separately for seats; each wait is twice as long as
the last."""
GUESSERS = 100


def pins(folder: Path, inputs: int, lots: Random) -> Report:
    """Try *inputs* wrong PINs of the host and of seats, then the right ones from other addresses."""
    report = Report("pins")
    with at_home(folder, report) as house:
        tablet = host(house, "127.0.2.1")
        guessers = [come(house, f"127.0.3.{number + 1}") for number in range(min(GUESSERS, -(-inputs // 8)))]
        forms = {guesser: guesser.csrf for guesser in guessers}
        began = time.monotonic()
        for number in range(inputs):
            guesser = guessers[number % len(guessers)]
            _guess(guesser, forms[guesser], number // len(guessers) % 2 == 0, lots, report)
        _judge(house, tablet, guessers, _most(time.monotonic() - began), report)
    return report


def _most(seconds: float) -> int:
    """Return how many wrong tries an address can make within *seconds*."""
    tries, wait = FREE, FIRST_WAIT_S
    while seconds >= wait:
        tries, seconds, wait = tries + 1, seconds - wait, 2 * wait
    return tries


def _guess(guesser: Visitor, csrf: str, hosts: bool, lots: Random, report: Report) -> None:
    """Try one PIN; a lucky guess is detected at the end."""
    digits = lots.choice(
        (f"{lots.randrange(10**8):08}", f"{lots.randrange(10**6):06}", "", "0" * 5000, "٣" * 8, "12 34")
    )
    path, fields = ("/pin", f"pin={digits}") if hosts else ("/join", f"pin={digits}&seat=red")
    headers = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRF-Token": csrf}
    answer = guesser.ask("POST", path, fields.encode(), headers)
    report.tried["the host's" if hosts else "a seat's"] += 1
    report.answers[f"{path} {answer.status}"] += 1
    report.expect(answer.status in (303, 429), f"{path} with {digits[:20]!r} answers {answer.status}")


def _judge(house: House, tablet: Visitor, guessers: list[Visitor], most: int, report: Report) -> None:
    inside = Counter(each.ask("GET", "/api/v1/record").status for each in guessers)
    report.expect(set(inside) <= {401, 403}, f"a guesser is the host: {inside}")
    answered = {path: report.answers[f"{path} 303"] for path in ("/pin", "/join")}
    for path, count in answered.items():
        report.expect(
            count <= most * len(guessers), f"{count} wrong tries answered at {path}, of {len(guessers)} addresses"
        )
    for name, knows in (
        ("the host", lambda: host(house, "127.0.4.1")),
        ("a seat", lambda: seat("red", "127.0.4.2")(house)),
    ):
        try:
            knows()
        except AssertionError as fault:
            report.found(f"{name} is shut out by others: {fault}")
    known = tablet.ask("GET", "/api/v1/record").status
    report.expect(known == 200, f"the host's own tablet is answered {known}")
    assert token(house).ask("GET", "/api/v1/record").status == 200

"""Plays whole games by ear: `python -m tests.eyeless --games 20`; prints figures and faults of each."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import launched
from tests.browser.playing import without_counting
from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service
from tests.eyeless.player import Account, Player
from tests.eyeless.reader import EARS, Reader

TITLES = (
    "game",
    "players",
    "rounds",
    "decisions",
    "keys",
    "questions",
    "most keys",
    "events",
    "said",
    "refusals",
    "faults",
)


def seated(browser: Browser, service: Service, lots: Random) -> tuple[Tablet, Player]:
    """Return the host's tablet at *service*, and a player who uses it by ear."""
    tablet = Tablet(browser, service.url, TABLET, still=True, hurried=False)
    tablet.page.add_init_script(EARS)
    tablet.enter_pin(service.pin)
    return tablet, Player(Reader(tablet.page), service, lots)


def told(number: int, account: Account) -> str:
    """Return one line of the table."""
    each = (
        *(number, account.players, account.rounds, account.decisions.total(), account.keys, account.asked.total()),
        *(account.most_keys, account.events, account.said, account.refusals, len(account.faults)),
    )
    return (
        "  ".join(f"{value:>{len(title)}}" for title, value in zip(TITLES, each, strict=True)) + f"  {account.winner}"
    )


def main() -> int:
    """Play, and exit with 1 if there were faults."""
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--games", type=int, default=20)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--aloud", action="store_true", help="print each decision")
    given, began = arguments.parse_args(), time.monotonic()
    lots, asked, faults = Random(given.seed), Counter[str](), 0
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launched(playwright)
        service = Service(Path(folder) / "data", "mock:")
        tablet, player = seated(browser, service, lots)
        if given.aloud:
            player.tell = lambda deed: print(f"    {time.monotonic() - began:.1f} {deed}", flush=True)
        print("  ".join(TITLES), flush=True)
        for number in range(1, given.games + 1):
            player.new_game(lots.choice((3, 4, 5)))
            without_counting(service)
            account = player.play()
            print(told(number, account), *account.faults, sep="\n    ", flush=True)
            asked += account.asked
            faults += len(account.faults) + len(tablet.faults)
        print("questions:", ", ".join(f"{fact} {count}" for fact, count in sorted(asked.items())))
        print("complaints of the pages:", tablet.faults)
        service.stop()
        browser.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

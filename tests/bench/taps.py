"""Prints how many taps a whole game for four takes, and which decisions take most: on the tablet, and on phones.

One game on the pages, in Chromium, tapped as a person would: sensible moves
mixed with any legal ones, and draws of a virtual ring. On phones each player
decides on their own and says when they have played, so there are more
decisions. A decision of the whole table counts once: "All have played" is one,
not three. Set-up cards take one tap each and are counted separately; a joker
takes one tap more.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from companion.games.andromeda.rules import choices
from companion.games.andromeda.state import Phase, State
from companion.games.andromeda.view import waited_for
from companion.games.registry import GAMES
from tests.browser.conftest import HAND, QUIET
from tests.browser.playing import await_draw, set_up, state_now
from tests.browser.sensible import sensible
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service, VirtualRing

GAME = GAMES["andromeda"]
AIM_MEAN, AIM_ON_PHONES, AIM_MOST = 1.5, 1.4, 3
ANY_MOVE = 0.25
"""The probability that an action is a random legal one, so that rare pages are used too."""
DEAREST = 10
RARE = ("move", "establish", "exchange", "ship", "technology")


def decision(state: State, lots: Random) -> Mapping[str, Any]:
    """Return the table's next decision as a line."""
    offered = choices(state, waited_for(state)[0])
    lines = [GAME.line(each) for each in offered]
    actions = [each for each in lines if each["do"] in RARE and each.get("bonus", True)]
    if state.phase is Phase.ACTIONS and actions and lots.random() < ANY_MOVE:
        return lots.choice(actions)
    return GAME.line(sensible(state, lots))


def played(tablet: Tablet, service: Service, seed: int) -> list[tuple[Mapping[str, Any], int]]:
    """Play to the end, and return every decision with its taps."""
    lots, told = Random(seed), []
    while not (state := state_now(service)).finished:
        if state.attempt:
            await_draw(tablet, service)
            continue
        if "/act/" in tablet.page.url:
            tablet.open("/table")
        tablet.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
        if GAME.reveal.together(state) and service.ask("GET", "/api/v1/clock")[1]["step"] == "answer":
            told.append(({"do": "all have laid"}, tablet.all_have_laid()))
            continue
        line = decision(state, lots)
        told.append((line, tablet.say(line)))
    return told


class Hands:
    """The players' phones by colour; the host's tablet is only watched."""

    def __init__(self, browser: Browser, service: Service, tablet: Tablet) -> None:
        tablet.open("/join")
        pin = tablet.page.inner_text(".digits").strip()
        tablet.open("/table")
        self._tablet, self._service = tablet, service
        self._phones = {
            seat["colour"]: Tablet(browser, service.url, PHONE, still=True) for seat in service.record()[0]["players"]
        }
        for seat in service.record()[0]["players"]:
            phone = self._phones[seat["colour"]]
            phone.open(f"/join?pin={pin}")
            phone.tap(f".sit-down:has-text('{seat['name']}')")
            phone.page.wait_for_url("**/table")

    def played(self, seed: int) -> list[tuple[Mapping[str, Any], int]]:
        """Play to the end, and return every decision with its taps on the player's phone."""
        lots, told = Random(seed), []
        while not (state := state_now(self._service)).finished:
            if state.attempt:
                await_draw(self._tablet, self._service)
                continue
            if GAME.reveal.together(state) and self._service.ask("GET", "/api/v1/clock")[1]["step"] == "answer":
                told.extend(({"do": "have laid"}, self._lays(seat)) for seat in GAME.reveal.together(state))
                self._tablet.await_turned()
                continue
            line = decision(state, lots)
            told.append((line, self._at_hand(GAME.actor(state, line) or state.starter).say(line)))
        return told

    def _at_hand(self, seat: str) -> Tablet:
        phone = self._phones[seat]
        if "/act/" in phone.page.url:
            phone.open("/table")
        phone.await_version(self._service.ask("GET", "/api/v1/state")[1]["version"])
        phone.await_turned()
        return phone

    def _lays(self, seat: str) -> int:
        phone = self._at_hand(seat)
        before, shown = phone.taps, phone.version
        phone.tap("form[action='/table/ready'] button:visible")
        phone.await_version(shown + 1)
        return phone.taps - before


def summary(told: list[tuple[Mapping[str, Any], int]], aim: float) -> dict[str, Any]:
    """Return the figures."""
    cards = [taps for line, taps in told if line["do"] == "setup"]
    rest = [(line, taps - len(line.get("jokers", ())), taps) for line, taps in told if line["do"] != "setup"]
    kinds: dict[str, list[int]] = defaultdict(list)
    for line, _, taps in rest:
        kinds[line["do"]].append(taps)
    dearest = sorted(rest, key=lambda one: -one[2])[:DEAREST]
    return {
        "decisions": len(rest),
        "taps": sum(taps for _, _, taps in rest),
        "mean": round(statistics.fmean(taps for _, _, taps in rest), 2),
        "aim_mean": aim,
        "most_without_jokers": max(taps for _, taps, _ in rest),
        "aim_most": AIM_MOST,
        "set_up": {"cards": sum(cards), "players": len(cards)},
        "by_kind": {kind: {"n": len(each), "mean": round(statistics.fmean(each), 2)} for kind, each in kinds.items()},
        "dearest": [{"taps": taps, "line": dict(line)} for line, _, taps in dearest],
    }


def main() -> None:
    """Play one game, and print the figures."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--naming", action="store_true", help="the table taps each card that was laid")
    parser.add_argument("--phones", action="store_true", help="each player taps on their own phone")
    args = parser.parse_args()
    path = shutil.which("chromium")
    if path is None:
        sys.exit("Chromium is missing: sh tests/browser/chromium.sh installs it")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        ring = VirtualRing(Path(folder), HAND, seed=4)
        service = Service(Path(folder) / "data", ring.path)
        try:
            tablet = Tablet(browser, service.url, TABLET)
            tablet.enter_pin(service.pin)
            set_up(tablet)
            if args.naming:
                pace = GAME.pace.changed({"naming": True}).line()
                assert service.ask("POST", "/api/v1/deeds", {"deed": "pace", "pace": pace})[0] == 200
            if args.phones:
                told, aim = Hands(browser, service, tablet).played(args.seed), AIM_ON_PHONES
            else:
                told, aim = played(tablet, service, args.seed), AIM_MEAN
            print(json.dumps({"on": "phones" if args.phones else "the tablet"} | summary(told, aim), indent=2))
        finally:
            service.stop()
            ring.end()
            browser.close()


if __name__ == "__main__":
    main()

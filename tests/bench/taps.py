"""Prints how many taps a whole game for four takes on the tablet, and which decisions are the dearest.

One game on the pages, in Chromium, by somebody who taps as a person would:
sensible moves mixed with any legal ones, a virtual ring letting the stations
out. A decision is what the table decides at once: "all have laid" is one, not
three. Set-up cards are one tap each and counted by themselves; a joker is one
tap more.
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

from playwright.sync_api import sync_playwright

from companion.games.andromeda.legal_moves import choices
from companion.games.andromeda.state import Phase, State
from companion.games.andromeda.view import waited_for
from companion.games.registry import GAMES
from tests.browser.conftest import HAND, QUIET
from tests.browser.playing import await_draw, set_up, so_far
from tests.browser.sensible import sensible
from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service, VirtualRing

GAME = GAMES["andromeda"]
AIM_MEAN, AIM_MOST = 2.2, 3
ANY_MOVE = 0.25
"""How often an action is any legal one, so that rare pages are tapped through too."""
DEAREST = 10
RARE = ("move", "establish", "exchange", "ship", "technology")


def decision(state: State, lots: Random) -> Mapping[str, Any]:
    """Return the next line that the table decides on."""
    offered = choices(state, waited_for(state)[0])
    lines = [GAME.line(each) for each in offered]
    actions = [each for each in lines if each["do"] in RARE and each.get("bonus", True)]
    if state.phase is Phase.ACTIONS and actions and lots.random() < ANY_MOVE:
        return lots.choice(actions)
    return GAME.line(sensible(state, lots))


def played(tablet: Tablet, service: Service, seed: int) -> list[tuple[Mapping[str, Any], int]]:
    """Play to the end; return every decision with its taps."""
    lots, told = Random(seed), []
    while not (state := so_far(service)).finished:
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


def summary(told: list[tuple[Mapping[str, Any], int]]) -> dict[str, Any]:
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
        "aim_mean": AIM_MEAN,
        "most_without_jokers": max(taps for _, taps, _ in rest),
        "aim_most": AIM_MOST,
        "set_up": {"cards": sum(cards), "players": len(cards)},
        "by_kind": {kind: {"n": len(each), "mean": round(statistics.fmean(each), 2)} for kind, each in kinds.items()},
        "dearest": [{"taps": taps, "line": dict(line)} for line, _, taps in dearest],
    }


def main() -> None:
    """Play one game and print it."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--naming", action="store_true", help="a table that taps each card it has laid")
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
            print(json.dumps(summary(played(tablet, service, args.seed)), indent=2))
        finally:
            service.stop()
            ring.end()
            browser.close()


if __name__ == "__main__":
    main()

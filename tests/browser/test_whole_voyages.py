"""Whole games of the Hanse and the wreck by taps, on a tablet and a phone: the record replays to the same end."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion.games.hanse import demo_policy as hanse_policy
from companion.games.registry import GAMES
from companion.games.wreck import demo_policy as wreck_policy
from tests.browser.finger import tap_to
from tests.browser.looking import seated
from tests.browser.playing import Followed
from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service, companion
from tests.companion.games.hanse.voyage import GOODS, sides
from web.games.wreck.new_game import header as wreck_header

LOG = logging.getLogger(__name__)
"""Logs the number of taps: `--log-cli-level=info` shows it."""
TWO = (("red", "Ana"), ("blue", "Ben"))
HANSE = {
    "record": "table-record",
    "version": 1,
    "game": "hanse",
    "younger": "blue",
    "players": [{"colour": colour, "name": name} for colour, name in TWO],
}
LAID_OUT = [{"do": "goods", "planet": planet, "cards": sides(goods)} for planet, goods in GOODS.items()]
GAMES_OF_TWO: Mapping[str, tuple[Mapping[str, Any], list[Mapping[str, Any]], Callable[[Any, Random], Any], int]] = {
    "hanse": (HANSE, [*LAID_OUT], hanse_policy.command, 53),
    "wreck": (wreck_header(TWO), [], wreck_policy.command, 53),
}
"""Header, first lines, policy, and a random seed with which the game is short."""
MOST_USUAL = 3
LONGER = ("goods", "flip", "offer", "move", "contaminate", "explore", "fulfil", "call", "open", "quarters")
"""Lines that take more taps: cards and dice are entered one by one, and walking takes a tap for each step."""


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_two_people_play_a_whole_game_by_tapping(name: str, chromium: Browser, tmp_path: Path) -> None:
    """If every line of a game is tapped on tablet and phone, the exported record replays to the final state."""
    header, first, policy, lots = GAMES_OF_TWO[name]
    service = Service(tmp_path / "data")
    assert service.ask("POST", "/api/v1/games", header)[0] == 201
    tablet = Tablet(chromium, service.url, TABLET, still=True)
    tablet.enter_pin(service.pin)
    phone = seated(chromium, service.url, tablet, "Ben")
    tablet.open("/table")
    try:
        taps = played(service, name, tablet, phone, first, policy, Random(lots))
        final = service.final(GAMES)
        phone.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
        assert replayed(service, tmp_path / "record.jsonl") == {
            each: final[each] for each in final if each != "version"
        }
        assert tablet.faults == phone.faults == []
        LOG.info("%s: %s lines, %s taps", name, sum(map(len, taps.values())), sum(map(sum, taps.values())))
        LOG.info(", ".join(f"{do} {len(each)} of {max(each)} at most" for do, each in sorted(taps.items())))
        assert not {do: max(each) for do, each in taps.items() if do not in LONGER and max(each) > MOST_USUAL}
    finally:
        tablet.close()
        phone.close()
        service.stop()


def played(
    service: Service,
    name: str,
    tablet: Tablet,
    phone: Tablet,
    first: list[Mapping[str, Any]],
    policy: Callable[[Any, Random], Any],
    lots: Random,
) -> dict[str, list[int]]:
    """Play to the end, with blue's lines on the phone; return the number of taps for each kind of line."""
    game, followed, taps = GAMES[name], Followed(service), dict[str, list[int]]()
    ahead = [*first]
    while not (state := followed.state()).finished:
        line = ahead.pop(0) if ahead else game.line(policy(state, lots))
        device = phone if game.waited_for(state) == ("blue",) and game.actor(state, line) == "blue" else tablet
        device.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
        taps.setdefault(line["do"], []).append(tap_to(device, game, line))
    return taps


def replayed(service: Service, file: Path) -> dict[str, Any]:
    """Return the final state that `companion replay` prints for the exported record."""
    file.write_text("".join(json.dumps(line) + "\n" for line in service.record()), encoding="utf-8")
    ended = companion("replay", "--json", file)
    assert ended.returncode == 0, ended.stderr
    told: dict[str, Any] = json.loads(ended.stdout)
    return told

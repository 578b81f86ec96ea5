"""A whole game on the tablet and two players' phones at once, each in its own language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser

from companion.games.andromeda.state import State
from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import replay
from tests.browser.playing import SHORT, Followed, await_draw, say, set_up, without_counting
from tests.browser.sensible import sensible
from tests.browser.tablet import PHONE, TABLET, Tablet
from tests.companion.app.processes import Service, VirtualRing

GAME = GAMES["andromeda"]
WITH_PHONES = {"red": "de", "blue": "en"}
"""Seats with a phone, and its language; the tablet is Dutch and plays for the others."""
PUT_AWAY = "blue"
"""The seat whose phone is put away after a round: the tablet plays for it, and it is opened again at the end."""


@pytest.fixture
def dutch(chromium: Browser, service: Service) -> Iterator[Tablet]:
    """The host's tablet, with a game of four without the 3-2-1 countdown."""
    tablet = Tablet(chromium, service.url, TABLET, language="nl", still=True)
    tablet.enter_pin(service.pin)
    set_up(tablet)
    without_counting(service)
    yield tablet
    tablet.close()


@pytest.fixture
def phones(chromium: Browser, service: Service, dutch: Tablet) -> Iterator[dict[str, Tablet]]:
    """Two phones that have joined with the PIN shown on the tablet."""
    dutch.open("/join")
    pin = dutch.page.inner_text(".digits").strip()
    joined = {seat: joining(chromium, service, seat, pin) for seat in WITH_PHONES}
    yield joined
    for phone in joined.values():
        phone.close()


def joining(chromium: Browser, service: Service, seat: str, pin: str) -> Tablet:
    """Join as a phone that has scanned the QR code does: one tap on the seat."""
    phone = Tablet(chromium, service.url, PHONE, language=WITH_PHONES[seat], still=True)
    phone.open(f"/join?pin={pin}")
    phone.tap(f".sit-down[value={seat}]")
    phone.page.wait_for_url("**/table")
    return phone


@pytest.mark.long
def test_a_whole_game_on_a_tablet_and_two_phones(
    dutch: Tablet, phones: dict[str, Tablet], phone: Tablet, service: Service, ring: VirtualRing
) -> None:
    """A game played on three devices in three languages has one record, and every device shows the same end."""
    state = played(dutch, phones, service)

    final = service.ask("GET", "/api/v1/state")[1]
    seen = GAME.view(state, Viewer(owner=True))
    assert {name: final[name] for name in seen} == seen
    record = service.record()
    assert GAME.view(replay(GAMES, enumerate(record, 1)).state, Viewer(owner=True)) == seen
    said = {
        seat: {line["via"] for line in record if line.get("player") == seat and line["do"] != "setup"}
        for seat in phones
    }
    assert {seat: via - {"companion"} for seat, via in said.items()} == {
        "red": {"phone"},
        PUT_AWAY: {"phone", "tablet"},
    }
    winner = next(seat.name for seat in GAME.seats(state) if seat.colour == final["winners"][0])
    assert sum(each["kind"] == "out" for each in ring.truth()) == sum(line.get("do") == "draw" for line in record)
    for device, language in ((dutch, "nl"), *((phone, WITH_PHONES[seat]) for seat, phone in phones.items())):
        device.open("/table")
        device.await_version(final["version"])
        assert device.page.get_attribute("html", "lang") == language
        assert winner in device.page.inner_text("main")
        assert device.faults == []
    phone.open("/table")
    assert winner in phone.page.inner_text("h1")


def played(dutch: Tablet, phones: dict[str, Tablet], service: Service) -> State:
    """Play to the end on the tablet and the phones (one is put away after the first round); return the final state."""
    lots, followed, there = Random(SHORT), Followed(service), dict(phones)
    dutch.open("/table")
    while not (state := followed.state()).finished:
        if state.attempt:
            await_draw(dutch, service)
            continue
        if state.round > 1 and PUT_AWAY in there:
            there.pop(PUT_AWAY).open("about:blank")
        line = GAME.line(sensible(state, lots))
        say(dutch if line["do"] == "setup" else there.get(GAME.actor(state, line) or "", dutch), service, line)
    return state

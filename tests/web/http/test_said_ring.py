"""The pages of the ring in the pseudo-language: all texts are translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.ports.calibration import Dot, Near
from companion.ports.ring import RingState, RingView
from companion.ring.faults import FAULTS
from tests.web.pretended import pretend, unsaid, walked
from tests.web.served_house import Browser, ServedHouse, ToldRing
from tests.web.told_instrument import PASSAGE, ToldInstrument, calibrated
from web.pages.ring import FAULT_NAMES, faults

LIVE = RingView(
    RingState.LIVE, "mock:", "ring-7", "1.4.0", 1, last_passage_at=0.0, gate_open=False, lifted=False, simulated=True
)
TOLD = ("deal", "cards", "Seen as red", "Show more")
OURS = (
    "Ana",
    "Ben",
    "Cem",
    "ring-7",
    "1.4.0",
    "mock",
    "Our copy",
    "ring auto",
    "ring mock",
    "Or",
    "Pu",
    "Wh",
    "Wo",
    *TOLD,
)
"""Players, the ring, the copy, commands, marks of colours, and untranslated texts of the plain game and the wizard."""


def unknown(bench: ToldInstrument, host: Browser) -> None:
    """Nothing is calibrated, and no cube was seen."""


def begun(bench: ToldInstrument, host: Browser) -> None:
    bench.begin("Our copy", ("red", "blue", "green"))
    host.post("/ring/teach/look", reference="black")


def passing(bench: ToldInstrument, host: Browser) -> None:
    begun(bench, host)
    for name in ("white", "dark"):
        host.post("/ring/teach/look", reference=name)
    bench.passed("red", 10)


def reviewed(bench: ToldInstrument, host: Browser) -> None:
    passing(bench, host)
    for colour in ("blue", "green"):
        bench.passed(colour, 10)
    host.post("/ring/teach/review")


def taught(bench: ToldInstrument, host: Browser) -> None:
    view = calibrated(("red", "blue", "orange"))
    assert view.calibration is not None
    near = Near("red", "orange", 3.2, True, "Show more")
    made = replace(view.calibration, white_now=0.5, closest=near)
    counted = {"saturated": 2, "ambient-light": 1}
    drawn = (Dot("red", 0.1, 0.1, 0.4), Dot(None, 0.0, 0.1, 0.4))
    bench.view = replace(bench.view, calibration=made, last=PASSAGE, faults=counted, draws=drawn)


def checking(bench: ToldInstrument, host: Browser) -> None:
    taught(bench, host)
    host.post("/ring/teach/check")


STATES: dict[str, Callable[[ToldInstrument, Browser], None]] = {
    each.__name__: each for each in (unknown, begun, passing, reviewed, taught, checking)
}


@pytest.fixture
def bench() -> ToldInstrument:
    """The ring's instrument, which the test controls."""
    return ToldInstrument()


@pytest.fixture
def ringed(tmp_path: Path, bench: ToldInstrument) -> Iterator[ServedHouse]:
    """A server with a game of three and a simulated ring with an instrument."""
    site = ServedHouse(tmp_path, ToldRing(LIVE, instrument=bench)).play()
    yield site
    site.ledger.close()


@pytest.mark.parametrize("state", STATES)
def test_every_word_of_the_rings_pages_was_looked_up(
    ringed: ServedHouse, bench: ToldInstrument, tmp_path: Path, state: str
) -> None:
    """Languages: in every step of the calibration, the ring's pages show no text that isn't in a catalogue."""
    host = ringed.host()
    STATES[state](bench, host)
    pretend(ringed.app, host.client, tmp_path)

    pages = walked(host.client, "/ring", "/ring?show=passage", "/ring?show=faults", "/ring/check", within="/ring")

    assert {"/ring", "/ring?show=faults", "/ring?show=calibrations", "/ring/teach"} <= set(pages)
    assert {address: found for address, html in pages.items() if (found := unsaid(html, OURS))} == {}


@pytest.mark.parametrize("state", RingState)
def test_every_word_about_a_ring_was_looked_up(
    ringed: ServedHouse, bench: ToldInstrument, tmp_path: Path, state: RingState
) -> None:
    """Languages: in every state of the ring, its page shows no text that isn't in a catalogue."""
    host = ringed.host()
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = RingView(state)
    pretend(ringed.app, host.client, tmp_path)

    assert unsaid(host.get("/ring"), OURS) == []


def test_a_game_judged_again_was_looked_up(ringed: ServedHouse, bench: ToldInstrument, tmp_path: Path) -> None:
    """Languages: the results of a re-check show no text that isn't in a catalogue."""
    host = ringed.host()
    taught(bench, host)
    pretend(ringed.app, host.client, tmp_path)
    game = ringed.table.snapshot.game_id

    assert unsaid(host.get(f"/ring?show=again&game={game}"), OURS) == []
    assert unsaid(host.post(f"/games/{game}/again", follow=True, by="")[1], OURS) == []


def test_every_fault_of_a_ring_has_a_name_in_the_catalogues() -> None:
    """Languages: every fault that is counted has a translated name."""
    assert {name for name, _count, _on in faults(dict.fromkeys(FAULTS, 1))} == set(FAULT_NAMES)

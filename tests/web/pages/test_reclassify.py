"""A finished game re-checked on the tablet with another calibration: differences are shown, nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path

import pytest

from companion.ports.calibration import Line
from companion.ports.ring import Judgement, RingEvent, RingEventKind, RingState, RingView
from companion.session.commands import Abandon
from tests.web.served_house import HOST, ServedHouse, ToldRing
from tests.web.told_instrument import ToldInstrument


class Wise(ToldInstrument):
    """An instrument that classifies a passage as its first raw line says; an empty passage can't be checked."""

    by: Line | None = None

    def judged_again(self, raw: Sequence[str], by: Line | None) -> Line | None:
        self.by = by
        if not raw[0]:
            return None
        colour = None if raw[0] == "?" else raw[0]
        return {"colour": colour, "ranking": [], "why": "", "unknown": 0.0, "calibration": "x"}


@pytest.fixture
def wise() -> Wise:
    """The ring's instrument."""
    return Wise()


@pytest.fixture
def past(tmp_path: Path, wise: Wise) -> Iterator[ServedHouse]:
    """A server with an abandoned demo game in which the ring has reported four passages."""
    site = ServedHouse(tmp_path, ToldRing(RingView(RingState.LIVE), instrument=wise))
    site.play()
    for number, raw in enumerate(("red", "blue", "?", ""), 1):
        event = RingEvent("d", "b", number, number, RingEventKind.OUT, 0, (raw,), Judgement("red"))
        site.table.heard(event)
    site.table.execute(Abandon("It got late"), HOST)
    yield site
    site.ledger.close()


def test_a_game_given_up_or_finished_can_be_judged_again(past: ServedHouse) -> None:
    """Re-check: the ring's page offers it only to the host, and asks which calibration to use."""
    address = f"/ring?show=again&game={past.table.snapshot.game_id}"

    assert address in unescape(past.host().get("/ring?show=again"))
    assert "&game=" not in unescape(past.visitor().get("/ring?show=again").get_data(as_text=True))
    assert "The ring as it is now" in past.visitor().get(address).get_data(as_text=True)


def test_judging_again_touches_no_line(past: ServedHouse) -> None:
    """Re-check: passages are listed with their new classification, and the record is not changed."""
    address = f"/games/{past.table.snapshot.game_id}/again"
    before = list(past.table.archive.record())
    status, page = past.host().post(address, follow=True)

    assert status == 200
    assert "<b>4</b><span>passages</span>" in page
    assert "<b>1</b><span>can't be checked</span>" in page
    assert "can't be checked" in page
    assert "data-still" in page
    assert list(past.table.archive.record()) == before


def test_a_calibration_of_the_shelf_can_be_chosen(past: ServedHouse, wise: Wise) -> None:
    """Re-check: the chosen calibration is used; one that doesn't exist any more is refused."""
    past.table.save_calibration({"calibration": 1, "copy": "Our copy", "made": "2026-05-03", "device": "r"}, HOST)
    address = f"/games/{past.table.snapshot.game_id}/again"
    host = past.host()

    assert "Our copy" in host.client.get(address, follow_redirects=True).get_data(as_text=True)
    assert host.post(address, by="0")[0] == 200
    assert wise.by is not None
    assert wise.by["copy"] == "Our copy"
    assert host.post(address, by="7")[0] == 400
    assert host.post(address, by="x")[0] == 400


def test_a_game_that_is_not_there(past: ServedHouse) -> None:
    """Re-check: an unknown game gives 404."""
    assert past.visitor().get("/ring?show=again&game=999").status_code == 404
    assert past.visitor().get(f"/ring?show=again&game={2**70}").status_code == 404


def test_without_an_instrument_nothing_is_judged(site: ServedHouse) -> None:
    """Re-check: without a ring, a re-check is refused with 409."""
    assert site.host().post(f"/games/{site.table.snapshot.game_id}/again")[0] == 409

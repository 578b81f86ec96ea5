"""If two hosts tap the same button at once, a one-time action happens once, and the second host is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.ports.ring import RingState, RingView
from companion.session.commands import Extend
from tests.web.auth.test_seats import in_an_attempt_of_red, in_trading
from tests.web.served_house import HOST, ServedHouse, ToldRing

MOVED_ON = "The game has moved on. Look again first."


@pytest.fixture
def ring() -> ToldRing:
    """A simulated ring that the test controls, and that reports nothing unless the test says so."""
    return ToldRing(RingView(state=RingState.LIVE, simulated=True))


@pytest.fixture
def drawing(tmp_path: Path, ring: ToldRing) -> Iterator[ServedHouse]:
    """A server on which red is about to make the first draw of an attempt."""
    site = in_an_attempt_of_red(ServedHouse(tmp_path, ring).play())
    yield site
    site.ledger.close()


def shown(site: ServedHouse) -> str:
    """Return the version of a page rendered now."""
    return str(site.table.snapshot.version)


def test_two_taps_on_slide_use_one_draw(drawing: ServedHouse, ring: ToldRing) -> None:
    """Slide: until the ring has reported the first slide, a second one is refused."""
    one, other, version = drawing.host(), drawing.host(), shown(drawing)

    one.post("/table/slide", version=version)
    page = other.post("/table/slide", follow=True, version=version)[1]

    assert ring.slides == 1
    assert MOVED_ON in page


def test_a_page_from_before_the_last_draw_slides_no_more(drawing: ServedHouse, ring: ToldRing) -> None:
    """Slide: a tap on a page that doesn't show the last draw yet is refused because of its version."""
    host, before = drawing.host(), shown(drawing)
    host.post("/table/slide", version=before)
    drawing.table.do({"do": "draw", "colour": "blue"}, HOST)

    late = host.post("/table/slide", follow=True, version=before)[1]
    host.post("/table/slide", version=shown(drawing))

    assert MOVED_ON in late
    assert ring.slides == 2


def test_a_gate_that_is_open_ends_no_slide(drawing: ServedHouse, ring: ToldRing) -> None:
    """Slide: while the cube is still on its way, a tap is refused, even from a page rendered after the slide."""
    host = drawing.host()
    host.post("/table/slide", version=shown(drawing))
    ring.view = replace(ring.view, gate_open=True)
    drawing.table.do({"do": "draw", "colour": "blue"}, HOST)

    host.post("/table/slide", version=shown(drawing))

    assert ring.slides == 1


def test_two_taps_on_more_time_add_it_once(site: ServedHouse) -> None:
    """More time: of two taps on the same page, the second is refused, since times would add up."""
    in_trading(site)
    one, other, version = site.host(), site.host(), shown(site)

    one.post("/table/extend", version=version, ms="60000")
    page = other.post("/table/extend", follow=True, version=version, ms="60000")[1]

    assert MOVED_ON in page


def test_two_taps_on_start_open_one_game(site: ServedHouse) -> None:
    """New game: of two taps on the same page, the second is refused, so that only one game is started."""
    one, other, version = site.host(), site.host(), shown(site)

    one.post("/demo", version=version, game="andromeda")
    page = other.post("/demo", follow=True, version=version, game="andromeda")[1]

    assert MOVED_ON in page
    assert site.table.archive.game_count == 2


def test_programs_without_a_version_mean_what_they_say(site: ServedHouse) -> None:
    """More time: a program that sends no version is not refused."""
    in_trading(site)

    first = site.table.execute(Extend(60_000), HOST)

    assert site.table.execute(Extend(60_000), HOST) > first

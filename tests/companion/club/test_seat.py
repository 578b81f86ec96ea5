"""A table joins and leaves a club while its service runs; its rows are sent in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.club_link import ClubLink
from companion.app.data_folder import MEMBERSHIP
from companion.kernel.errors import Refused
from companion.kernel.supervisor import Supervisor
from companion.model.link import LinkView
from tests.club.broker import MISSING, PROGRAM
from tests.club.house import House
from tests.companion.live_table import LiveTable

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    founded = House(tmp_path / "house")
    founded.start()
    yield founded
    founded.close()


def test_a_seat_is_taken_and_given_up_while_the_table_is_served(house: House, tmp_path: Path) -> None:
    """Club: joining starts the link, a restart starts it again, and leaving stops it and deletes the membership."""
    live = LiveTable(tmp_path / "ledger.sqlite").open()
    links: list[Callable[[], LinkView]] = []
    seat = ClubLink(live.table, tmp_path, print, Supervisor(), links)
    seat.take(house.sheet().read_text(encoding="utf-8"))
    taken = [each().name for each in links]
    with pytest.raises(Refused, match="with this code already"):
        seat.take(house.sheet().read_text(encoding="utf-8"))
    seat.end()
    seat.start()
    again = [each().name for each in links]
    seat.give_up()
    with pytest.raises(Refused, match="in no club"):
        seat.give_up()
    live.ledger.close()

    assert taken == again == ["Essen 2027"]
    assert links == []
    assert not (tmp_path / MEMBERSHIP).exists()


@pytest.mark.parametrize("code", ["", "ring-club://", "hello", "ring-club://0123456789abcdef:x@[::1/?club=a"])
def test_a_wrong_code_changes_nothing(code: str, tmp_path: Path) -> None:
    """Bad input: an invalid code is refused with the reason, and nothing is stored or started."""
    live = LiveTable(tmp_path / "ledger.sqlite")
    links: list[Callable[[], LinkView]] = []
    with pytest.raises(Refused, match="isn't the code of a club"):
        ClubLink(live.table, tmp_path, print, Supervisor(), links).take(code)
    live.ledger.close()

    assert links == []
    assert not (tmp_path / MEMBERSHIP).exists()

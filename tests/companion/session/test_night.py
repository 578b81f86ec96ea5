"""The games of the newest evening are found by the order of their rows, whatever the clock showed."""

from __future__ import annotations

from companion.model.snapshot import GameEntry, Status
from companion.session.night import NIGHT_S, night_of
from tests.companion.live_table import LiveTable


def entry(number: int, own_row: int, last: float) -> GameEntry:
    """Return a game whose newest row is *own_row*, written at the time *last*."""
    return GameEntry(number, "toy", {}, "1", Status.FINISHED, last, last, 3, False, own_row=own_row)


def test_a_night_ends_twelve_hours_before_its_newest_game() -> None:
    """A night has all games that were played at most twelve hours before the newest one."""
    games = [entry(3, 30, NIGHT_S + 10.0), entry(2, 20, 20.0), entry(1, 10, 5.0)]

    assert night_of(games) == (3, 2)


def test_a_clock_that_went_back_hides_no_night() -> None:
    """A night has the game with the newest row, even if an earlier game has a later date."""
    games = [entry(3, 30, 1000.0), entry(2, 20, 900.0), entry(1, 10, 1000.0 + 5 * NIGHT_S)]

    assert night_of(games) == (3, 2)


def test_what_came_from_elsewhere_is_older_than_what_was_played_here() -> None:
    """Merged games have no row of their own, count as older, and are ordered by date."""
    laid_in = [entry(5, 0, 9 * NIGHT_S), entry(4, 0, 1.0)]

    assert night_of([*laid_in, entry(3, 3, 100.0)]) == (4, 3)
    assert night_of(laid_in) == (5,)
    assert night_of([]) == ()


def test_the_list_of_games_tells_the_newest_row_of_each(live_table: LiveTable) -> None:
    """Night: in the list of games, a game that began later has a greater newest row."""
    live_table.open().score(5).open().score(7)
    later, first = live_table.table.archive.games()

    assert 0 < first.own_row < later.own_row <= live_table.ledger.last

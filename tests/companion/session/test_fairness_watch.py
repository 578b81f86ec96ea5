"""The fairness watch adds up each game's draws once, in the background, and no caller waits for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.fairness import CubeSource, GameDraws, LetOut, LoggedDraw
from companion.kernel.errors import Malformed
from companion.kernel.said import said
from companion.ledger import Unreadable
from companion.session.archive import TouchedGames
from companion.session.fairness_watch import FairnessWatch

DRAW = LoggedDraw(
    1, "andromeda", 5, 0, 0, "red", "Ana", "p3", {"red": 2, "blue": 3}, ("red",), LetOut(CubeSource.RING, "r1")
)


@dataclass
class Nights:
    """Games with numbers of draws and newest rows; it records how often each game is read."""

    games: dict[int, int] = field(default_factory=dict)
    rows: dict[int, int] = field(default_factory=dict)
    live: int | None = None
    asked: list[int] = field(default_factory=list)
    fault: Exception | None = None
    names: int = 0

    def play(self, game: int, draws: int = 1) -> None:
        """Add draws to a game, which becomes the live game."""
        self.games[game] = self.games.get(game, 0) + draws
        self.rows[game] = max(self.rows.values(), default=0) + 1
        self.live = game

    def touched(self, since: int) -> TouchedGames:
        games = tuple(sorted(game for game, row in self.rows.items() if row > since))
        return TouchedGames(max(self.rows.values(), default=0), self.live, games, self.names)

    def game_draws(self, game_id: int) -> GameDraws:
        self.asked.append(game_id)
        if self.fault is not None:
            raise self.fault
        return GameDraws(tuple(replace(DRAW, game_id=game_id) for _ in range(self.games[game_id])))


def at_once(deed: Callable[[], None]) -> None:
    deed()


def draws_of(watch: FairnessWatch) -> int:
    (report,) = watch.look().reports
    return report.draws


def test_all_draws_of_all_games_are_added_up() -> None:
    """Watch: all draws of earlier games and of the live game are added up."""
    nights = Nights()
    for game in (1, 2, 3):
        nights.play(game, draws=game)

    assert draws_of(FairnessWatch(nights, at_once)) == 6


def test_games_of_before_are_looked_at_once() -> None:
    """Watch: only the live game is read again, however many games there were before."""
    nights = Nights()
    for game in (1, 2, 3):
        nights.play(game)
    watch = FairnessWatch(nights, at_once)
    watch.look()
    nights.asked.clear()

    nights.play(3)
    assert draws_of(watch) == 4
    assert nights.asked == [3]


def test_nothing_is_reckoned_while_nothing_is_drawn() -> None:
    """Watch: without new rows, the existing report is returned."""
    nights = Nights()
    nights.play(1)
    watch = FairnessWatch(nights, at_once)
    watch.look()
    nights.asked.clear()

    assert draws_of(watch) == 1
    assert nights.asked == []


def test_a_game_that_was_put_away_is_added_for_good() -> None:
    """Watch: a game that is no longer live still counts, even though it has no new row."""
    nights = Nights()
    nights.play(1)
    watch = FairnessWatch(nights, at_once)
    watch.look()

    nights.play(2)
    assert draws_of(watch) == 2
    nights.asked.clear()
    nights.play(2)
    assert draws_of(watch) == 3
    assert nights.asked == [2]


def test_a_game_of_before_that_goes_on_is_counted_once() -> None:
    """Watch: an earlier game that continues replaces its earlier count."""
    nights = Nights()
    for game in (1, 2, 3):
        nights.play(game)
    watch = FairnessWatch(nights, at_once)
    watch.look()

    nights.play(1)
    assert draws_of(watch) == 4


def test_who_asks_meanwhile_is_told_how_far_it_is() -> None:
    """Watch: while games are added up, the previous report is returned and marked as being updated."""
    nights, waiting = Nights(), list[Callable[[], None]]()
    nights.play(1)
    watch = FairnessWatch(nights, waiting.append)

    first = watch.look(patience_s=0)
    assert (first.reports, first.working) == ((), True)
    assert watch.look(patience_s=0).working
    (reckoning,) = waiting
    reckoning()

    found = watch.look(patience_s=0)
    assert not found.working
    assert found.reports[0].draws == 1


def test_a_game_that_cannot_be_read_costs_itself_only() -> None:
    """Watch: draws of a damaged game are not counted."""
    nights = Nights(fault=Malformed(said("It's damaged.")))
    nights.play(1)

    assert FairnessWatch(nights, at_once).look().reports == ()


def test_a_card_that_cannot_be_read_is_told() -> None:
    """Watch: if the card cannot be read, the report has the reason, and the next call tries again."""
    nights = Nights(fault=Unreadable(said("The card is gone.")))
    nights.play(1)
    watch = FairnessWatch(nights, at_once)

    assert "The card is gone." in watch.look().trouble
    nights.fault = None
    assert draws_of(watch) == 1


def test_nobody_is_shown_under_a_name_that_was_changed() -> None:
    """Watch: after names were changed, all games are read again, even though none has a new row."""
    nights = Nights()
    for game in (1, 2):
        nights.play(game)
    watch = FairnessWatch(nights, at_once)
    watch.look()
    nights.asked.clear()
    nights.names += 1

    assert draws_of(watch) == 2
    assert nights.asked == [1, 2]

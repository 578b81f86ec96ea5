"""A demo game that plays itself by the server's clock, next to the real game, and explains each step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from companion.autoplay.demo import PACES_S, USUAL, DemoStatus, Practice, PracticeTable, begin, onwards
from companion.games.andromeda import GAME
from companion.games.andromeda.demo_policy import command
from companion.games.andromeda.random_policy import broken
from companion.games.andromeda.tellings import TELLINGS
from companion.records import replay
from tests.effort import seeds
from tests.web.games.andromeda.room import Room
from web.games.andromeda.pages import PAGES
from web.games.andromeda.practice import explained
from web.games.andromeda.rules_cards import BY_NAME

STEP_S = PACES_S[USUAL]


@dataclass
class Clock:
    """A clock that only advances when the test sets it."""

    s: float = 1000.0

    def __call__(self) -> float:
        return self.s


@dataclass
class Watched:
    """A practice game and its clock."""

    table: PracticeTable
    clock: Clock

    def after(self, seconds: float) -> DemoStatus:
        """Advance the clock by *seconds* and return what the page shows."""
        self.clock.s += seconds
        shown = self.table.look()
        assert shown is not None
        return shown


@pytest.fixture
def watched() -> Watched:
    """A practice game that has just started."""
    clock = Clock()
    table = PracticeTable(clock)
    table.begin(GAME, PAGES.practice.header(), PAGES.practice.made_up, seed=1)
    return Watched(table, clock)


def played(seed: int) -> list[Practice]:
    """Return the states of a practice game after each of its steps, until its end."""
    lots, found = Random(seed), [begin(GAME, PAGES.practice.header())]
    while not found[-1].over:
        found.append(onwards(found[-1], command, lots))
    return found


@pytest.mark.parametrize("seed", seeds(8))
def test_a_practice_comes_to_its_end_by_legal_lines_alone(seed: int) -> None:
    """Practice: no rule refuses a simulated player, no station is lost, and the record replays to the same state."""
    steps = played(seed)
    lines = [PAGES.practice.header(), *(each.recent[0].line for each in steps[1:])]

    assert all(not broken(each.state) for each in steps)
    assert replay({GAME.name: GAME}, enumerate(lines, 1)).state == steps[-1].state
    assert len(steps) < 600


def test_a_practice_shows_every_kind_of_step() -> None:
    """Practice: four games contain each action, each way to trade, transports and draws."""
    seen = {str(each.recent[0].line["do"]) for seed in range(4) for each in played(seed)[1:]}

    assert seen >= {"transport", "lay", "swap", "keep", "leave", "take_back", "exchange", "move", "establish", "draw"}
    assert seen >= {"ship", "technology"}


def test_every_step_is_explained_and_has_a_card() -> None:
    """Practice: each line has a sentence that explains it, and a rules card that exists."""
    assert {row.card for row in TELLINGS.lines.values()} <= set(BY_NAME)
    for each in played(2)[1:]:
        sentence, _ = explained(each.recent[0].line, each.header, each.before, each.state)
        assert sentence.endswith(".")
        assert "%(" not in sentence


def test_an_attempt_is_explained_by_its_draws(watched: Watched) -> None:
    """Practice: the explanation of an attempt says how many draws the set gives, and whose stations are there."""
    attempt = next(each for each in played(1) if each.recent and each.recent[0].line["do"] == "establish")
    line = attempt.recent[0].line
    sentence, card = explained(line, attempt.header, attempt.before, attempt.state)

    assert f"{line['cards'] // 2} draw" in sentence
    assert "with the ring" in sentence
    assert card == "establish"


def test_it_goes_on_by_the_clock_of_the_house(watched: Watched) -> None:
    """Practice makes one step every three seconds, and none earlier."""
    assert watched.after(STEP_S - 0.1).practice.steps == 0
    assert watched.after(0.2).practice.steps == 1
    assert watched.after(STEP_S - 0.3).practice.steps == 1
    assert watched.after(0.4).practice.steps == 2


def test_nobody_looking_leaves_it_where_it_was(watched: Watched) -> None:
    """Practice: after an hour without a viewer, the game makes one step, not twelve hundred."""
    watched.after(STEP_S)

    assert watched.after(3600).practice.steps == 2


def test_pause_step_and_pace(watched: Watched) -> None:
    """Practice can be paused, advanced by single steps, and made faster or slower within limits."""
    watched.table.pause()
    assert watched.after(100).practice.steps == 0
    watched.table.step()
    assert (watched.after(100).practice.steps, watched.after(0).runs) == (1, False)

    watched.table.pace(1)
    watched.table.go()
    assert watched.after(PACES_S[-1]).practice.steps == 2

    for _ in range(9):
        watched.table.pace(-1)
    assert watched.after(0).pace == 0


def test_the_end_stands_still(watched: Watched) -> None:
    """After a practice game is won, it makes no more steps."""
    while not watched.after(STEP_S).practice.over:
        pass
    ended = watched.after(STEP_S)
    watched.table.step()

    assert not ended.runs
    assert watched.after(STEP_S).practice == ended.practice


def test_stopping_puts_it_away(watched: Watched) -> None:
    """After practice was stopped, there is no game, and resuming it is not an error."""
    watched.table.stop()
    watched.table.go()

    assert watched.table.look() is None


def test_the_page_never_touches_the_real_game(rooms: Callable[..., Room]) -> None:
    """Starting, stepping and stopping practice during a real game leaves table and ledger unchanged."""
    room = rooms().in_actions()
    before = (room.snapshot, room.ledger.last)

    assert "Watch a game play itself" in room.look("/practice").text
    room.tap("Four made-up players", "Faster", "Pause", "Next", "Next")
    shown = room.page.text
    room.tap("Stop demo")

    assert "simulated draws" in shown
    assert "set-up cards are face up" in shown
    assert (room.snapshot, room.ledger.last) == before


def test_whoever_watches_drives_nothing(room: Room) -> None:
    """A visitor can watch practice, but has no button that controls it."""
    room.look("/practice")
    room.tap("Four made-up players")
    page = room.app.test_client().get("/practice").get_data(as_text=True)

    assert "Practice" in page
    assert "/practice/pause" not in page


def test_whoever_watches_sees_that_it_begins_and_goes_on(room: Room) -> None:
    """Practice: before the start and while paused there is no next step, so a visitor's page polls for changes."""
    spectator = room.app.test_client()

    def asks_again() -> bool:
        return "data-again" in spectator.get("/practice").get_data(as_text=True)

    assert asks_again()
    room.look("/practice")
    room.tap("Four made-up players", "Pause")
    assert asks_again()
    assert "data-again" not in room.look("/practice").html

"""Questions about a draw table: the cubes inside, chances, draws by player, cubes not put back, and the tower."""

from __future__ import annotations

from companion.games.draws import GAME
from tests.companion.games.told import Told

HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "contents": {"red": 3, "blue": 2},
    "tower": {"red": 1},
}


def told(table, word):
    """Return the answer to a question."""
    return " ".join(GAME.facts.answer(table.game, word, None))


def test_a_fresh_table_tells_what_is_inside():
    """Inside: the answers give the cubes by colour and the chance of each colour for the next draw."""
    table = Told(HEADER)
    assert told(table, "inside") == "Inside: 3 red and 2 blue."
    assert told(table, "chance") == "Next: red 60%, blue 40%."
    assert told(table, "drawn") == "No draws yet."
    assert told(table, "out") == "Everything is back inside."
    assert told(table, "tower") == "Stuck in the tower: 1 red."
    assert told(table, "turn") == "Whoever likes draws. 0 draws so far."


def test_draws_are_told_by_who_drew_them():
    """Draws: the answers give the draws of each player and of the table, and the cubes not put back."""
    table = Told(HEADER).do("draw", cubes={"red": 2, "blue": 2})
    table.do("take", player="blue").do("draw", colour="red")
    assert told(table, "turn") == "Ben draws. 2 draws so far."
    assert told(table, "drawn") == "Ben drew 1 red. The table drew 2 red and 2 blue."
    assert told(table, "inside") == "Inside: nothing."
    assert told(table, "chance") == "Nothing is inside."
    assert told(table, "out") == "Not back: 3 red and 2 blue."


def test_nobody_scores():
    """Score: there are no points, and the answer says so."""
    assert GAME.facts.points(Told(HEADER).game, None) == {}
    assert told(Told(HEADER), "score") == "Nobody scores at this table."


def test_every_question_is_answered_at_any_time():
    """The questions are the same during a whole game, and each has an answer."""
    table = Told(HEADER)
    assert all(
        told(each, fact.word)
        for each in (table, table.do("draw", colour="red"))
        for fact in GAME.facts.known(each.game)
    )

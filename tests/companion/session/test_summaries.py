"""Summaries of a ledger are computed from its rows, and recomputed when these change."""

from __future__ import annotations

import pytest

from companion.kernel.errors import Refused
from companion.kernel.names import same_person
from companion.ledger import Ledger
from companion.model.snapshot import DEMO, Who
from companion.session.commands import Leave, Return
from companion.statistics import Filter, StatisticsTally
from tests.companion.live_table import LiveTable
from tests.companion.toy import HEADER

HOST = Who("host", "tablet")
THREE = [{"colour": colour, "name": name} for colour, name in (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"))]


def tally(table: LiveTable) -> StatisticsTally:
    """Return the totals after all summaries were updated."""
    table.table.archive.summaries.catch_up()
    return table.table.archive.summaries.questions.tally(Filter())


def test_a_game_counts_once_it_has_ended(live_table: LiveTable) -> None:
    """Summaries: only an ended game counts, with its winner, points, moves and time."""
    live_table.open(goal=3).score(1).later(7)
    before = tally(live_table)
    live_table.do("skip", player="blue").later(5).score(2)

    assert before.games == 0
    assert tally(live_table).games == 1
    winner, other = live_table.table.archive.summaries.questions.people(Filter())
    assert {winner.name: winner.wins.hits, other.name: other.wins.hits} == {"Ana": 1, "Ben": 0}
    assert tally(live_table).ms == 12_000


def test_an_undo_after_the_end_takes_the_game_back(live_table: LiveTable) -> None:
    """Summaries: a game reopened by undo does not count until it ends again."""
    live_table.open(goal=3).score(3)
    ended = tally(live_table).games
    live_table.undo()
    undone = tally(live_table).games
    live_table.score(4)

    assert (ended, undone, tally(live_table).games) == (1, 0, 1)
    assert live_table.table.archive.summaries.questions.records(Filter())[0].value == 4


def test_a_demo_never_counts(live_table: LiveTable) -> None:
    """Summaries: a game begun as a demo never counts."""
    live_table.table.open({**HEADER, "goal": 1}, Who("host", DEMO))
    live_table.score(1)

    assert tally(live_table).games == 0


def test_a_given_up_game_never_counts(live_table: LiveTable) -> None:
    """Summaries: an abandoned game is listed, but never counted."""
    live_table.open().score(1)
    live_table.table.open({**HEADER, "goal": 1}, Who("host", "tablet"))
    tally(live_table)

    questions = live_table.table.archive.summaries.questions
    assert len(questions.listed(Filter(), 10**6, 9)[0]) == 2
    assert tally(live_table).games == 0


def test_a_changed_name_is_another_person(live_table: LiveTable) -> None:
    """Summaries: after the next update, a removed name is in no summary."""
    live_table.open(goal=1).score(1)
    tally(live_table)
    live_table.ledger._connection.execute("UPDATE name SET text = NULL, digest = NULL WHERE place = 0")
    tally(live_table)

    assert [each.name for each in live_table.table.archive.summaries.questions.people(Filter())] == ["Ben"]


def test_the_ledger_is_believed_and_not_the_summary(live_table: LiveTable) -> None:
    """Summaries: a summary that does not match the ledger is recomputed or deleted."""
    live_table.open(goal=1).score(1)
    tally(live_table)
    with live_table.table.archive.summaries.store.asking() as ask:
        ask.execute("UPDATE game SET mark = x'00', ms = 1")
        ask.execute("INSERT INTO game SELECT 999, mark, kind, 1, began, ended, 5, 2, 1, 0, NULL, 0 FROM game")

    assert tally(live_table).games == 1
    assert live_table.table.archive.summaries.store.marks().keys() == {1}


def test_drop_has_a_game_looked_at_anew(live_table: LiveTable) -> None:
    """Summaries: a dropped summary is recomputed at the next update."""
    live_table.open(goal=1).score(1)
    tally(live_table)
    live_table.table.archive.summaries.drop(1)

    assert live_table.table.archive.summaries.questions.tally(Filter()).games == 0
    assert tally(live_table).games == 1


def test_a_ledger_that_cannot_be_read_changes_nothing(live_table: LiveTable) -> None:
    """Summaries: if the ledger cannot be read, the reason is stored and the summaries are unchanged."""
    live_table.open(goal=1).score(1)
    tally(live_table)
    away = live_table.path.with_name("away.sqlite")
    live_table.path.rename(away)

    assert tally(live_table).games == 1
    assert live_table.table.archive.summaries.fault
    away.rename(live_table.path)


def test_marks_change_with_a_row_and_a_name(live_table: LiveTable) -> None:
    """Ledger: a game's mark changes as soon as a row is added to it; the marks of other games do not change."""
    live_table.open().open()
    before = live_table.ledger.marks()
    live_table.score(1)
    after = Ledger.read_only(live_table.path)

    assert [game for game, mark in after.marks().items() if before[game] != mark] == [live_table.snapshot.game_id]
    after.close()


@pytest.mark.parametrize("comes_back", [False, True])
def test_who_left_early_is_not_rated(live_table: LiveTable, comes_back: bool) -> None:
    """Leaving: a player who left before the end has no win, no loss, no rank and no rating."""
    live_table.open(goal=3, players=THREE).score(1)
    live_table.table.execute(Leave("blue"), HOST)
    if comes_back:
        live_table.table.execute(Return("blue"), HOST)
    live_table.do("skip", player="green").score(3)
    tally(live_table)

    questions = live_table.table.archive.summaries.questions
    (ended,) = questions.results([live_table.running.game_id]).values()
    people = {each.name: each for each in questions.people(Filter())}
    assert [each.left for each in ended] == [False, not comes_back, False]
    assert {name: each.wins.n for name, each in people.items()} == {"Ana": 1, "Ben": int(comes_back), "Cem": 1}
    assert people["Ben"].games == 1
    assert bool(questions.curve(same_person("Ben"))) is comes_back
    assert live_table.table.archive.left(live_table.running.game_id) == (set() if comes_back else {"blue"})


def test_nobody_wins_against_those_who_have_gone(live_table: LiveTable) -> None:
    """Leaving: if only one player stayed until the end, the game is listed, but rated for nobody."""
    live_table.open(goal=3).score(1)
    live_table.table.execute(Leave("blue"), HOST)
    live_table.score(3)
    tally(live_table)

    assert [each.wins.n for each in live_table.table.archive.summaries.questions.people(Filter())] == [0, 0]


def test_nobody_leaves_a_game_that_is_over(live_table: LiveTable) -> None:
    """Leaving a game is refused after its end."""
    live_table.open(goal=1).score(1)

    with pytest.raises(Refused, match="already over"):
        live_table.table.execute(Leave("blue"), HOST)

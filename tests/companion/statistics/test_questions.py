"""Queries over many games, compared with results added up by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.statistics import Filter, Questions, Seated, Summary, SummaryStore, store_of

MINUTE = 60_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SummaryStore]:
    """An empty summary store."""
    store = store_of(tmp_path / "ledger.sqlite")
    yield store
    store.close()


def seat(place: int, colour: str, name: str, rank: int | None, total: int | None, minutes: int = 1) -> Seated:
    """Return a seat whose player took *minutes* in two steps; the first seat had the first turn."""
    won = None if rank is None else rank == 1
    return Seated(place, colour, name, name.casefold(), place + 1, won, rank, total, minutes * MINUTE, 2)


def game(number: int, *seats: Seated, minutes: int = 60, kind: str = "toy", counted: bool = True) -> Summary:
    """Return a game that ended at the minute of its number."""
    ended, margin = number * MINUTE, seats[0].total - seats[1].total if seats[0].total and seats[1].total else None
    return Summary(
        *(number, kind, ended - minutes * MINUTE, ended, counted, seats, minutes * MINUTE, 10, 4),
        margin=None if margin is None else abs(margin),
        steps={"turn": (4, 30 * MINUTE)},
    )


@pytest.fixture
def three(store: SummaryStore) -> Questions:
    """Three games: Ana won two, and Ben won one; the third is of another kind, with Cem. A demo does not count."""
    games = (
        game(1, seat(0, "red", "Ana", 1, 20, 3), seat(1, "blue", "Ben", 2, 12)),
        game(2, seat(0, "blue", "Ben", 1, 31), seat(1, "red", "ana", 2, 30, 5), minutes=90),
        game(3, seat(0, "red", "Ana", 1, 5), seat(1, "blue", "Ben", 2, 4), seat(2, "green", "Cem", 2, 4), kind="dice"),
        game(4, seat(0, "red", "Ana", 1, 99), seat(1, "blue", "Ben", 2, 1), counted=False),
    )
    store.put((each, bytes([each.number])) for each in games)
    while store.rate():
        pass
    return Questions(store)


def test_how_much_there_is(three: Questions) -> None:
    """The tally has the number of games, players and draws, and the total time."""
    tally = three.tally(Filter())

    assert (tally.games, tally.persons, tally.ms, tally.draws) == (3, 3, 210 * MINUTE, 12)
    assert three.kinds() == ("toy", "dice")
    assert three.player_counts() == (2, 3)


def test_what_is_told_of_a_player(three: Questions) -> None:
    """Each player has wins, expected wins by chance, the mean time of a turn, and the newest spelling of the name."""
    ana, ben, cem = three.people(Filter())

    assert (ana.name, ana.games, ana.wins.hits, ana.wins.n) == ("Ana", 3, 2, 3)
    assert ana.chance == pytest.approx(1 / 2 + 1 / 2 + 1 / 3)
    assert ana.turn_ms == (3 + 5 + 1) * MINUTE / 6
    assert (ben.wins.hits, cem.wins.hits, cem.wins.n) == (1, 0, 1)


def test_a_rival_is_met_most_often(three: Questions) -> None:
    """The rival is the person met most often, with the numbers of games ended ahead, behind and level."""
    ana, _, cem = three.people(Filter())

    assert ana.rival is not None and cem.rival is not None
    assert (ana.rival.name, ana.rival.games, ana.rival.ahead, ana.rival.behind) == ("Ben", 3, 2, 1)
    (of_cem,) = [each for each in three.meetings("cem", Filter()) if each.person == "ben"]
    assert (of_cem.games, of_cem.ahead, of_cem.level) == (1, 0, 1)


def test_colours_and_the_order_of_turns(three: Questions) -> None:
    """Each colour and each place in the order of turns has its wins, and the number expected by chance."""
    red = next(each for each in three.colours(Filter()) if each.name == "red")
    began = three.turns(Filter())[0]

    assert (red.wins.hits, red.wins.n) == (2, 3)
    assert (began.name, began.wins.hits, began.wins.n) == ("1", 3, 3)
    assert began.chance == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)


def test_records_of_each_kind(three: Questions) -> None:
    """Records are the highest score, and the longest, shortest and closest game of each kind, without demos."""
    found = {(each.kind, each.word): (each.value, each.names, each.game) for each in three.records(Filter())}

    assert found["toy", "highest"] == (31, ("Ben",), 2)
    assert found["toy", "longest"] == (90 * MINUTE, ("Ben", "ana"), 2)
    assert found["toy", "shortest"][2] == 1
    assert found["toy", "closest"] == (1, ("Ben", "ana"), 2)
    assert found["dice", "highest"] == (5, ("Ana",), 3)


def test_filters_leave_out_what_does_not_fit(three: Questions) -> None:
    """Filter: kind, player, number of players and date can be combined."""
    assert three.tally(Filter(kind="dice")).games == 1
    assert three.tally(Filter(person="cem")).games == 1
    assert three.tally(Filter(players=2)).games == 2
    assert three.tally(Filter(since_ms=2 * MINUTE)).games == 2
    assert three.tally(Filter(kind="toy", person="cem")).games == 0


def test_lengths_and_where_the_time_goes(three: Questions) -> None:
    """Lengths: the shortest, median and longest game; stages: how often each step occurred, and its total time."""
    (toy,) = [each for each in three.lengths(Filter()) if each.kind == "toy"]
    (turns,) = three.stages(Filter(kind="toy"))

    assert (toy.n, toy.least, toy.middle, toy.most) == (2, 60 * MINUTE, 75 * MINUTE, 90 * MINUTE)
    assert (turns.step, turns.games, turns.times, turns.ms) == ("turn", 2, 8, 60 * MINUTE)


def test_a_rating_waits_for_five_games(store: SummaryStore) -> None:
    """Rating: no rating is shown before five rated games."""
    wins = [game(n, seat(0, "red", "Ana", 1, 9), seat(1, "blue", "Ben", 2, 3)) for n in range(1, 6)]
    store.put((each, b"") for each in wins[:4])
    while store.rate():
        pass
    before = Questions(store).people(Filter())[0].rating
    store.put([(wins[4], b"")])
    while store.rate():
        pass
    after = Questions(store).people(Filter())[0].rating

    assert before is None
    assert after is not None and after.nth == 5
    assert after.rating.mu > 25


def test_ratings_do_not_depend_on_when_games_came(tmp_path: Path) -> None:
    """Rating: games are rated in the order in which they ended, whenever they were added."""
    games = [
        game(
            n, seat(0, "red", "Ana", 1 + n % 2, 9), seat(1, "blue", "Ben", 2 - n % 2, 3), seat(2, "green", "Cem", 3, 1)
        )
        for n in range(1, 9)
    ]
    curves = []
    for name, order in (("a", games), ("b", games[::-1]), ("c", games[4:] + games[:4])):
        (tmp_path / name).mkdir()
        store = store_of(tmp_path / name / "ledger.sqlite")
        for each in order:
            store.put([(each, b"")])
            while store.rate():
                pass
        curves.append(Questions(store).curve("ana"))
        store.close()

    assert curves[0] == curves[1] == curves[2]
    assert [each.nth for each in curves[0]] == list(range(1, 9))


def test_what_is_dropped_counts_no_more(three: Questions, store: SummaryStore) -> None:
    """Store: a dropped game is in no result, and later ratings are computed again."""
    store.drop([1])
    while store.rate():
        pass

    assert three.tally(Filter()).games == 2
    assert [each.nth for each in three.curve("ana")] == [1, 2]


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    """Store: a file that is not a summary store is replaced."""
    (tmp_path / "summaries.sqlite").write_bytes(b"nonsense" * 1000)
    store = store_of(tmp_path / "ledger.sqlite")

    assert store.marks() == {}
    store.close()

"""The league of a club: ratings and points from results, and the decisions of its organisers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.club.collector import LEDGER
from companion.club.decisions import DECISIONS, Decided, Decisions
from companion.club.league import persons, raw_results, results, standings
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.ledger import LedgerFault
from companion.ledger.renaming import mark
from companion.statistics.rating import Rating, rated
from tests.club.hall import result
from tests.generations.opened import unpacked

ANA, BEN, CEM = "Ana", "Ben", "Cem"


@pytest.fixture
def decisions(tmp_path: Path) -> Decisions:
    return Decisions(tmp_path)


def test_points_and_ratings() -> None:
    """League: a player gets a point for each player ranked below them, and the same rating as in the statistics."""
    played = [result("1", (ANA, 30), (BEN, 20), (CEM, 10)), result("2", (BEN, 5), (ANA, 5))]

    first, second, third = standings(played)
    after = rated([Rating()] * 3, [1, 2, 3])
    tie = rated([after[1], after[0]], [1, 1])
    assert [(each.person, each.games, each.wins, each.points) for each in (first, second, third)] == [
        *((ANA, 2, 2, 2), (BEN, 2, 1, 1), (CEM, 1, 0, 0)),
    ]
    assert (first.rating, second.rating, third.rating) == (tie[1], tie[0], after[2])


def test_a_correction_changes_places_and_no_table(decisions: Decisions, tmp_path: Path) -> None:
    """Corrected points change a game's ranking; the correction is stored as one row and read again after a restart."""
    played = [result("1", (ANA, 30), (BEN, 20))]
    decisions.correct("1", (20, 30))

    (corrected,) = results(played, Decisions(tmp_path).decided)
    assert [seat.rank for seat in corrected.seats] == [2, 1]
    assert (corrected.corrected, corrected.confirmed) == (True, True)
    assert [seat.total for seat in played[0].seats] == [30, 20]
    assert len((tmp_path / DECISIONS).read_text().splitlines()) == 1


def test_the_newest_decision_about_a_game_holds(decisions: Decisions) -> None:
    """The newest decision counts, so confirming a game cancels its correction and brings a dropped game back."""
    played = [result("1", (ANA, 30), (BEN, 20))]
    decisions.correct("1", (20, 30))
    decisions.drop("1")
    dropped = standings(results(played, decisions.decided))
    decisions.confirm("1")

    assert dropped == ()
    assert [each.person for each in standings(results(played, decisions.decided))] == [ANA, BEN]


def test_two_names_of_one_person(decisions: Decisions) -> None:
    """People: joined names are one person in all games, and joining them in the other direction is refused."""
    played = [result("1", ("Anna", 30), (BEN, 20)), result("2", (ANA, 3), (BEN, 9))]
    decisions.join("anna ", ANA)
    joined = persons(results(played, decisions.decided))
    with pytest.raises(Malformed):
        decisions.join(ANA, "Anna")
    with pytest.raises(Malformed):
        decisions.join("", BEN)

    assert joined == {ANA: 2, BEN: 2}


def test_one_name_of_two_persons(decisions: Decisions) -> None:
    """People: a seat of one game can be assigned to another person of the same name."""
    played = [result("1", (ANA, 30), (BEN, 20)), result("2", (ANA, 3), (BEN, 9))]
    decisions.split("2", 0, "Ana (2)")

    assert persons(results(played, decisions.decided)) == {ANA: 1, "Ana (2)": 1, BEN: 2}


def test_a_damaged_row_is_left_out(decisions: Decisions, tmp_path: Path) -> None:
    """Bad input: a row truncated by a power cut and rows of a newer program are ignored."""
    decisions.correct("1", (1, 2))
    with (tmp_path / DECISIONS).open("a") as file:
        file.write('{"is": "crowned", "person": "Ana"}\n[1]\n{"is": "dropp')

    assert Decisions(tmp_path).decided == decisions.decided


def test_a_decision_after_a_power_cut_is_kept(decisions: Decisions, tmp_path: Path) -> None:
    """After a truncated row, the next decision starts on its own line."""
    decisions.confirm("1")
    with (tmp_path / DECISIONS).open("a") as file:
        file.write('{"is": "dropp')
    later = Decisions(tmp_path)
    later.drop("2")

    assert Decisions(tmp_path).decided == later.decided == Decided(confirmed=frozenset("1"), dropped=frozenset("2"))


def test_a_decision_that_cannot_be_stored_does_not_hold(decisions: Decisions, tmp_path: Path) -> None:
    """Decisions: if the file can't be written, the decision does not count."""
    (tmp_path / DECISIONS).mkdir()
    before = decisions.decided
    with pytest.raises(OSError):
        decisions.confirm("1")

    assert decisions.decided == before


def test_who_left_has_no_place_in_a_corrected_result(decisions: Decisions) -> None:
    """Decisions: a player who left early gets no rank and no total, whatever points are entered."""
    played = result("1", (ANA, 30), (BEN, 20), (CEM, 0))
    seats = (*played.seats[:2], replace(played.seats[2], left=True, rank=None, total=None))
    decisions.correct("1", (-1, 20, 0))

    (corrected,) = results([replace(played, seats=seats)], decisions.decided)
    assert [seat.rank for seat in corrected.seats] == [2, 1, None]
    assert corrected.seats[2].total is None


def test_a_ledger_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """League: for a damaged ledger an error is raised, instead of showing an empty league."""
    (tmp_path / LEDGER).write_bytes(b"no ledger" * 100)

    with pytest.raises(LedgerFault):
        raw_results(tmp_path, GAMES)


def test_the_league_is_that_of_the_ledger(tmp_path: Path) -> None:
    """The league has the finished games of a ledger; without a ledger it has none."""
    folder = unpacked("five-games", tmp_path) / "data"

    played = raw_results(folder, GAMES)
    assert played
    assert all(each.identity and each.seats for each in played)
    assert raw_results(tmp_path, GAMES) == ()


def test_decisions_about_a_removed_name_are_removed(tmp_path: Path) -> None:
    """Decisions about a removed name are deleted from the file; later decisions about that name are kept."""
    decisions = Decisions(tmp_path)
    decisions.agree("Anna", may=True)
    decisions.join("Ann", "Anna")
    decisions.agree("Cem", may=True)
    decisions.forget({mark("Anna"): 5})
    once, text = decisions.decided, (tmp_path / DECISIONS).read_text(encoding="utf-8")
    decisions.agree("Anna", may=True)
    decisions.forget({mark("Anna"): 5})

    assert "Ann" not in text
    assert (once.agreed, once.joined) == ({"cem"}, {})
    assert Decisions(tmp_path).decided == decisions.decided
    assert "anna" in decisions.decided.agreed

"""Fairness: the odds estimated from draws, with their confidence bounds."""

from __future__ import annotations

from math import comb, exp, inf, log
from random import Random

import pytest

from companion.fairness import Evidence, Pull, Tally, bounds, course, discoveries, e_value, still_needed
from companion.fairness.evidence import chance, mean_and_variance
from tests.effort import seeds


def pulls(odds: float, number: int, seed: int) -> list[Pull]:
    """Return *number* draws from planets of four to ten cubes, with the given *odds*."""
    lots, made = Random(seed), []
    for _ in range(number):
        own, of = lots.randint(1, 3), lots.randint(4, 10)
        made.append(Pull(own, of, lots.random() < chance(own, of, log(odds))))
    return made


def test_a_favoured_cube_is_drawn_by_its_weight_among_all():
    """Odds: a cube of weight two among two cubes of weight one is drawn with probability 1/2."""
    assert chance(1, 3, log(2)) == pytest.approx(0.5)


def test_a_draw_that_could_only_go_one_way_says_nothing():
    """A draw from only the player's cubes, or from only other cubes, does not count as evidence."""
    assert Evidence.of([Pull(0, 5, False), Pull(3, 3, True)]) == Evidence()


@pytest.mark.parametrize("pull", [(3, 2, False), (0, 4, True), (-1, 4, False), (0, 0, False)])
def test_a_draw_that_cannot_be_is_refused(pull):
    """Evidence: impossible counts, such as more cubes of the player than there are cubes, raise ValueError."""
    with pytest.raises(ValueError, match="no such draw"):
        Pull(*pull)


def test_the_likeliest_odds_let_as_many_hits_be_expected_as_there_were():
    """Odds: at the best estimate, the expected number of hits equals the observed number."""
    evidence = Evidence.of(pulls(1.6, 500, 1))

    assert evidence.expected(evidence.likeliest()) == pytest.approx(evidence.hits, abs=1e-9)


@pytest.mark.parametrize("seed", seeds(20))
def test_the_likeliest_odds_are_where_the_likelihood_is_highest(seed):
    """Odds: slightly larger or smaller odds than the estimate have a lower likelihood."""
    evidence = Evidence.of(pulls(Random(seed).choice([0.5, 1, 1.5, 3]), 60, seed))
    best = evidence.likeliest()

    assert evidence.log_ratio(best) >= max(evidence.log_ratio(best - 1e-3), evidence.log_ratio(best + 1e-3))


def test_without_a_miss_the_odds_have_no_upper_bound():
    """Odds: if every draw is a hit, there is no upper bound."""
    evidence = Evidence.of([Pull(2, 8, True)] * 4)

    assert evidence.likeliest() == inf
    assert bounds(evidence).most == inf
    assert 0 < bounds(evidence).least < 1


def test_without_a_hit_the_odds_have_no_lower_bound():
    """Odds: if no draw is a hit, the lower bound is 0."""
    evidence = Evidence.of([Pull(4, 8, False)] * 20)

    assert evidence.likeliest() == -inf
    assert bounds(evidence).least == 0
    assert bounds(evidence).most < 1


def test_before_the_first_draw_everything_is_possible():
    """Odds: without a draw, the bounds are 0 and infinity."""
    assert (bounds(Evidence()).least, bounds(Evidence()).most) == (0, inf)
    assert e_value(Evidence()) == pytest.approx(1)


def test_the_bounds_leave_out_even_odds_just_when_the_e_value_says_so():
    """The confidence sequence excludes even odds exactly when the e-value is above 20."""
    for number in range(20, 400, 10):
        evidence = Evidence.of(pulls(1.8, number, 5))
        found = bounds(evidence)
        assert (e_value(evidence) > 20) == (not found.least <= 1 <= found.most)


def test_the_e_value_stays_one_on_average_when_nothing_is_favoured():
    """E-process: with even odds, the mean over all outcomes is exactly 1."""
    cells = [(1, 4), (2, 5), (1, 3), (3, 7), (2, 6), (1, 5)]
    mean = 0.0
    for outcome in range(2 ** len(cells)):
        hits = [bool(outcome >> place & 1) for place in range(len(cells))]
        probability = 1.0
        for (own, of), hit in zip(cells, hits, strict=True):
            probability *= own / of if hit else 1 - own / of
        mean += probability * e_value(Evidence.of(map(Pull, *zip(*cells, strict=True), hits)))

    assert mean == pytest.approx(1, abs=1e-12)


def test_the_course_ends_at_the_e_value_of_all_draws():
    """E-process: the last point of the running curve has the e-value and the bounds of all draws."""
    made = pulls(1.3, 700, 2)
    last = course(Tally(made, most=50).pieces)[-1]

    assert last.draws == 700
    assert exp(last.log_e) == pytest.approx(e_value(Evidence.of(made)), rel=1e-9)
    assert last.within.least == pytest.approx(bounds(Evidence.of(made)).least, rel=1e-3)


def test_the_course_has_a_place_for_every_draw_while_there_are_few():
    """E-process: a curve of ten draws has ten points, and a longer curve has at most the requested number."""
    assert [moment.draws for moment in course(Tally(pulls(1, 10, 3)).pieces)] == list(range(1, 11))
    assert 30 <= len(course(Tally(pulls(1, 1000, 3), most=60).pieces)) <= 60


def test_of_many_questions_few_answers_are_believed():
    """False discoveries: an e-value of 30 is enough for one hypothesis, but not among five."""
    assert discoveries({"red": 30.0}) == {"red"}
    assert discoveries({"red": 30.0} | dict.fromkeys("abcd", 1.0)) == frozenset()
    assert discoveries({"red": 120.0} | dict.fromkeys("abcd", 1.0)) == {"red"}
    assert discoveries({"red": 60.0, "blue": 55.0, "green": 1.0, "black": 1.0, "ana": 1.0}) == {"red", "blue"}


def test_fewer_draws_are_needed_for_longer_odds_and_after_more_draws():
    """Outlook: large odds need fewer draws than small ones, and earlier draws reduce the number still needed."""
    needed = [still_needed(Evidence(), odds) for odds in (1.1, 1.25, 1.5, 2.0)]

    assert needed == sorted(needed, reverse=True)
    assert still_needed(Evidence.of(pulls(1, 300, 4))) < needed[1]
    assert still_needed(Evidence.of(pulls(1, 5000, 4))) == 0


def test_ten_thousand_draws_neither_overflow_nor_lose_their_bounds():
    """Evidence: ten thousand draws with odds of 4 give finite e-values and bounds around 4."""
    evidence = Evidence.of(pulls(4, 10_000, 6))

    assert e_value(evidence) > 1e100
    assert 3.5 < bounds(evidence).least < 4 < bounds(evidence).most < 4.5


def test_several_at_once_are_one_draw_of_as_many():
    """Evidence: hits in a handful follow Fisher's noncentral hypergeometric distribution, even at even odds."""
    mean, variance = mean_and_variance((3, 10, 4), 0.0)

    assert mean == pytest.approx(4 * 3 / 10)
    assert variance == pytest.approx(4 * 0.3 * 0.7 * (10 - 4) / (10 - 1))
    assert mean_and_variance((3, 10, 1), 0.7)[0] == pytest.approx(chance(3, 10, 0.7))
    assert mean_and_variance((1, 2, 1), log(3)) == pytest.approx((0.75, 0.1875))


def test_a_handful_of_all_there_is_says_nothing():
    """A handful of all cubes does not count as evidence."""
    assert Evidence.of([Pull(2, 5, 2, 5)]) == Evidence()


@pytest.mark.parametrize(("own", "of", "hits", "out"), [(2, 5, 0, 4), (2, 5, 3, 3), (2, 5, 1, 6), (2, 5, 1, 0)])
def test_a_handful_that_cannot_be_is_refused(own, of, hits, out):
    """Evidence: a handful with impossible counts raises ValueError."""
    with pytest.raises(ValueError, match="no such draw"):
        Pull(own, of, hits, out)


def test_handfuls_keep_the_e_value_at_one_on_average():
    """E-process: with even odds, the mean e-value over all possible handfuls is 1."""
    ways = [(one, other) for one in range(4) for other in range(3)]
    total = comb(8, 5) * comb(6, 2)
    weighed = [
        (comb(3, one) * comb(5, 5 - one) * comb(2, other) * comb(4, 2 - other), one, other) for one, other in ways
    ]
    pulls_of = {(one, other): [Pull(3, 8, one, 5), Pull(2, 6, other, 2)] for _, one, other in weighed}

    assert sum(
        ways / total * e_value(Evidence.of(pulls_of[one, other])) for ways, one, other in weighed
    ) == pytest.approx(1, abs=1e-12)


def test_handfuls_with_all_hits_have_no_upper_bound():
    """Odds: if handfuls have as many hits as possible, there is no upper bound."""
    evidence = Evidence.of([Pull(2, 8, 2, 3)] * 3)

    assert evidence.likeliest() == inf
    assert bounds(evidence).most == inf
    assert bounds(evidence).least > 0


def test_a_tally_keeps_no_more_after_years():
    """Tally: the number of pieces is limited, and together the pieces contain all draws."""
    made = pulls(1.2, 5000, 9)
    tally = Tally(made, most=20)

    assert len(tally.pieces) <= 20
    assert tally.evidence == Evidence.of(made)


def test_the_twin_of_a_tally_goes_on_by_itself():
    """Tally: adding to a copy does not change the original."""
    tally = Tally(pulls(1.0, 33, 1), most=10)
    twin = tally.copy()
    twin.add(Pull(1, 2, True))

    assert (tally.evidence.draws, twin.evidence.draws) == (33, 34)

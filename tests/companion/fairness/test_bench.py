"""Bench tests of a ring: the record, the odds of each kind of cube, and whether shaking mixes the cubes."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, permutations
from math import exp, log
from random import Random

import pytest

from companion.app.cli.fairness_bench import BenchRing, simulated_lines
from companion.fairness.bench import BadBench, Bench, BenchTest, bench_of
from companion.fairness.bench_record import read_record, read_table, written
from companion.fairness.bench_report import BenchReport, Mixing, OrderChoice, OrderSums, Trace, bench_report, ranked
from companion.fairness.sequential_test import bounds, e_value
from tests.effort import seeds

EIGHT = Bench(("rough",) * 4 + ("smooth",) * 4, ring="ring-7")
FILL = {"fill": [8, 1, 7, 2, 6, 3, 5, 4]}
SHAKES_S = (1.0, 3.0, 6.0)


def held(*lines: dict[str, object], bench: Bench = EIGHT) -> BenchTest:
    """Return a bench test with the given *lines*."""
    return list(accumulate(lines, BenchTest.after, initial=BenchTest(bench)))[-1]


def simulated(odds: float = 1.0, order: float = 0.0, pulls: int = 900, seed: int = 1) -> BenchReport:
    """Return the report on pulls from a simulated ring that favours rough cubes by *odds*."""
    ring = BenchRing({"rough": odds}, order)
    return bench_report(held(*simulated_lines(ring, EIGHT, pulls, 6, SHAKES_S, Random(seed))))


def mixing(report: BenchReport, trace: Trace, least_s: float) -> Mixing:
    """Return the result for *trace* among the pulls that were shaken for at least *least_s*."""
    return next(each for each in report.mixing if each.trace is trace and each.least_s == least_s)


@pytest.mark.parametrize("seed", seeds(5))
def test_a_ring_that_favours_a_kind_is_found_out(seed: int) -> None:
    """Bench: odds of 1.5 for rough cubes are detected within 900 pulls, and the bounds contain 1.5."""
    rough = simulated(odds=1.5, seed=seed).by_kind["rough"]

    assert rough.believed
    assert 1.5 in rough.within
    assert 1.0 not in rough.within


@pytest.mark.parametrize("seed", seeds(5))
def test_of_a_ring_that_favours_nothing_nothing_is_believed(seed: int) -> None:
    """Bench: with even odds and good mixing, nothing is detected."""
    report = simulated(seed=seed)

    assert not any(found.believed for found in (*report.by_kind.values(), *report.mixing))
    assert 1.0 in report.by_kind["rough"].within


@pytest.mark.parametrize("seed", seeds(5))
def test_short_shaking_that_leaves_order_is_found_out(seed: int) -> None:
    """Bench: if short shaking lets the last cube put in come out first, this is detected for short shaking only."""
    report = simulated(order=4.0, seed=seed)

    assert mixing(report, Trace.LAST, 0.0).believed
    assert mixing(report, Trace.LAST, 0.0).place > 0.6
    assert not mixing(report, Trace.LAST, 5.0).believed
    assert not report.by_kind["rough"].believed


def test_neighbours_that_come_one_by_one_are_found_out() -> None:
    """Bench: cubes that come out after their neighbours are detected as a separate kind of trace."""
    lots, test = Random(3), BenchTest(EIGHT)
    for _ in range(60):
        order = lots.sample(EIGHT.numbers, 8)
        begin = lots.randrange(6)
        lines = ({"pull": [each], "shaken_s": 1} for each in order[begin : begin + 3])
        test = list(accumulate(({"fill": order}, *lines), BenchTest.after, initial=test))[-1]

    assert mixing(bench_report(test), Trace.NEIGHBOURS, 0.0).believed


def test_as_much_is_asked_whatever_was_pulled() -> None:
    """Bench: the number of hypotheses does not depend on the pulls, so the correction for many tests is valid."""
    short = bench_report(held(FILL, {"pull": [3], "shaken_s": 1}))
    none = bench_report(BenchTest(EIGHT))

    assert len(short.mixing) == len(none.mixing) == 6
    assert none.by_kind["rough"].odds is None
    assert {each.odds for each in none.mixing} == {None}


def test_the_average_of_the_ratios_stays_one_when_all_is_mixed() -> None:
    """Order: with even odds, the average e-value over all orders of four cubes is 1."""
    places = ranked(range(4))
    found = [e_value(OrderSums.of(_choices(way)), 1.0) for way in permutations(range(4))]

    assert places == (-0.5, pytest.approx(-1 / 6), pytest.approx(1 / 6), 0.5)
    assert sum(found) / len(found) == pytest.approx(1.0, abs=1e-12)


def _choices(way: tuple[int, ...]) -> list[OrderChoice]:
    left, made = sorted(way), []
    for came in way:
        places = ranked(left)
        made.append(OrderChoice(places[left.index(came)], places))
        left.remove(came)
    return made


def test_two_places_are_odds_as_of_two_kinds() -> None:
    """Order: with two cubes, the estimate is the ordinary logarithm of the odds."""
    ends = (-0.5, 0.5)
    seen = OrderSums.of([OrderChoice(0.5, ends)] * 30 + [OrderChoice(-0.5, ends)] * 10)

    assert exp(seen.likeliest()) == pytest.approx(3.0)
    assert seen.log_ratio(log(3)) == pytest.approx(30 * log(0.75) + 10 * log(0.25) - 40 * log(0.5))
    assert 3.0 in bounds(seen, spread=1.0)


def test_equals_share_their_place() -> None:
    """Order: cubes at the same distance have the same rank."""
    assert ranked([1, 3, 3, 5]) == (-0.5, 0.0, 0.0, 0.5)
    assert ranked([7]) == (0.0,)


def test_an_order_that_somebody_chose_only_compares_cubes_that_are_alike() -> None:
    """Bench: in an order that a person chose, only cubes of one kind are compared, so favoured kinds leave no trace."""
    chosen = replace(EIGHT, by_lot=False)
    lots, test, ring = Random(5), BenchTest(chosen), BenchRing({"rough": 8.0})
    for _ in range(200):
        test = test.after({"fill": [*EIGHT.numbers]})
        test = test.after({"pull": [ring.lets_out(chosen, test.left, 1.0, lots)], "shaken_s": 1})

    assert not mixing(bench_report(test), Trace.LAST, 0.0).believed
    assert mixing(bench_report(replace(test, bench=EIGHT)), Trace.LAST, 0.0).believed
    assert bench_report(test).by_kind["rough"].believed


def test_two_at_once_leave_the_ring_and_are_no_evidence() -> None:
    """If two cubes come out at once, that pull is left out, and the next pull is from the remaining cubes."""
    report = bench_report(held(FILL, {"pull": [1, 5], "shaken_s": 3}, {"pull": [2], "shaken_s": 3}))

    assert report.skipped == {"several at once": 1}
    assert (report.by_kind["rough"].draws, report.by_kind["rough"].expected) == (1, 0.5)


def test_a_pull_that_is_struck_out_goes_back_and_is_counted() -> None:
    """Bench: striking out a pull puts the cube back, and the report counts it."""
    test = held(FILL, {"pull": [1], "shaken_s": 3}, {"strike": True})

    assert test.left == tuple(FILL["fill"])
    assert bench_report(test).skipped == {"struck out": 1}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"fill": [1, 2, 3]}, "names each cube from 1 to 8 once"),
        ({"pull": [9], "shaken_s": 1}, "only a cube that is in the ring"),
        ({"pull": [2, 2], "shaken_s": 1}, "only a cube that is in the ring"),
        ({"pull": [], "shaken_s": 1}, "only a cube that is in the ring"),
        ({"pull": [2], "shaken_s": -1}, "from 0 to 3600"),
        ({"pull": [2], "shaken_s": float("nan")}, "from 0 to 3600"),
        ({"strike": True}, "no pull to remove"),
        ({"shake": 3}, "neither a filling nor a pull"),
    ],
)
def test_what_cannot_have_happened_is_refused(line: dict[str, object], why: str) -> None:
    """Bench: a record's line that is impossible after the previous lines is refused."""
    with pytest.raises(BadBench, match=why):
        held(FILL, line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"record": "table-record"}, "not the record of a bench test"),
        ({"version": 2}, "version 2"),
        ({"cubes": ["red"]}, "from 2 to 200 cubes"),
        ({"cubes": [1, 2]}, "names no cubes"),
        ({"classes_s": [5, 2]}, "numbers don't increase"),
        ({"classes_s": ["long"]}, "a list of numbers"),
    ],
)
def test_a_record_must_begin_with_what_was_agreed_on(line: dict[str, object], why: str) -> None:
    """Bench: the first line of a record must name version, cubes and classes of shaking."""
    with pytest.raises(BadBench, match=why):
        bench_of({**EIGHT.line(), **line})


def test_a_record_tells_all_of_a_test_again() -> None:
    """Record: a written record is read back as the same test, and a truncated last line is left out."""
    lines = [FILL, {"pull": [3], "shaken_s": 2.5}, {"pull": [1, 2], "shaken_s": 4}]
    text = "".join(map(written, [EIGHT.line(), *lines]))

    assert read_record(text) == held(*lines)
    assert read_record(text + '{"pull":[4],"sha') == held(*lines)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1 is missing"),
        ("{}\n", "line 1: is not the record"),
        ("no\n", "line 1: is not JSON"),
        ("[]\n", "line 1: is no JSON object"),
        (written(EIGHT.line()) + "\n" + written({"pull": [1], "shaken_s": 1}), "line 3: only a cube"),
    ],
)
def test_a_damaged_record_is_refused_by_its_line(text: str, why: str) -> None:
    """Record: an invalid line is refused with an error that gives its number."""
    with pytest.raises(BadBench, match=why):
        read_record(text)


def test_a_table_from_paper_is_a_test() -> None:
    """Table: the first row of a filling has its order, and a new number starts the next filling."""
    table = "filling,order,cube,shaken_s\n1,8 1 7 2 6 3 5 4,3,2.5\n1,,1 2,4\n2,1 2 3 4 5 6 7 8,5,1\n"
    second = {"fill": [*EIGHT.numbers]}

    assert read_table(table, EIGHT) == held(
        *(FILL, {"pull": [3], "shaken_s": 2.5}, {"pull": [1, 2], "shaken_s": 4}),
        *(second, {"pull": [5], "shaken_s": 1}),
    )


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("filling,order,cube\n", "names no column shaken_s"),
        ("filling,order,cube,shaken_s\n1,1 2 3 4 5 6 7 8,one,2\n", "row 2: has a field that is no number"),
        ("filling,order,cube,shaken_s\n1,1 2 3,1,2\n", "row 2: a filling names each cube"),
        ("filling,order,cube,shaken_s\n1\n", "row 2: "),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused_by_its_row(table: str, why: str) -> None:
    """Table: an invalid row is refused with an error that gives its number and the reason."""
    with pytest.raises(BadBench, match=why):
        read_table(table, EIGHT)

"""PROTOCOL 6: verdicts from the edges of two beams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.device.beam_recogniser import Recogniser
from firmware_bridge.device.clock import PICO_PERIOD, ExtendedClock
from tests.bench.two_cubes import SIZES, measured
from tests.effort import examples

MS = 1_000
LENGTH_MM, GAP_MM = 8.0, 4.0
Edges = list[tuple[str, bool, int]]


def verdicts(path: str, every_us: int = 20 * MS, recogniser: Recogniser | None = None) -> list[str]:
    """Return the verdicts for edges such as `A+ B+ A- B-`, with *every_us* between them."""
    recogniser = recogniser or Recogniser()
    told = [recogniser.edge(edge[0], edge[1] == "+", (n + 1) * every_us) for n, edge in enumerate(path.split())]
    return [passage.kind for passage in told if passage]


def through(recogniser: Recogniser, length_mm: float, gap_mm: float, speed_mm_s: float):
    """Let an object of a length pass at a constant speed; return the last result."""
    at = [0, gap_mm, length_mm, length_mm + gap_mm]
    edges = zip("ABAB", (True, True, False, False), at, strict=True)
    return [recogniser.edge(beam, on, round(mm / speed_mm_s * 1e6)) for beam, on, mm in edges][-1]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("A+ B+ A- B-", ["out"]),
        ("A+ B+ B- A-", ["back"]),
        ("A+ A-", ["poke"]),
        ("A+ A- A+ B+ A- B-", ["poke", "out"]),
        ("A+ B+ B- B+ A- B-", ["out"]),
        ("A+ B+ B- B+ B- A-", ["back"]),
        ("B+ B-", ["glitch"]),
        ("B+ A+ B- A-", ["glitch"]),
        ("A+ B+ A- A+ B- B+ A- B-", ["out", "out"]),
        ("A+ B+ A- A+ A- B-", ["out"]),
        ("A+ B+ A- A+ B- A-", ["out", "poke"]),
        ("A+ B+ A- A+ B- B+ B- A-", ["out", "back"]),
        ("A+ B+ A- A+ B-", ["out"]),
        ("A+ A+ B+ B+ A- A- B- B-", ["out"]),
    ],
)
def test_the_order_of_edges_tells_what_happened(path, expected):
    """Each row of the page's table, and cubes that move back and forth or follow each other, has its verdict."""
    assert verdicts(path) == expected


@pytest.mark.parametrize("speed_mm_s", [5, 80, 600, 2000])
@pytest.mark.parametrize(("edge_mm", "gap_mm"), [(8, 4), (10, 5)])
def test_a_cube_is_one_edge_long_at_any_speed(edge_mm, gap_mm, speed_mm_s):
    """The estimated length of a single cube is 1.00 edges at any speed."""
    passage = through(Recogniser(edge_mm * MS, gap_mm * MS), edge_mm, gap_mm, speed_mm_s)

    assert passage.kind == "out"
    assert passage.length in (99, 100, 101)


def test_two_cubes_that_touch_are_a_pair():
    """Two cubes that touch have a length of two edges, above the limit of 1.65, and are a pair."""
    passage = through(Recogniser(), 16, 4, 80)

    assert (passage.kind, passage.length) == ("pair", 200)


@pytest.mark.parametrize(("length_mm", "kind"), [(13.1, "out"), (13.3, "pair")])
def test_the_limit_between_one_and_two_is_165_hundredths(length_mm, kind):
    """The limit between one cube and two is 1.65 edges."""
    assert through(Recogniser(), length_mm, 4, 80).kind == kind


def test_a_blink_of_a_beam_is_a_glitch():
    """A beam blocked for less than a millisecond is a glitch, since no cube is that fast."""
    assert verdicts("A+ A-", every_us=900) == ["glitch"]


def test_a_blocked_beam_is_stuck_once_and_what_follows_is_told():
    """A beam blocked for 2.5 s is reported as `stuck` once, and the cube may still come out later."""
    recogniser = Recogniser()
    assert verdicts("A+ B+", recogniser=recogniser) == []

    assert recogniser.tick(40 * MS + 2_499_999) is None
    assert recogniser.tick(40 * MS + 2_500_000).kind == "stuck"
    assert recogniser.tick(9_000_000) is None
    assert recogniser.edge("A", False, 9_100_000) is None
    assert recogniser.edge("B", False, 9_200_000).kind == "out"


def test_a_free_gate_is_never_stuck():
    """A free gate gives no verdict."""
    assert Recogniser().tick(10**9) is None


def test_a_dancing_cube_takes_no_memory():
    """A cube that moves back and forth for long needs no more memory: at most 16 edges are stored."""
    recogniser = Recogniser()
    told = verdicts("A+ " + "B+ B- " * 500 + "A-", recogniser=recogniser)

    assert told == ["back"]
    assert len(recogniser._edges) == 0


def test_two_cubes_after_a_dance_are_still_told_apart():
    """A second cube behind one that moved back and forth is counted too."""
    assert verdicts("A+ " + "B+ B- " * 20 + "B+ A- A+ B- B+ A- B-") == ["out", "out"]


def test_the_clock_goes_on_where_the_counter_wraps():
    """A 30-bit counter wraps after 18 minutes, the clock in microseconds doesn't."""
    clock = ExtendedClock()
    readings = [0, 1 << 29, PICO_PERIOD - 1, 5, 1 << 29, 4]

    assert [clock.at(ticks) for ticks in readings] == [
        0,
        1 << 29,
        PICO_PERIOD - 1,
        PICO_PERIOD + 5,
        PICO_PERIOD + (1 << 29),
        2 * PICO_PERIOD + 4,
    ]


def cubes_told(edges: Edges) -> int:
    """Return how many cubes the recogniser counts."""
    recogniser = Recogniser()
    told = [recogniser.edge(*edge) for edge in edges]
    return sum({"out": 1, "pair": 2}.get(passage.kind, 0) for passage in told if passage)


def seen(fronts_mm: list[float], lengths_mm: list[float], speed: float, bounces: st.DataObject, most: int) -> Edges:
    """Return the edges of objects that follow each other at *speed*, each edge bouncing up to *most* times."""
    ways = list(zip(fronts_mm, lengths_mm, strict=True))
    free = [later - front - length for (front, length), later in zip(ways, fronts_mm[1:], strict=False)]
    each_us = max(int(min([*free, GAP_MM]) / speed * 1e6 / (4 * most + 4)), 1)
    edges: Edges = []
    for front, length in ways:
        for beam, on, mm in (
            ("A", True, 0.0),
            ("B", True, GAP_MM),
            ("A", False, length),
            ("B", False, length + GAP_MM),
        ):
            at = round((front + mm) / speed * 1e6)
            times = 2 * bounces.draw(st.integers(0, most)) + 1
            edges += [(beam, on == (n % 2 == 0), at + n * min(each_us, 200)) for n in range(times)]
    return sorted(edges, key=lambda edge: edge[2])


SPEEDS = st.one_of(st.floats(20, 2_000), st.sampled_from([20.0, 80.0, 600.0, 2_000.0]))


@examples(40)
@given(SPEEDS, st.lists(st.floats(0.5, 15), max_size=4), st.data())
def test_cubes_that_follow_each_other_are_each_counted_once(speed, free_mm, data):
    """Cubes half a millimetre apart or more, at up to 2 m/s and with bouncing edges, are each counted once."""
    fronts = [0.0]
    for free in free_mm:
        fronts.append(fronts[-1] + LENGTH_MM + free)

    edges = seen(fronts, [LENGTH_MM] * len(fronts), speed, data, most=3)

    assert cubes_told(edges) == len(fronts)


@examples(40)
@given(SPEEDS, st.booleans(), st.data())
def test_bounces_neither_hide_nor_make_a_second_cube(speed, two, data):
    """With bouncing edges, one cube is counted as one, and two that touch as two."""
    edges = seen([0.0], [2 * LENGTH_MM if two else LENGTH_MM], speed, data, most=3)

    assert cubes_told(edges) == (2 if two else 1)


@examples(40)
@given(st.lists(st.integers(0, 12), min_size=4, max_size=4), st.lists(st.integers(1, 200), min_size=100, max_size=100))
def test_a_cube_that_dances_on_a_beam_is_counted_once(dances, waits):
    """A cube that moves back and forth at any of its four edges is counted once."""
    at, edges, pauses = 0, [], iter(waits)
    for beam, on, times in zip("ABAB", (True, True, False, False), dances, strict=True):
        for n in range(2 * times + 1):
            at += (20 if n == 0 else next(pauses)) * MS
            edges.append((beam, on == (n % 2 == 0), at))

    assert cubes_told(edges) == 1


@examples(40)
@given(st.lists(st.tuples(st.sampled_from("AB"), st.booleans(), st.integers(0, 3_000_000)), max_size=80))
def test_any_edges_at_all_are_survived(edges):
    """Any sequence of edges has a row in the table, and a free gate is idle afterwards."""
    recogniser, at = Recogniser(), 0
    for beam, on, wait in edges:
        at += wait
        recogniser.tick(at)
        recogniser.edge(beam, on, at)
    for beam in "AB":
        recogniser.edge(beam, False, at + 1)

    assert recogniser.tick(at + 10**9) is None


def test_a_second_cube_that_only_looks_out_does_not_hide_the_first():
    """If the next cube comes to beam A and goes back, the first one counts, and the next is a poke."""
    recogniser = Recogniser()

    assert verdicts("A+ B+ A- A+ B- A-", recogniser=recogniser) == ["out", "poke"]
    assert recogniser.filtered["bounce"] == 0


@examples(40)
@given(SPEEDS, st.lists(st.floats(0.5, 3.9), min_size=1, max_size=3), st.data())
def test_a_cube_is_told_with_its_own_last_edge(speed, free_mm, data):
    """A cube is reported with its own last edge B-, however soon the next cube follows."""
    fronts = [0.0]
    for free in free_mm:
        fronts.append(fronts[-1] + LENGTH_MM + free)
    edges = seen(fronts, [LENGTH_MM] * len(fronts), speed, data, most=0)
    recogniser, left, told = Recogniser(), 0, 0

    for beam, on, at in edges:
        passage = recogniser.edge(beam, on, at)
        told += {"out": 1, "pair": 2}.get(passage.kind, 0) if passage else 0
        left += (beam, on) == ("B", False)
        assert told == left


def test_the_next_cube_is_stuck_only_once_it_has_had_its_time():
    """The time until `stuck` counts from the last edge of either beam, even if it was the previous cube's."""
    recogniser = Recogniser()
    verdicts("A+ B+ A- A+ B-", every_us=20 * MS, recogniser=recogniser)

    assert recogniser.tick(100 * MS + 2_499_999) is None
    assert recogniser.tick(100 * MS + 2_500_000).edges == [("A", True, 80 * MS)]


def test_a_blink_of_the_outer_beam_does_not_hide_the_cube_behind_it():
    """If beam B flickers while a cube reaches A, there is a glitch, and then the cube."""
    recogniser = Recogniser()
    edges = [("B", True, 0), ("A", True, 400), ("B", False, 800)]
    path = [("B", True, 50_000), ("A", False, 100_000), ("B", False, 150_000)]

    told = [recogniser.edge(*edge) for edge in edges + path]

    assert [passage.kind for passage in told if passage] == ["glitch", "out"]


def test_what_is_swallowed_is_counted():
    """Suppressed edges are counted: blinks, bounces, edges without a change, and edges beyond the limit."""
    recogniser = Recogniser()
    verdicts("A+ A-", 500, recogniser)
    verdicts("A+ A+ B+ " + "B- B+ " * 10 + "A- B-", recogniser=recogniser)

    assert recogniser.filtered == {"blink": 1, "bounce": 10, "same": 1, "cut": 8}


def test_the_filters_can_be_set():
    """The limits for blink, stuck and pair can be set, and no other limits."""
    recogniser = Recogniser()
    for name, value in (("filter", 30_000), ("stuck", 100), ("pair", 210)):
        recogniser.set(name, value)

    assert verdicts("A+ A-", recogniser=recogniser) == ["glitch"]
    assert through(recogniser, 16, 4, 80).kind == "out"
    recogniser.edge("A", True, 10**6)
    assert recogniser.tick(10**6 + 100 * MS).kind == "stuck"
    with pytest.raises(ValueError, match="limits"):
        recogniser.set("pair", 99)


def test_there_is_no_dead_time_after_a_passage():
    """A cube that comes a microsecond after another is counted."""
    recogniser = Recogniser()

    assert verdicts("A+ B+ A- B-", 1_000, recogniser) == ["out"]
    assert [recogniser.edge(beam, on, 4_001 + at) for beam, on, at in [("A", True, 0), ("B", True, MS)]] == [None] * 2
    assert recogniser.edge("A", False, 6_001) is None
    assert recogniser.edge("B", False, 7_001).kind == "out"


def test_two_cubes_are_told_from_one_whatever_the_hand_does():
    """At 20 to 500 mm/s, with changes of speed up to 30 % within a passage, at most one of 1,000 verdicts is wrong."""
    figures = measured(passages=1_000, seed=3)

    for edge, _ in SIZES:
        assert figures[f"{edge:g} mm, one"]["wrong"] <= 1
        assert figures[f"{edge:g} mm, two"]["wrong"] <= 1

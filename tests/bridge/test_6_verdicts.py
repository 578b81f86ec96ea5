"""PROTOCOL 6: what two beams tell."""

from __future__ import annotations

import pytest

from firmware_bridge.wire.clock import PICO_PERIOD, Extended
from firmware_bridge.wire.passage import Recogniser

MS = 1_000


def verdicts(path: str, every_us: int = 20 * MS, recogniser: Recogniser | None = None) -> list[str]:
    """Return the verdicts on edges such as `A+ B+ A- B-`, one each *every_us*."""
    recogniser = recogniser or Recogniser()
    told = [recogniser.edge(edge[0], edge[1] == "+", (n + 1) * every_us) for n, edge in enumerate(path.split())]
    return [passage.kind for passage in told if passage]


def through(recogniser: Recogniser, length_mm: float, gap_mm: float, speed_mm_s: float):
    """Let something of a length pass at an even speed."""
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
        ("A+ B+ A- A+ B- A-", ["glitch"]),
        ("A+ A+ B+ B+ A- A- B- B-", ["out"]),
    ],
)
def test_the_order_of_edges_tells_what_happened(path, expected):
    """Each row of the page's table, and cubes that dance or follow each other."""
    assert verdicts(path) == expected


@pytest.mark.parametrize("speed_mm_s", [5, 80, 600, 2000])
@pytest.mark.parametrize(("edge_mm", "gap_mm"), [(8, 4), (10, 5)])
def test_a_cube_is_one_edge_long_at_any_speed(edge_mm, gap_mm, speed_mm_s):
    """The length estimate of a single cube is 1.00 edges."""
    passage = through(Recogniser(edge_mm * MS, gap_mm * MS), edge_mm, gap_mm, speed_mm_s)

    assert passage.kind == "out"
    assert passage.length in (99, 100, 101)


def test_two_cubes_that_touch_are_a_pair():
    """Two edges long is above 1.65."""
    passage = through(Recogniser(), 16, 4, 80)

    assert (passage.kind, passage.length) == ("pair", 200)


@pytest.mark.parametrize(("length_mm", "kind"), [(13.1, "out"), (13.3, "pair")])
def test_the_limit_between_one_and_two_is_165_hundredths(length_mm, kind):
    """1.64 edges are one cube, 1.66 are two."""
    assert through(Recogniser(), length_mm, 4, 80).kind == kind


def test_a_blink_of_a_beam_is_a_glitch():
    """No cube blocks a beam for less than a millisecond."""
    assert verdicts("A+ A-", every_us=900) == ["glitch"]


def test_a_blocked_beam_is_stuck_once_and_what_follows_is_told():
    """2.5 s without an edge is `stuck`; the cube may still leave."""
    recogniser = Recogniser()
    assert verdicts("A+ B+", recogniser=recogniser) == []

    assert recogniser.tick(40 * MS + 2_499_999) is None
    assert recogniser.tick(40 * MS + 2_500_000).kind == "stuck"
    assert recogniser.tick(9_000_000) is None
    assert recogniser.edge("A", False, 9_100_000) is None
    assert recogniser.edge("B", False, 9_200_000).kind == "out"


def test_a_free_gate_is_never_stuck():
    """Nothing is blocked, nothing is told."""
    assert Recogniser().tick(10**9) is None


def test_a_dancing_cube_takes_no_memory():
    """At most 16 edges of one passage are kept."""
    recogniser = Recogniser()
    told = verdicts("A+ " + "B+ B- " * 500 + "A-", recogniser=recogniser)

    assert told == ["back"]
    assert len(recogniser._edges) == 0


def test_two_cubes_after_a_dance_are_still_told_apart():
    """A second cube behind one that danced is counted too."""
    assert verdicts("A+ " + "B+ B- " * 20 + "B+ A- A+ B- B+ A- B-") == ["out", "out"]


def test_the_clock_goes_on_where_the_counter_wraps():
    """A 30-bit counter wraps after 18 minutes, microseconds do not."""
    clock = Extended()
    readings = [0, 1 << 29, PICO_PERIOD - 1, 5, 1 << 29, 4]

    assert [clock.at(ticks) for ticks in readings] == [
        0,
        1 << 29,
        PICO_PERIOD - 1,
        PICO_PERIOD + 5,
        PICO_PERIOD + (1 << 29),
        2 * PICO_PERIOD + 4,
    ]

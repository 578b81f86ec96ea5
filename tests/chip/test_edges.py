"""Edges on an emulated chip: counted by the PIO, transferred by DMA, and compared with the truth."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from statistics import median

from firmware_bridge.conformance.result import quantile
from firmware_bridge.simulation.testbench import Change

PASSAGES = 500
SLOWEST, FASTEST = 20, 500  # mm/s
WITHIN_US = 50
EDGES = 4
CUBE = ((0, "A", True), (4, "B", True), (8, "A", False), (12, "B", False))  # millimetres: beams 4 apart, an edge of 8
AHEAD_US = 5_000
TOLD_MS = 30


@dataclass
class Truth:
    """The real edges of the beams."""

    edges: list[Change] = field(default_factory=list)

    def saw(self, change: Change) -> None:
        """Record a change at the gate."""
        if change.pin in "ab":
            self.edges.append(change)


def slid(chip, host, speed: float, lots: Random):
    """Let a cube pass the beams at *speed* mm/s, with a ping at a random time; return its passage and the ping's time.

    The gate stays closed, so the next cube may follow at once.
    """
    after = host.newest
    moments = [(at_mm / speed * 1e6, beam, on) for at_mm, beam, on in CUBE]
    begun = chip.board.caught_up(chip.now())
    chip.board.rig.beams([(beam, on, round(AHEAD_US + at)) for at, beam, on in moments], begun)
    host.listen(lots.uniform(0, (AHEAD_US + moments[-1][0]) / 1e6))
    asked = host.rung.now()
    answered = host.talk.ping().at
    passage = host.passage(after)
    host.talk.ack()
    return passage, (answered - asked) * 1000


def test_edges_are_told_as_they_were_over_500_passages(chip, host, figures):
    """Each of 500 passages at 20 to 500 mm/s is reported within 30 ms of its end, with edges exact to 50 us."""
    truth, lots = Truth(), Random(7)
    chip.board.watched = truth.saw
    offs, late, pings = [], [], []
    for _ in range(PASSAGES):
        truth.edges.clear()
        passage, trip = slid(chip, host, SLOWEST * (FASTEST / SLOWEST) ** lots.random(), lots)
        assert passage.path == "A+ B+ A- B-"
        assert [(each.pin, each.level) for each in truth.edges] == [
            (beam.lower(), on) for beam, on, _ in passage.seen.edges
        ]
        begun = passage.verdict.at_us
        offs += [begun + at - each.at_us for (_, _, at), each in zip(passage.seen.edges, truth.edges, strict=True)]
        late.append((chip.board.us(passage.at) - truth.edges[-1].at_us) / 1000)
        pings.append(trip)
    middle = median(offs)
    worst = max(abs(off - middle) for off in offs)
    figures |= {
        "passages": PASSAGES,
        "edges": len(offs),
        "edge off, worst (us)": worst,
        "passage told after its last edge, p50 (ms)": round(median(late), 1),
        "passage told after its last edge, p95 (ms)": round(quantile(late, 0.95), 1),
        "passage told after its last edge, longest (ms)": round(max(late), 1),
        "ping amid passages, p50 (ms)": round(median(pings), 1),
        "ping amid passages, p95 (ms)": round(quantile(pings, 0.95), 1),
        "ping amid passages, longest (ms)": round(max(pings), 1),
    }

    assert len(offs) == EDGES * PASSAGES
    assert worst <= WITHIN_US
    assert max(late) <= TOLD_MS

"""Edges on an emulated chip: the PIO counts, the DMA carries, and what is told is held against what happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from statistics import median

from firmware_bridge.conformance.result import quantile
from firmware_bridge.simulation.testbench import Change

PASSAGES = 200
SLOWEST, FASTEST = 20, 500  # mm/s
WITHIN_US = 50
EDGES = 4
BOTHERED_S = (0.0, 0.06)  # between two pings while a cube is on its way
TOLD_MS = 100


@dataclass
class Truth:
    """How the beams have really moved."""

    edges: list[Change] = field(default_factory=list)

    def saw(self, change: Change) -> None:
        """Note a change at the gate."""
        if change.pin in "ab":
            self.edges.append(change)


def slid(host, speed: float, lots: Random):
    """Let a cube out, with pings at odd moments; return its passage, and how late each ping was answered (ms)."""
    after, late = host.newest, []
    host.hand({"slide": 1, "colours": ["red"], "speed_mm_s": speed})
    while not any(
        event.word == "gate" and event.fields["open"] == "0" and n > after for n, event in host.events.items()
    ):
        host.listen(lots.uniform(*BOTHERED_S))
        began = host.rung.now()
        late.append((host.talk.ping().at - began) * 1000)
    passage = host.passage(after)
    host.talk.ack()
    return passage, late


def test_edges_are_told_as_they_were_over_200_passages(chip, host, figures):
    """Each edge of 200 passages at 20 to 500 mm/s is told within 50 us of its moment, one offset taken for all."""
    truth, lots = Truth(), Random(7)
    chip.board.watched = truth.saw
    offs, late, pings = [], [], []
    for _ in range(PASSAGES):
        truth.edges.clear()
        passage, trips = slid(host, SLOWEST * (FASTEST / SLOWEST) ** lots.random(), lots)
        assert passage.path == "A+ B+ A- B-"
        assert [(each.pin, each.level) for each in truth.edges] == [
            (beam.lower(), on) for beam, on, _ in passage.seen.edges
        ]
        begun = passage.verdict.at_us
        offs += [begun + at - each.at_us for (_, _, at), each in zip(passage.seen.edges, truth.edges, strict=True)]
        late.append((chip.board.us(passage.at) - truth.edges[-1].at_us) / 1000)
        pings += trips
    middle = median(offs)
    worst = max(abs(off - middle) for off in offs)
    figures |= {
        "passages": PASSAGES,
        "edges": len(offs),
        "edge off, worst (us)": worst,
        "passage told after its last edge, p50 (ms)": round(median(late), 1),
        "passage told after its last edge, longest (ms)": round(max(late), 1),
        "ping amid passages, p50 (ms)": round(median(pings), 1),
        "ping amid passages, p95 (ms)": round(quantile(pings, 0.95), 1),
    }

    assert len(offs) == EDGES * PASSAGES
    assert worst <= WITHIN_US
    assert max(late) <= TOLD_MS

"""What the companion knows of a ring: frozen views in, a few orders out.

The companion owns this seam so that table and pages never meet a device; the
bridge implements it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from companion.kernel.values import dataclass
from companion.ports.calibration import Instrument


class Unrecorded(Exception):
    """The ledger could not keep a ring event: it must not be acknowledged."""


class RingState(StrEnum):
    """How a ring stands with us; only LIVE counts draws."""

    NONE = "none"
    SEARCHING = "searching"
    LIVE = "live"
    SILENT = "silent"
    REFUSED = "refused"


class RingEventKind(StrEnum):
    """What a ring event tells; `OUT` and `PAIR` are the ones that may become draws."""

    OUT = "out"
    PAIR = "pair"
    BACK = "back"
    POKE = "poke"
    STUCK = "stuck"
    GLITCH = "glitch"
    GATE = "gate"
    LIFT = "lift"
    FAULT = "fault"
    BOOT = "boot"
    LOOK = "look"


@dataclass(frozen=True)
class Judgement:
    """What colour a passage was taken for.

    *colour* is None when the judge is not sure, and *why* says so in a word:
    `ambiguous` (two colours fit), `unknown` (none does), `unread` (nothing
    could be seen), `uncalibrated`. *ranking* holds (colour, probability),
    likeliest first, as if it were one of these; *unknown* is the probability
    that it is none.
    *calibration* names what it was judged by, empty for none.
    """

    colour: str | None
    ranking: tuple[tuple[str, float], ...] = ()
    why: str = ""
    unknown: float = 0.0
    calibration: str = ""


@dataclass(frozen=True)
class RingEvent:
    """One event of a ring, raw and judged, to be committed before it is acknowledged.

    *boot* and *seq* name it for good; *at_us* is the device's clock in
    microseconds since its start; *token* echoes the arming it happened under
    (0: none); *raw* holds the lines as they came; *detail* what the kind
    needs (a fault's name, a gate's position).
    """

    device: str
    boot: str
    seq: int
    at_us: int
    kind: RingEventKind
    token: int = 0
    raw: tuple[str, ...] = ()
    judgement: Judgement | None = None
    detail: Mapping[str, object] = field(default_factory=dict)

    @property
    def source(self) -> tuple[str, str, int]:
        """What names it for good: device, boot, number."""
        return (self.device, self.boot, self.seq)


@dataclass(frozen=True)
class RingView:
    """What a page may show of a ring: state, health and counters.

    Times are the host's monotonic seconds. *lost* counts the events that the
    device had no room for since its start. *trouble* is a sentence for the
    table, empty while all is well. *news* grows whenever the ring's
    instrument has something new to show. *obeys*: a simulated ring lets out
    the colour that it is told.
    """

    state: RingState = RingState.NONE
    port: str = ""
    device: str = ""
    firmware: str = ""
    protocol: int = 0
    simulated: bool = False
    obeys: bool = False
    armed: int = 0
    gate_open: bool | None = None
    lifted: bool | None = None
    last_passage_at: float | None = None
    round_trip_ms: float | None = None
    lines_in: int = 0
    damaged: int = 0
    repeated: int = 0
    lost: int = 0
    reconnects: int = 0
    trouble: str = ""
    news: int = 0


@dataclass(frozen=True)
class Order:
    """What the ring is armed for.

    *token* names the arming; *under* counts the stations below the ring by
    colour: it bounds what a judge expects and tells a simulated ring what it
    holds.
    """

    token: int
    under: Mapping[str, int]


class RingListener(Protocol):
    """Who hears a ring: called from the ring's own thread."""

    def heard(self, *events: RingEvent) -> None:
        """Commit *events*, in order, and what they make; return so that all are acknowledged, or raise `Unrecorded`.

        What arrives together is handed over together: one commit for a slide
        (gate, passage, gate) instead of three.
        """

    def ring_changed(self, view: RingView) -> None:
        """Take note that the ring looks different; nothing needs to be kept."""


class RingPort(Protocol):
    """A ring that can be looked at and told a few things; safe to call from any thread."""

    @property
    def view(self) -> RingView:
        """How the ring stands now."""

    @property
    def instrument(self) -> Instrument | None:
        """What it measures with, None where nothing measures."""

    def arm(self, order: Order) -> None:
        """Have passages from now on carry *order*'s token; survives reconnects until disarmed."""

    def disarm(self) -> None:
        """Have passages carry no token."""

    def slide(self, colour: str = "") -> None:
        """Ask a simulated ring to let one station out; other rings ignore it."""

    def close(self) -> None:
        """Stop reading at once and let the ring go."""


class NoRing:
    """No ring at all: a table plays on with draws typed in."""

    view = RingView(state=RingState.NONE)
    instrument = None

    def arm(self, order: Order) -> None:
        """Nothing to arm."""

    def disarm(self) -> None:
        """Nothing to disarm."""

    def slide(self, colour: str = "") -> None:
        """Nothing to slide."""

    def close(self) -> None:
        """Nothing to close."""

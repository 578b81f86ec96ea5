"""The interface to a ring: frozen views come in, a few orders go out.

The companion defines this interface, so that table and pages depend on no device; the bridge implements it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from companion.kernel.values import dataclass
from companion.ports.calibration import Instrument


class Unrecorded(Exception):
    """The ledger could not save a ring event, so it must not be acknowledged."""


class RingState(StrEnum):
    """The state of the connection to a ring; draws are counted only in LIVE."""

    NONE = "none"
    SEARCHING = "searching"
    LIVE = "live"
    SILENT = "silent"
    REFUSED = "refused"


class RingEventKind(StrEnum):
    """The kind of a ring event. Only `OUT` and `PAIR` may become draws."""

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
    """The colour recognised in a passage.

    *colour* has no value if the judge is not sure. Then *why* is the reason: `ambiguous` (two colours fit), `unknown`
    (no colour fits), `unread` (nothing could be seen) or `uncalibrated`. *ranking* holds (colour, probability),
    likeliest first, assuming that it is one of these colours. *unknown* is the probability that it is another colour.
    *calibration* identifies the calibration used; it is empty without one.
    """

    colour: str | None
    ranking: tuple[tuple[str, float], ...] = ()
    why: str = ""
    unknown: float = 0.0
    calibration: str = ""


@dataclass(frozen=True)
class RingEvent:
    """One event of a ring, raw and judged. It must be committed before it is acknowledged.

    *boot* and *seq* identify it permanently. *at_us* is the device's clock in microseconds since its start. *token*
    identifies the arming that was active (0: none). *raw* holds the lines as received. *detail* depends on the kind (a
    fault's name, a gate's position).
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
        """Its permanent identification: device, boot, number."""
        return (self.device, self.boot, self.seq)


@dataclass(frozen=True)
class RingView:
    """What a page may show about a ring: state, health and counters.

    Times are the host's monotonic seconds. *lost* counts the events that the device had no room for since its start.
    *trouble* is a sentence for the table, empty while all is well. *news* increases whenever the ring's instrument has
    something new to show. *obeys* is true for a simulated ring that releases the requested colour.
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

    *token* identifies the arming. *under* counts the stations under the ring by colour: it limits the colours that the
    judge expects, and fills a simulated ring.
    """

    token: int
    under: Mapping[str, int]


class RingListener(Protocol):
    """Receives the events of a ring, in the ring's own thread."""

    def heard(self, *events: RingEvent) -> None:
        """Commit *events* in order, with what they cause. Returning acknowledges all of them; else raise `Unrecorded`.

        Events that arrive together are passed together, so that a slide (gate, passage, gate) takes one commit and not
        three.
        """

    def ring_changed(self, view: RingView) -> None:
        """Note that the state of the ring has changed. Nothing needs to be saved."""


class RingPort(Protocol):
    """A ring that can be observed and given a few orders; thread-safe."""

    @property
    def view(self) -> RingView:
        """The present state of the ring."""

    @property
    def instrument(self) -> Instrument | None:
        """The ring's measuring side, or None if it measures nothing."""

    def arm(self, order: Order) -> None:
        """Give later passages the token of *order*, also after reconnects, until `disarm`."""

    def disarm(self) -> None:
        """Give later passages no token."""

    def slide(self, colour: str = "") -> None:
        """Make a simulated ring release one station; other rings ignore this."""

    def close(self) -> None:
        """Stop reading at once and close the ring."""


class NoRing:
    """The absence of a ring: draws are typed in."""

    view = RingView(state=RingState.NONE)
    instrument = None

    def arm(self, order: Order) -> None:
        """Do nothing."""

    def disarm(self) -> None:
        """Do nothing."""

    def slide(self, colour: str = "") -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

"""The interface to a ring: it publishes frozen views of its state and accepts a few orders.

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

    *colour* is None if the colour is uncertain. Then *why* is the reason: `ambiguous` (two colours fit), `unknown` (no
    colour fits), `unread` (nothing could be seen) or `uncalibrated`. *ranking* holds pairs (colour, probability),
    likeliest first, under the assumption that the cube has one of these colours. *unknown* is the probability that it
    has another colour. *calibration* identifies the calibration used; it is empty without one.
    """

    colour: str | None
    ranking: tuple[tuple[str, float], ...] = ()
    why: str = ""
    unknown: float = 0.0
    calibration: str = ""


@dataclass(frozen=True)
class RingEvent:
    """One event of a ring, as raw lines and with the recognised colour. It must be committed before it is acknowledged.

    *boot* (the start of the device) and *seq* (a number) identify the event permanently. *at_us* is the device's clock
    in microseconds since its start. *token* identifies the active arming (0 means none). *raw* holds the lines as
    received. *detail* depends on the kind (a fault's name, a gate's position).
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
        """The permanent identification of the event: device, boot, number."""
        return (self.device, self.boot, self.seq)


@dataclass(frozen=True)
class RingView:
    """The state, health and counters of a ring, for pages.

    Times are monotonic seconds of the host. *lost* counts the events that the device has dropped since its start
    because its buffer was full. *trouble* is a sentence for the table; it is empty while all is well. *news* increases
    whenever the view of the ring's instrument changes. *obeys* is true for a simulated ring that releases the requested
    colour.
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

    @property
    def mark(self) -> str:
        """All that pages show of the ring, as one text. A page with another mark than the present one is out of date.

        Counters and the round-trip time are left out, since they change with every line of the ring; so is *news*,
        which only some pages show.
        """
        shown = (self.simulated, self.armed, self.gate_open, self.lifted, self.last_passage_at, self.trouble)
        return " ".join([self.state.value, *map(str, shown)])


@dataclass(frozen=True)
class Order:
    """The values that a ring is armed with.

    *token* identifies the arming. *under* counts the stations under the ring by colour. Only these colours are expected
    when a passage is judged, and a simulated ring is filled with these stations.
    """

    token: int
    under: Mapping[str, int]


class RingListener(Protocol):
    """Receives the events of a ring, in the ring's own thread."""

    def heard(self, *events: RingEvent) -> None:
        """Commit *events* in order, together with their effects on the game.

        If this returns, all of them are acknowledged. If they cannot be saved, raise `Unrecorded`.

        Events that arrive together are passed together, so that a slide (gate, passage, gate) needs one commit instead
        of three.
        """

    def ring_changed(self, view: RingView) -> None:
        """Called when the state of the ring has changed. Nothing needs to be saved."""


class RingPort(Protocol):
    """A ring: its state can be read and subscribed to, and it accepts a few orders. It is thread-safe."""

    @property
    def view(self) -> RingView:
        """The present state of the ring."""

    @property
    def instrument(self) -> Instrument | None:
        """The ring's measuring side, or None if it measures nothing."""

    def arm(self, order: Order) -> None:
        """Give later passages the token of *order*, until `disarm`. A reconnect does not end this."""

    def disarm(self) -> None:
        """Give later passages no token."""

    def slide(self, colour: str = "") -> None:
        """Make a simulated ring release one station; other rings ignore this."""

    def close(self) -> None:
        """Stop reading at once and close the ring."""


class NoRing:
    """The port used when there is no ring: all draws are typed in."""

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

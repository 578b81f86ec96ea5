"""What a device is to be armed for, and how it is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.kernel.shown import shows
from companion.ports.ring import Order, RingEvent
from firmware_bridge.client.colour_aliases import ColourAliases, under_lines
from firmware_bridge.protocol.command_queue import QueuedCommand
from firmware_bridge.protocol.connection import Connection, Standpoint
from firmware_bridge.protocol.messages import Event

ARMING = frozenset({"under", "arm", "disarm"})


@shows("_wanted")
class ArmSync:
    """Holds what is wanted of the device over all its sessions; not thread-safe: whoever holds the *link* uses it."""

    def __init__(self, link: Connection, known: Collection[str]) -> None:
        self._link = link
        self._wanted: Order | None = None
        self._stand_ins = ColourAliases(known)

    @property
    def token(self) -> int:
        """The token that passages should carry, 0 for none."""
        return self._wanted.token if self._wanted else 0

    def want(self, order: Order | None) -> None:
        """Have the device armed for *order*; the same token again is no news to it."""
        known = self.token == (order.token if order else 0) and (order is None) == (self._wanted is None)
        self._wanted = order
        if order:
            self._stand_ins.meet(order.under)
        if not known:
            self.send()

    def send(self) -> None:
        """Tell the device; nothing to send while nobody is there, as a greeting arms anew."""
        if self._link.standpoint is not Standpoint.LIVE:
            return
        order = self._wanted
        if order is None:
            self._link.order(QueuedCommand("disarm"), instead_of=ARMING)
            return
        self._stand_ins.meet(order.under)
        lines = under_lines(self._stand_ins.worn(order.under)) if self.simulated else ()
        self._link.order(*lines, QueuedCommand("arm", (("tok", order.token),)), instead_of=ARMING)

    def deal(self, colours: Sequence[str]) -> None:
        """Have a simulated ring's cubes stand for *colours* always in the same way."""
        self._stand_ins.deal(colours)

    def under(self, event: Event) -> Mapping[str, int]:
        """Return what lies below the ring, as far as *event* happened under the token that is wanted."""
        wanted = self._wanted
        return wanted.under if wanted and event.fields.get("tok") == str(wanted.token) else {}

    def unmasked(self, event: RingEvent) -> RingEvent:
        """Return *event* in the table's own colours."""
        return self._stand_ins.unmasked(event) if self.simulated else event

    @property
    def simulated(self) -> bool:
        """True while the device says that it is."""
        return self._link.hello is not None and self._link.hello.simulated

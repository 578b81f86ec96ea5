"""Arms the device for the current order, and maps the table's colours to those of a simulated ring."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from companion.kernel.shown import shows
from companion.ports.ring import Order, RingEvent
from firmware_bridge.protocol.connection import Connection, Standpoint
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand

ARMING = frozenset({"under", "arm", "disarm"})
# Aliases are taken in this order: the colours that games use least come first.
LENDERS = ("wood", "purple", "orange", "white", "black", "green", "yellow", "blue", "red")
UNDER_LINE = 60


@shows("_wanted")
class ArmSync:
    """Sends the current order to the device in every session. Not thread-safe: hold the link's lock."""

    def __init__(self, link: Connection, known: Collection[str]) -> None:
        self._link = link
        self._wanted: Order | None = None
        self._aliases = ColourAliases(known)

    @property
    def token(self) -> int:
        """The token that passages should carry, or 0 if there is none."""
        return self._wanted.token if self._wanted else 0

    def want(self, order: Order | None) -> None:
        """Arm the device for *order*, or disarm it (None). Sends nothing if the token is unchanged."""
        known = self.token == (order.token if order else 0) and (order is None) == (self._wanted is None)
        self._wanted = order
        if order:
            self._aliases.meet(order.under)
        if not known:
            self.send()

    def send(self) -> None:
        """Send the current order. Does nothing without a session; it is called again after the next greeting."""
        if self._link.standpoint is not Standpoint.LIVE:
            return
        order = self._wanted
        if order is None:
            self._link.order(QueuedCommand("disarm"), instead_of=ARMING)
            return
        self._aliases.meet(order.under)
        lines = under_lines(self._aliases.worn(order.under)) if self.simulated else ()
        self._link.order(*lines, QueuedCommand("arm", (("tok", order.token),)), instead_of=ARMING)

    def deal(self, colours: Sequence[str]) -> None:
        """Map *colours* to the colours of a simulated ring's cubes. Equal arguments always give the same mapping."""
        self._aliases.deal(colours)

    def under(self, event: Event) -> Mapping[str, int]:
        """Return the stations below the ring if *event* carries the current token, otherwise an empty mapping."""
        wanted = self._wanted
        return wanted.under if wanted and event.fields.get("tok") == str(wanted.token) else {}

    def unmasked(self, event: RingEvent) -> RingEvent:
        """Return *event* with the table's own colours."""
        return self._aliases.unmasked(event) if self.simulated else event

    @property
    def simulated(self) -> bool:
        """True if the device reports that it is simulated."""
        return self._link.hello is not None and self._link.hello.simulated


@shows("_worn")
class ColourAliases:
    """Maps each colour of the table to one of the *known* colours of a simulated ring.

    This lets a table with any colours play with a simulated ring. It is never used for a real ring, because an invented
    colour would look like a recognised one.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._known = known
        self._worn: dict[str, str] = {}

    def meet(self, under: Mapping[str, int]) -> None:
        """Map every new colour in *under*: to itself if the ring knows that colour and it is free, otherwise to a free
        colour.
        """
        new = [colour for colour in sorted(under) if colour not in self._worn]
        for colour in sorted(new, key=lambda colour: colour not in self._known):
            free = [lender for lender in LENDERS if lender in self._known and lender not in self._worn.values()]
            if colour in self._known and colour not in self._worn.values():
                self._worn[colour] = colour
            elif free:
                self._worn[colour] = free[0]

    def deal(self, colours: Collection[str]) -> None:
        """Map *colours* as if nothing else were mapped. Other colours lose their aliases if *colours* need them.

        A calibration must find the same cubes when it is used as it did when it was made.
        """
        dealt = ColourAliases(self._known)
        dealt.meet(dict.fromkeys(colours, 1))
        if any(self._worn.get(colour) != worn for colour, worn in dealt._worn.items()):
            self._worn = dealt._worn

    def worn(self, under: Mapping[str, int]) -> dict[str, int]:
        """Return *under* with each colour replaced by its alias, which the ring knows."""
        return {self._worn[colour]: count for colour, count in under.items() if count > 0 and colour in self._worn}

    def unmasked(self, event: RingEvent) -> RingEvent:
        """Return *event* with the ring's colours in its judgement replaced by the table's own.

        A judgement by a calibration already has the table's colours.
        """
        if event.judgement is None or event.judgement.calibration or [*self._worn] == [*self._worn.values()]:
            return event
        names = {worn: colour for colour, worn in self._worn.items()}
        colour = event.judgement.colour
        ranking = tuple((names.get(worn, worn), share) for worn, share in event.judgement.ranking)
        named = names.get(colour, colour) if colour else None
        return replace(event, judgement=replace(event.judgement, colour=named, ranking=ranking))


def under_lines(under: Mapping[str, int]) -> list[QueuedCommand]:
    """Return the orders that announce the stations *under* a simulated ring to it. Each order fits in one line.

    The orders are numbered from 0. Number 0 discards the stations that an earlier, unfinished arming has announced.

    >>> [dict(order.pairs)["u"] for order in under_lines({"red": 2, "blue": 1})]
    ['blue:1,red:2']
    """
    texts = [""]
    for colour, count in sorted(under.items()):
        part = f"{colour}:{count}"
        if texts[-1] and len(texts[-1]) + len(part) >= UNDER_LINE:
            texts.append("")
        texts[-1] += ("," if texts[-1] else "") + part
    return [QueuedCommand("under", (("n", number), ("u", text))) for number, text in enumerate(texts) if text]

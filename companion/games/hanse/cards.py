"""The thirty cards of each player: their names, numbers and effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from companion.games.hanse.places import PLANETS, Planet
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.model.parser import Each, OneOf, OrNull, Whole

TECHNOLOGIES: Mapping[str, int] = {
    "container": 2,
    "replenishment": 2,
    "fusion_drive": 2,
    "hyperjump_inward": 1,
    "hyperjump_outward": 1,
    "space_station": 2,
}
INTERVENTIONS: Mapping[str, int] = {
    "passenger": 6,
    "agent": 2,
    "afterburner": 2,
    "sun_tunnel": 2,
    "inner_loading": 1,
    "outer_loading": 1,
    "on_board_transmitter": 2,
    "transmitter_gate": 2,
    "hyperstorm": 1,
}
CARDS: Mapping[str, int] = {**TECHNOLOGIES, **INTERVENTIONS}
"""The number of copies of each card that a player has. The Start card is not counted, since it is always face up."""
WITHIN = {"inner_loading": PLANETS[:2], "outer_loading": PLANETS[-2:]}
"""The two planets that Inner Loading and Outer Loading may load from."""
DIRECTIONS = {"inward": "hyperjump_inward", "outward": "hyperjump_outward"}
"""The technology that each hyperjump needs."""
GRANTS = {"agent": "action", "afterburner": "flight", "sun_tunnel": "tunnel"}
"""The part of the turn's budget that each of these interventions increases by one."""
EXCHANGING = "on_board_transmitter"
DECK = sum(CARDS.values())
HAND_LIMIT = 5

LABELS: Mapping[str, Said] = {
    "container": said("Container"),
    "replenishment": said("Replenishment"),
    "fusion_drive": said("Fusion Drive"),
    "hyperjump_inward": said("Hyperjump Inward"),
    "hyperjump_outward": said("Hyperjump Outward"),
    "space_station": said("Space Station"),
    "passenger": said("Passenger"),
    "agent": said("Agent Infiltration"),
    "afterburner": said("Afterburner"),
    "sun_tunnel": said("Sun Tunnel"),
    "inner_loading": said("Inner Loading"),
    "outer_loading": said("Outer Loading"),
    "on_board_transmitter": said("On-Board Transmitter"),
    "transmitter_gate": said("Transmitter Gate"),
    "hyperstorm": said("Hyperstorm"),
}
EFFECTS: Mapping[str, Said] = {
    "passenger": said("+3, on a planet"),
    "agent": said("one planet action more"),
    "afterburner": said("one flight more"),
    "sun_tunnel": said("through the sun for 1"),
    "inner_loading": said("load from the inner two"),
    "outer_loading": said("load from the outer two"),
    "on_board_transmitter": said("exchange two loads"),
    "transmitter_gate": said("exchange the ships"),
    "hyperstorm": said("new hand, turn ends"),
}
"""The effect of each intervention, in very few words."""


Container = Annotated[int, Whole(0, TECHNOLOGIES["container"])]
"""The number of a container. Number 0 is the container on the Start card."""
Technology = Annotated[str, OneOf(*TECHNOLOGIES)]
Intervention = Annotated[str, OneOf(*INTERVENTIONS)]
HandSize = Annotated[int, Whole(0, HAND_LIMIT)]
Discards = Annotated[tuple[str | None, ...], Each(OrNull(*CARDS))]
"""Discarded cards; None is a card that wasn't named."""


@dataclass(frozen=True)
class Loading:
    """The choices for Inner or Outer Loading, which load all goods at *planet* with destination *to*."""

    planet: Planet
    to: Planet


@dataclass(frozen=True)
class Exchange:
    """The numbers of the two containers whose contents an On-Board Transmitter exchanges."""

    mine: Container
    theirs: Container


Choices = Loading | Exchange | None


def tallied(cards: Iterable[str | None]) -> dict[str, int]:
    """Count the cards by name. Cards without a name (None) are ignored.

    >>> tallied(["agent", None, "agent"])
    {'agent': 2}
    """
    count: dict[str, int] = {}
    for card in cards:
        if card is not None:
            count[card] = count.get(card, 0) + 1
    return count

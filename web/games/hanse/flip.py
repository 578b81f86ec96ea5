"""The page on which unloaded goods are turned over.

Players enter the other sides, and then the pair that leaves the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.goods import CardSide, Goods, pairs
from companion.games.hanse.places import LABELS
from companion.games.hanse.state import Flipping, State, turn_of
from companion.model.parser import object_of
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.players import faces
from web.games.hanse.components.layout import earned
from web.games.hanse.components.space import space
from web.games.hanse.setup import GoodsTap, goods_rows, sides_in, written
from web.http.i18n import _
from web.request.game_pages import Look, Scene


@dataclass(frozen=True)
class Turned:
    """One of the unloaded cards: its visible side, and its other side once that is known."""

    was: Goods
    now: CardSide | None
    known: bool
    asked: bool


@dataclass(frozen=True)
class Leaving:
    """One pair that may leave the game."""

    line: Mapping[str, Any]
    sides: tuple[CardSide, ...]
    label: str


def flip_scene(look: Look) -> Scene:
    """Return the page that asks for the other sides, and then for the pair if there is a choice."""
    state: State = look.state
    assert state.flipping is not None, "goods wait to be turned over"
    flipping, player = state.flipping, turn_of(state).player
    face = faces(state.setting.seats)[player]
    typed = sides_in(look.query.get("cards", ""), flipping.planet)
    now = _turned(flipping, typed)
    sides = tuple(one.now for one in now if one.now is not None)
    whole = len(sides) == len(now)
    more = {
        "still": bool(typed),
        "face": face,
        "label": LABELS[flipping.planet],
        "planet": flipping.planet,
        "earned": earned(state),
        "turned": now,
        "asks": _asks(whole, sides, len(now)),
        "rows": () if whole else goods_rows(flipping.planet, lambda side: _tap(flipping, player, side, typed)),
        "leaving": _leaving(player, sides) if whole else (),
        "done": _line(player, sides) if whole and len(pairs(sides)) < 2 else None,
        "back": to(cards=written(typed[:-1])) if typed else "",
        "space": space(look.snapshot),
    }
    heading = PlayBar(face.name, face=face)
    return Scene("hanse/flip.html", more, heading)


def _asks(whole: bool, sides: tuple[CardSide, ...], cards: int) -> str:
    if not whole and cards == 1:
        return _("Turn the card over. What does it show?")
    if not whole:
        return _("Turn card %(num)s over. What does it show?", num=len(sides) + 1)
    return _("Two pairs: which leaves the game?") if len(pairs(sides)) > 1 else _("All cards are known.")


def _turned(flipping: Flipping, typed: tuple[CardSide, ...]) -> tuple[Turned, ...]:
    """Return the cards in order. Cards with an unknown back get the typed sides, one after another."""
    rest, asked, found = list(typed), False, []
    for card in flipping.cards:
        side = card.back or (rest.pop(0) if rest else None)
        found.append(Turned(card, side, card.back is not None, side is None and not asked))
        asked = asked or side is None
    return tuple(found)


def _tap(flipping: Flipping, player: str, side: CardSide, typed: tuple[CardSide, ...]) -> GoodsTap:
    """Return the tap for one side. The tap for the last card sends the line, unless a pair must still be chosen."""
    now = _turned(flipping, (*typed, side))
    sides = tuple(one.now for one in now if one.now is not None)
    if len(sides) == len(now) and len(pairs(sides)) < 2:
        return GoodsTap(side, line=_line(player, sides))
    return GoodsTap(side, to(cards=written((*typed, side))))


def _line(player: str, sides: tuple[CardSide, ...]) -> dict[str, Any]:
    return {"do": "flip", "player": player, "cards": [object_of(side) for side in sides]}


def _leaving(player: str, sides: tuple[CardSide, ...]) -> tuple[Leaving, ...]:
    found = pairs(sides)
    return tuple(
        Leaving(
            {**_line(player, sides), "leave": list(pair)},
            tuple(sides[at] for at in pair),
            LABELS[sides[pair[0]].to],
        )
        for pair in (found if len(found) > 1 else ())
    )

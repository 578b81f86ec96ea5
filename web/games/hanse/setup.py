"""The pages before the first turn: a new game, the goods (five cards per planet), who moves first and from where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.goods import AT_A_PLANET, VALUES, CardSide
from companion.games.hanse.places import LABELS, PLANETS
from companion.games.hanse.setup import FIELDS
from companion.games.hanse.state import Phase, State, other, waited_for
from companion.kernel.said import said
from companion.model.parser import object_of
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.new_game import NewGame
from web.components.players import faces
from web.games.hanse.components.layout import may_play
from web.games.hanse.components.space import space
from web.games.hanse.components.words import TITLE
from web.http.i18n import _, ngettext
from web.request.game_pages import Look, Scene

NEW_GAME = NewGame(
    FIELDS,
    ("red", "blue", "green", "yellow", "black"),
    usual=2,
    usual_first=2,
    aside=TITLE,
    heading=said("Who plays?"),
    order=said("the younger chooses first"),
    begins=said("younger"),
    layout="hx new",
    styles=("hanse/hanse.css",),
)


@dataclass(frozen=True)
class GoodsTap:
    """One side of a card to tap: the *address* that adds it, or the *line* if it completes the five cards."""

    side: CardSide
    address: str = ""
    line: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class GoodsRow:
    """A destination with its two values.

    The planet itself can't be tapped, since no card there may show that planet.
    """

    id: str
    label: str
    taps: tuple[GoodsTap, ...]


def goods_rows(planet: str, tap: Callable[[CardSide], GoodsTap]) -> tuple[GoodsRow, ...]:
    """Return a row for each destination of a card at *planet*. *tap* returns the tap for one side."""
    return tuple(
        GoodsRow(to, LABELS[to], tuple(tap(CardSide(to, value)) for value in VALUES if to != planet)) for to in PLANETS
    )


@dataclass(frozen=True)
class PlanetStop:
    """One of the six planets, and how many of its cards are set out."""

    id: str
    label: str
    cards: int
    address: str
    here: bool


def sides_in(text: str, planet: str) -> tuple[CardSide, ...]:
    """Parse card sides in a URL, such as `p22,p13`. Invalid words and sides that show *planet* are ignored.

    >>> sides_in("p22,p13", "p1")
    (CardSide(to='p2', value=2),)
    """
    found = [
        CardSide(each[:2], int(each[2:])) for each in text.split(",") if each[:2] in PLANETS and each[2:] in ("2", "3")
    ]
    return tuple(side for side in found if side.to != planet)


def written(sides: tuple[CardSide, ...]) -> str:
    """Return *sides* in the format of a URL. This is the inverse of `sides_in`."""
    return ",".join(f"{side.to}{side.value}" for side in sides)


@dataclass(frozen=True)
class Half:
    """The cards that were tapped for each planet but not saved yet. Every URL on the page contains all of them."""

    cards: Mapping[str, tuple[CardSide, ...]]

    def address(self, planet: str, **changed: tuple[CardSide, ...]) -> str:
        """Return the URL of the page for *planet*. *changed* replaces the tapped cards of some planets."""
        cards = {each: written(sides) for each, sides in {**self.cards, **changed}.items() if sides}
        return to(planet=planet, **cards) if planet else to(**cards)


def goods_scene(look: Look) -> Scene:
    """Return the page for the planet in the query, or for the next one without goods."""
    state: State = look.state
    waiting = [planet for planet in PLANETS if not state.at(planet)]
    planet = look.query.get("planet", "") if look.query.get("planet", "") in waiting else waiting[0]
    half = Half({each: sides_in(look.query.get(each, ""), each)[: AT_A_PLANET - 1] for each in waiting})
    chosen = half.cards[planet]
    done = len(PLANETS) - len(waiting)
    words = ngettext("%(num)s planet to go", "%(num)s planets to go", len(waiting))
    heading = PlayBar(_("Set out the goods"), used=len(waiting), left=done, left_words=words)
    more = {
        "still": any(half.cards.values()),
        "half": "goods",
        "after": half.address("", **{planet: ()}),
        "planet": planet,
        "label": LABELS[planet],
        "chosen": tuple(
            (side, half.address(planet, **{planet: (*chosen[:at], *chosen[at + 1 :])}))
            for at, side in enumerate(chosen)
        ),
        "missing": AT_A_PLANET - len(chosen),
        "rows": goods_rows(planet, lambda side: _tap(planet, side, half)),
        "stops": tuple(
            PlanetStop(each, LABELS[each], len(state.at(each)), half.address(each), each == planet) for each in PLANETS
        ),
        "may_set": look.may_act and look.viewer.seat is None,
    }
    return Scene("hanse/goods.html", more | {"may_play": may_play(look.of_the_table)}, heading)


def _tap(planet: str, side: CardSide, half: Half) -> GoodsTap:
    sides = (*half.cards[planet], side)
    if len(sides) < AT_A_PLANET:
        return GoodsTap(side, half.address(planet, **{planet: sides}))
    line = {"do": "goods", "planet": planet, "cards": [object_of(each) for each in sides]}
    return GoodsTap(side, line=line)


def beginning_scene(look: Look) -> Scene:
    """Return the page for the younger player's choice, or for naming the planet."""
    state: State = look.state
    face = faces(state.setting.seats)[waited_for(state)[0]]
    choosing = state.phase is Phase.CHOICE
    asks = _("%(name)s, move first or name the planet?", name=face.name)
    asks = asks if choosing else _("Tap the planet where both ships start")
    ways = ("first", "planet") if choosing else ()
    lines = tuple((way, {"do": "choose", "player": face.colour, "take": way}) for way in ways)
    more = {"card": "", "face": face, "asks": asks, "ways": lines, "first": other(state, face.colour)}
    starts = {} if choosing else {each: {"do": "start", "player": face.colour, "planet": each} for each in PLANETS}
    more["space"] = space(look.snapshot, starts)
    return Scene("hanse/asked.html", more, PlayBar(face.name, face=face))

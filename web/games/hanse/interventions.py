"""The pages of the interventions, and of the opponent's answer to one.

Most interventions are played with one tap; those that need a choice have their own page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.cards import EFFECTS, EXCHANGING, INTERVENTIONS, LABELS, WITHIN, Choices, Exchange, Loading
from companion.games.hanse.places import LABELS as PLANET_LABELS
from companion.games.hanse.state import State, other, turn_of, waited_for
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import faces
from web.games.hanse.components.cargo import CargoBox, GoodsPile, boxes, piles
from web.games.hanse.components.space import Loads, space
from web.http.i18n import _, translated
from web.request.game_pages import Look, Scene

ASKING = (*WITHIN, EXCHANGING)
"""The interventions that need a choice."""


@dataclass(frozen=True)
class Way:
    """One way to use a line of the player in turn: its words, and the *reason* why it is illegal now, or "".

    *pile* is what is loaded or given, *against* what is taken for it.
    """

    line: Mapping[str, Any]
    words: str
    reason: str
    pile: GoodsPile | None = None
    against: GoodsPile | None = None
    icon: str = ""


@dataclass(frozen=True)
class InterventionCard:
    """An intervention: its effect, the *line* that plays it or the *address* of its page, or why it can't be played."""

    name: str
    label: str
    effect: str
    reason: str
    line: Mapping[str, Any] | None = None
    address: str = ""


def way(snapshot: Snapshot, do: str, words: str, fields: Mapping[str, Any], **shown: Any) -> Way:
    """Return the way to use the line *do* with these *fields*."""
    line = {"do": do, "player": turn_of(snapshot.state).player, **fields}
    return Way(line, words, why_not(snapshot, line), **shown)


def cards(snapshot: Snapshot) -> tuple[InterventionCard, ...]:
    """Return all interventions in a fixed order."""
    return tuple(_card(snapshot, name) for name in INTERVENTIONS)


def _card(snapshot: Snapshot, name: str) -> InterventionCard:
    label, effect = str(translated(LABELS[name])), str(translated(EFFECTS[name]))
    if name in ASKING:
        ways = choices(snapshot, name)
        reasons = [way.reason for way in ways]
        reason = "" if "" in reasons else next(iter(reasons), _("nothing to take"))
        return InterventionCard(name, label, effect, reason, address=to(f"card/{name}"))
    played = way(snapshot, "intervene", label, {"card": name})
    return InterventionCard(name, label, effect, played.reason, played.line)


def cards_scene(look: Look) -> Scene:
    """Return the page of all interventions."""
    face = faces(look.state.setting.seats)[turn_of(look.state).player]
    return Scene(
        "hanse/card.html",
        {"name": "", "face": face, "cards": cards(look.snapshot)},
        PlayBar(_("Play a card"), back=to()),
    )


def card_scene(look: Look, name: str) -> Scene:
    """Return the page of an intervention that needs a choice."""
    heading = PlayBar(str(translated(LABELS[name])), back=to("card"))
    asks = _("Exchange which two loads?") if name == EXCHANGING else _("Load what?")
    ways = choices(look.snapshot, name)
    more = {"name": name, "asks": asks, "choices": ways, "space": space(look.snapshot, loads=_lines(ways))}
    return Scene("hanse/card.html", more, heading)


def _lines(ways: Iterable[Way]) -> Loads:
    """Return the lines of legal *ways* to load, by the planet of the goods and their destination."""
    legal = (way.line for way in ways if not way.reason and "planet" in way.line)
    return {(line["planet"], line["to"]): line for line in legal}


def choices(snapshot: Snapshot, name: str) -> tuple[Way, ...]:
    """Return all ways to play an intervention that needs a choice. Their words are the source of the goods."""
    return _exchanges(snapshot) if name == EXCHANGING else _loadings(snapshot, name)


def _loadings(snapshot: Snapshot, name: str) -> tuple[Way, ...]:
    return tuple(
        way(snapshot, "intervene", PLANET_LABELS[at], {"card": name, "planet": at, "to": pile.to}, pile=pile)
        for at in WITHIN[name]
        for pile in piles(snapshot.state.at(at))
    )


def _exchanges(snapshot: Snapshot) -> tuple[Way, ...]:
    state: State = snapshot.state
    own = turn_of(state).player
    against = other(state, own)
    name, card = faces(state.setting.seats)[against].name, {"card": EXCHANGING}
    return tuple(
        way(snapshot, "intervene", name, card | {"mine": one.number, "theirs": two.number}, pile=given, against=taken)
        for one, given in _loaded(state, own)
        for two, taken in _loaded(state, against)
    )


def _loaded(state: State, colour: str) -> tuple[tuple[CargoBox, GoodsPile], ...]:
    return tuple((box, box.pile) for box in boxes(state, colour) if box.pile is not None)


def answer_scene(look: Look) -> Scene:
    """Return the page on which the opponent answers."""
    state: State = look.state
    assert state.played is not None, "a card waits"
    known = faces(state.setting.seats)
    face, card = known[waited_for(state)[0]], state.played.card
    label = str(translated(LABELS[card]))
    neutralise = {"do": "neutralise", "player": face.colour}
    more = {
        "face": face,
        "card": card,
        "label": label,
        **_told(state.played.choices, known[state.played.player].name, card),
        "allow": {"do": "allow", "player": face.colour},
        "neutralise": neutralise,
        "reason": why_not(look.snapshot, neutralise),
        "space": space(look.snapshot),
    }
    return Scene("hanse/asked.html", more, PlayBar(face.name, face=face))


def _told(choices: Choices, name: str, card: str) -> dict[str, str]:
    """Return what *name* does with *card* as a sentence, and below it the card, or what a card without choices does."""
    label = str(translated(LABELS[card]))
    match choices:
        case Loading(planet, to):
            at, target = PLANET_LABELS[planet], PLANET_LABELS[to]
            asks = _("%(name)s loads for %(to)s from %(planet)s.", name=name, to=target, planet=at)
        case Exchange(mine, theirs):
            given, got = mine + 1, theirs + 1
            asks = _("%(name)s gives container %(mine)s for container %(theirs)s.", name=name, mine=given, theirs=got)
        case None:
            return {
                "asks": _("%(name)s plays %(card)s.", name=name, card=label),
                "effect": str(translated(EFFECTS[card])),
            }
    return {"asks": asks, "effect": label}

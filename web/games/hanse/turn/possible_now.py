"""What can I do now? Each player's possible things in sentences, and the reason wherever one is not possible."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hanse.state import Phase, State, waited_for
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.players import Face, faces
from web.games.hanse.components.layout import bar, surroundings
from web.games.hanse.rules.cards import card_now
from web.games.hanse.turn.page import Turn, turn
from web.http.formatting import listed
from web.http.i18n import _, ngettext
from web.request.game_pages import Scene


@dataclass(frozen=True)
class Possible:
    """One thing to do: what it brings, or the reason why it cannot be done now."""

    words: str
    small: str
    reason: str = ""
    address: str = "/table"


def now_scene(snapshot: Snapshot, viewer: Viewer, may_act: bool) -> Scene:
    """Return the page for both players."""
    state: State = snapshot.state
    known = faces(state.setting.seats)
    on_the_move = tuple(known[colour] for colour in waited_for(state))
    more = {
        "card": card_now(snapshot),
        "movers": on_the_move,
        "waiting": _waiting(state, tuple(known.values())),
        "things": _things(snapshot),
        "over": state.finished,
    }
    heading = bar(state, _("What can we do now?"), back=to())
    return Scene("hanse/now.html", surroundings(snapshot, viewer, heading, may_act) | more)


def _waiting(state: State, all_faces: tuple[Face, ...]) -> tuple[tuple[Face, str], ...]:
    """Return who cannot do anything, and for whom they wait."""
    movers = waited_for(state)
    if state.finished:
        return tuple((face, _("The game is over.")) for face in all_faces)
    names = listed(face.name for face in all_faces if face.colour in movers)
    words = _("Waiting for %(names)s.", names=names)
    return tuple((face, words) for face in all_faces if face.colour not in movers)


def _things(snapshot: Snapshot) -> tuple[Possible, ...]:
    match snapshot.state.phase:
        case Phase.GOODS:
            return (Possible(_("Set out the goods"), _("five cards at each planet, none for the planet itself")),)
        case Phase.CHOICE:
            return (Possible(_("Move first, or name the planet"), _("the other one gets the other")),)
        case Phase.PLANET:
            return (Possible(_("Name a planet"), _("both ships start there")),)
        case Phase.FLIP:
            return (Possible(_("Turn the goods over"), _("one pair for the same planet leaves the game")),)
        case Phase.ANSWER:
            return (Possible(_("Allow the card"), _("or discard the same one from hand")),)
        case Phase.TURN:
            return _in_turn(turn(snapshot, {}))
        case _:
            return ()


def _in_turn(now: Turn) -> tuple[Possible, ...]:
    return (
        *(Possible(way.words, _("before all else")) for way in now.jumps),
        _flight(now),
        *_at_the_planet(now),
        *(
            Possible(_("Play %(card)s", card=card.label), card.effect, card.reason, card.address or "/table")
            for card in now.cards
        ),
        Possible(_("End the turn"), ngettext("then draw %(num)s card", "then draw %(num)s cards", now.drawn)),
    )


def _flight(now: Turn) -> Possible:
    if now.energy is not None:
        return Possible(_("Fly on"), ngettext("%(num)s energy left", "%(num)s energy left", now.energy))
    reason = "" if now.die else _("No flight is left.")
    return Possible(_("Roll and fly"), _("the die, and 1 for each Fusion Drive"), reason)


def _at_the_planet(now: Turn) -> tuple[Possible, ...]:
    if now.nothing:
        return (Possible(_("Load, unload or buy"), "", now.nothing),)
    unloads = tuple(Possible(way.words, way.pile.label if way.pile else "", way.reason) for way in now.unloads)
    loads = tuple(
        Possible(way.words, ngettext("%(num)s card", "%(num)s cards", len(way.pile.values)), way.reason)
        for way in now.loads
        if way.pile is not None
    )
    bought = Possible(_("Buy a technology"), _("for %(price)s Megagalax", price=now.price), now.dear)
    return (*unloads, *loads, bought)

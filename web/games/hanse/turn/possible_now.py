"""What can I do now? Each player's possible things in sentences, and the reason wherever one is not possible."""

from __future__ import annotations

from companion.games.hanse.state import Phase, State
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.players import faces
from web.components.possible_now import Possible, possible_now
from web.games.hanse.components.layout import bar
from web.games.hanse.rules.cards import card_now
from web.games.hanse.turn.page import TurnPage, turn
from web.http.i18n import _, ngettext
from web.request.game_pages import Look, Scene


def now_scene(look: Look) -> Scene:
    """Return the page for the seat that asks, or for both players."""
    heading = bar(look.state, _("What can we do now?"), back=to())
    more = possible_now(look.snapshot, look.viewer, look.query, lambda seat: _things(look.snapshot))
    waiting = _meanwhile(look.snapshot) if any(one.waits for one in more["whose"]) else ()
    return Scene("hanse/now.html", more | {"card": card_now(look.snapshot), "meanwhile": waiting}, heading)


def _meanwhile(snapshot: Snapshot) -> tuple[Possible, ...]:
    """Return what whoever waits can still come to do in the other's turn."""
    state: State = snapshot.state
    if state.phase is not Phase.TURN or state.turn is None:
        return ()
    name = faces(state.setting.seats)[state.turn.player].name
    reason = _("when %(name)s plays one: discard the same, and nothing happens", name=name)
    return (Possible(_("Answer a card"), reason=reason),)


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


def _in_turn(now: TurnPage) -> tuple[Possible, ...]:
    return (
        *(Possible(way.words, _("before all else"), icon="hx-flight") for way in now.jumps),
        _flight(now),
        *_at_the_planet(now),
        *(
            Possible(
                _("Play %(card)s", card=card.label),
                card.effect,
                card.address or "/table",
                card.reason,
                f"hx-{card.name}",
            )
            for card in now.cards
        ),
        Possible(
            _("End the turn"), ngettext("then draw %(num)s card", "then draw %(num)s cards", now.drawn), icon="tick"
        ),
    )


def _flight(now: TurnPage) -> Possible:
    if now.energy is not None:
        return Possible(
            _("Fly on"), ngettext("%(num)s energy left", "%(num)s energy left", now.energy), icon="hx-flight"
        )
    reason = "" if now.die else _("No flight is left.")
    return Possible(_("Roll and fly"), _("the die, and 1 for each Fusion Drive"), reason=reason, icon="hx-flight")


def _at_the_planet(now: TurnPage) -> tuple[Possible, ...]:
    if now.nothing:
        return (Possible(_("Load, unload or buy"), reason=now.nothing, icon="hx-planet"),)
    unloads = tuple(
        Possible(way.words, way.pile.label if way.pile else "", reason=way.reason, icon="hx-planet")
        for way in now.unloads
    )
    loads = tuple(
        Possible(
            way.words,
            ngettext("%(num)s card", "%(num)s cards", len(way.pile.values)),
            reason=way.reason,
            icon="hx-planet",
        )
        for way in now.loads
        if way.pile is not None
    )
    bought = Possible(
        _("Buy a technology"), _("for %(price)s Megagalax", price=now.price), reason=now.dear, icon="hx-sun"
    )
    return (*unloads, *loads, bought)

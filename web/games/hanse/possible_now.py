"""What can be done now: all actions of each player, with the reason if one isn't possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.hanse.state import Phase, State
from companion.games.hanse.tellings import TELLINGS
from companion.model.snapshot import Snapshot
from web.components.players import faces
from web.components.possible_now import Possible, possible_now
from web.games.hanse.turn import TurnPage, turn
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look


def possible(look: Look) -> Mapping[str, Any]:
    """Return the actions of the viewer's seat, or of both players."""
    more = possible_now(look, lambda seat: _things(look.snapshot))
    waiting = _meanwhile(look.snapshot) if any(one.waits for one in more["whose"]) else ()
    return more | {"meanwhile": waiting}


def _meanwhile(snapshot: Snapshot) -> tuple[Possible, ...]:
    """Return what the waiting player may still do during the opponent's turn."""
    state: State = snapshot.state
    if state.phase is not Phase.TURN or state.turn is None:
        return ()
    name = faces(state.setting.seats)[state.turn.player].name
    reason = _("when %(name)s plays one: discard the same, and nothing happens", name=name)
    return (Possible(_("Answer a card"), reason=reason),)


FIRST = {
    Phase.GOODS: "goods",
    Phase.CHOICE: "choose",
    Phase.PLANET: "start",
    Phase.FLIP: "flip",
    Phase.ANSWER: "allow",
}
"""The kind of line that is expected in each phase other than a turn."""


def _things(snapshot: Snapshot) -> tuple[Possible, ...]:
    phase = snapshot.state.phase
    if phase is Phase.TURN:
        return _in_turn(turn(snapshot, {}))
    return (_thing(FIRST[phase]),) if phase in FIRST else ()


def _thing(do: str, how: str = "", reason: str = "", icon: str = "") -> Possible:
    """Return the action of lines with this *do*, worded as in the tellings, or with the *reason* against it."""
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), how or translated(row.how), reason=reason, icon=icon)


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
        _thing("end_turn", ngettext("then draw %(num)s card", "then draw %(num)s cards", now.drawn), icon="tick"),
    )


def _flight(now: TurnPage) -> Possible:
    if now.energy is not None:
        return Possible(
            _("Fly on"), ngettext("%(num)s energy left", "%(num)s energy left", now.energy), icon="hx-flight"
        )
    reason = "" if now.die else _("No flight is left.")
    return _thing("roll", reason=reason, icon="hx-flight")


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
    bought = _thing("buy", _("for %(price)s Megagalax", price=now.price), now.not_bought, "hx-sun")
    return (*unloads, *loads, bought)

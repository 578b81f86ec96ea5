"""The big screen: the ship with its researchers, and the dice of the pool, the offer and the players."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.games.wreck.dice import SYMBOLS, Dice
from companion.games.wreck.missions import turn_step
from companion.games.wreck.state import Phase, State
from companion.games.wreck.view import waited_for
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces, listed
from web.games.wreck.components.layout import score_bar, where
from web.games.wreck.components.ship import ship
from web.http.i18n import _, ngettext
from web.request.game_pages import BigScreen, Headline, Scene

STYLES = ("/static/coin.css", "/static/wreck/wreck.css", "/static/wreck/screen.css")


def big_screen(snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
    """Return the public content of the big screen, the same for every viewer."""
    state: State = snapshot.state
    scored = score_bar(snapshot)
    return BigScreen(
        headline=_headline(state),
        points={one.colour: one.points for one in scored},
        small={one.colour: one.small for one in scored},
        note="" if state.finished else _("%(kp)s KP end the game", kp=state.setting.threshold),
        panels=tuple(_panels(state, wanted)),
        styles=STYLES,
    )


def _headline(state: State) -> Headline:
    known, place = faces(state.setting.seats), where(state)
    if state.finished:
        from companion.games.wreck.scoring import winners

        won = winners(state)
        names = listed(known[colour].name for colour in won)
        if len(won) == 1:
            return Headline(_("%(name)s wins", name=names), won[0], place)
        return Headline(_("%(names)s share the win", names=names), "", place)
    (mover,) = waited_for(state)
    return Headline(_doing(state, known[mover]), mover, place)


def _doing(state: State, face: Face) -> str:
    match state.phase:
        case Phase.OFFERS:
            return (
                _("%(name)s: take it?", name=face.name) if state.offer else _("%(name)s makes an offer", name=face.name)
            )
        case Phase.TURNS if turn_step(state) == "actions":
            dice = sum(state.players[state.turn].dice)
            return ngettext("%(name)s, %(num)s die left", "%(name)s, %(num)s dice left", dice, name=face.name)
        case Phase.SETUP | Phase.CLEANUP | Phase.TURNS | Phase.FINISHED:
            return face.name


def _panels(state: State, wanted: Collection[str]) -> list[Scene]:
    found = []
    if "ship" in wanted:
        found.append(Scene("wreck/screen.html", {"ship": ship(state)}))
    if "dice" in wanted and not state.finished:
        found.append(Scene("wreck/screen.html", _dice(state)))
    return found


def _dice(state: State) -> Mapping[str, Any]:
    known = faces(state.setting.seats)
    heaps: list[tuple[str, Face | None, list[tuple[str, int]]]] = []
    if state.phase is Phase.OFFERS:
        heaps.append((_("Pool"), None, _counted(state.pool)))
        if state.offer is not None:
            heaps.append((_("Card %(num)s", num=state.offer.order), known[state.offer.by], _counted(state.offer.dice)))
    taken = sorted((player.order, colour) for colour, player in state.players.items() if player.order)
    for order, colour in taken:
        heaps.append((_("Card %(num)s", num=order), known[colour], _counted(state.players[colour].dice)))
    return {"heaps": heaps}


def _counted(dice: Dice) -> list[tuple[str, int]]:
    return [(symbol, count) for symbol, count in zip(SYMBOLS, dice, strict=True) if count]

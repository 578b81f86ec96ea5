"""What can I do now? Each seat's possible things in sentences, and the reason wherever one is not possible."""

from __future__ import annotations

from typing import Any

from companion.games.wreck.dice import ACTIONS, showing
from companion.games.wreck.legal_moves import die_actions, legal
from companion.games.wreck.offers import most_offered
from companion.games.wreck.state import Phase, State
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.possible_now import Possible, possible_now
from web.games.wreck.components.words import DEEDS, EFFECTS
from web.games.wreck.play.room_actions import room_reason
from web.games.wreck.play.turn import ROOMS_THAT_ACT
from web.games.wreck.rules.cards import card_now
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look, Scene


def now_scene(look: Look) -> Scene:
    """Return the page for the seat that asks, or for everybody at once."""
    more = possible_now(look.snapshot, look.viewer, look.query, lambda seat: _things(look.snapshot, seat))
    return Scene(
        "wreck/now.html", more | {"card": card_now(look.snapshot)}, PlayBar(_("What can we do now?"), back=to())
    )


def _things(snapshot: Snapshot, seat: str) -> tuple[Possible, ...]:
    state: State = snapshot.state
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            return (
                _one(
                    snapshot,
                    _("Open the next general mission"),
                    _("enter its card, or not"),
                    {"do": "open", "card": None},
                ),
                Possible(_("Roll the dice"), _("tap them in, or let the companion roll"), to(), _roll_waits(state)),
            )
        case Phase.OFFERS if state.offer is None:
            most = most_offered(state)
            small = ngettext("at most %(num)s die", "at most %(num)s dice", most)
            return (Possible(_("Make an offer"), small, to()),)
        case Phase.OFFERS:
            decline = {"do": "decline", "player": seat}
            return (
                Possible(_("Take the offer"), _("its dice and one more"), to()),
                _one(snapshot, _("Pass it on"), _("to the next without a card"), decline),
            )
        case Phase.TURNS:
            return _turn(snapshot, seat)
        case Phase.FINISHED:
            return ()


def _roll_waits(state: State) -> str:
    return _("Open the mission first.") if state.open_due else ""


def _turn(snapshot: Snapshot, seat: str) -> tuple[Possible, ...]:
    state: State = snapshot.state
    if state.players[seat].contamination:
        return (Possible(_("Remove researchers for contamination"), _("one for each die, or a vaccine marker"), to()),)
    dice = tuple(_die(state, seat, die) for die in ACTIONS)
    any_die = _any_die(state, seat)
    rooms = tuple(_room(state, seat, room) for room in ROOMS_THAT_ACT if room in state.researchers)
    return (
        *dice,
        *any_die,
        *rooms,
        Possible(_("Fulfil missions"), _("at the end of the turn, any number"), to()),
        Possible(_("End the turn"), _("dice that are left are lost"), to()),
    )


def _die(state: State, seat: str, die: str) -> Possible:
    words = translated(DEEDS[die])
    if state.fulfilling:
        return Possible(words, "", to(), _("After a mission, a turn has no more actions."))
    if not showing(state.players[seat].dice, die):
        return Possible(words, "", to(), _("no such die left"))
    return Possible(words, _("with its own die"), to(die=die))


def _any_die(state: State, seat: str) -> tuple[Possible, ...]:
    found: dict[str, bool] = {"Move": False, "Explore": False}
    if not state.fulfilling:
        for command in die_actions(state, seat):
            name = type(command).__name__
            if name in found and not found[name]:
                found[name] = legal(state, command)
    reason = _("needs a die, and a researcher beside it")
    return (
        Possible(_("Move 1 step with any die"), _("tap a room"), to(), "" if found["Move"] else reason),
        Possible(_("Explore with any die"), _("tap a dark tile"), to(), "" if found["Explore"] else reason),
    )


def _room(state: State, seat: str, room: str) -> Possible:
    words = translated(EFFECTS[room])
    reason = room_reason(state, seat, room)
    return Possible(words, "" if reason else _("without a die, once a round"), to(act=room), reason)


def _one(snapshot: Snapshot, words: str, small: str, line: dict[str, Any]) -> Possible:
    return Possible(words, small, to(), why_not(snapshot, line))

"""What can be done now: all actions of each seat, with the reason if one isn't possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.wreck.dice import ACTIONS, showing
from companion.games.wreck.offers import most_offered
from companion.games.wreck.researchers import Explore, Move
from companion.games.wreck.room_actions import ROOMS_THAT_ACT
from companion.games.wreck.rules import actions, legal
from companion.games.wreck.state import Phase, State
from companion.games.wreck.tellings import TELLINGS
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.possible_now import Possible, possible_now
from web.games.wreck.components.words import DEEDS, EFFECTS
from web.games.wreck.play.room_actions import room_reason
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look


def possible(look: Look) -> Mapping[str, Any]:
    """Return the actions of the viewer's seat, or of everybody."""
    return possible_now(look, lambda seat: _things(look.snapshot, seat))


def _things(snapshot: Snapshot, seat: str) -> tuple[Possible, ...]:
    state: State = snapshot.state
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            opened = why_not(snapshot, {"do": "open", "card": None})
            return (_thing("open", opened), _thing("roll", _("Open the mission first.") if state.open_due else ""))
        case Phase.OFFERS if state.offer is None:
            most = most_offered(state)
            return (_thing("offer", how=ngettext("at most %(num)s die", "at most %(num)s dice", most)),)
        case Phase.OFFERS:
            return (_thing("accept"), _thing("decline", why_not(snapshot, {"do": "decline", "player": seat})))
        case Phase.TURNS:
            return _turn(state, seat)
        case Phase.FINISHED:
            return ()


def _turn(state: State, seat: str) -> tuple[Possible, ...]:
    if state.players[seat].contamination:
        return (_thing("contaminate"),)
    dice = tuple(_die(state, seat, die) for die in ACTIONS)
    rooms = tuple(_room(state, seat, room) for room in ROOMS_THAT_ACT if room in state.researchers)
    return (*dice, *_any_die(state, seat), *rooms, _thing("fulfil"), _thing("end_turn"))


def _thing(do: str, reason: str = "", how: str = "") -> Possible:
    """Return the action of lines with this *do*, worded as in the tellings, or with the *reason* against it."""
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), how or translated(row.how), to(), reason)


def _die(state: State, seat: str, die: str) -> Possible:
    words = translated(DEEDS[die])
    if state.fulfilling:
        return Possible(words, "", to(), _("After a mission, a turn has no more actions."))
    if not showing(state.players[seat].dice, die):
        return Possible(words, "", to(), _("no such die left"))
    return Possible(words, _("with its own die"), to(die=die))


def _any_die(state: State, seat: str) -> tuple[Possible, ...]:
    commands = [] if state.fulfilling else [*actions(state, seat)]
    reason = _("needs a die, and a researcher beside it")
    return tuple(
        _thing(kind.do, "" if any(legal(state, each) for each in commands if isinstance(each, kind)) else reason)
        for kind in (Move, Explore)
    )


def _room(state: State, seat: str, room: str) -> Possible:
    words = translated(EFFECTS[room])
    reason = room_reason(state, seat, room)
    return Possible(words, "" if reason else _("without a die, once a round"), to(act=room), reason)

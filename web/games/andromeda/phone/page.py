"""The phone of a player: whose turn it is, the own hand, what can be done, the own stations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import Planet
from companion.games.andromeda.state import KINDS, Phase, State
from companion.games.andromeda.time_control import together
from companion.model.game import Viewer
from companion.model.snapshot import Sight, Status
from web.components.players import faces
from web.games.andromeda.actions.turn import deeds
from web.games.andromeda.components.layout import bar, surroundings, where
from web.games.andromeda.history.sentences import tell
from web.games.andromeda.phone.trading import answered, trading_for
from web.games.andromeda.trading.face_down import openly
from web.http.formatting import listed
from web.http.i18n import _, ngettext
from web.request.game_pages import Scene

LATELY = 4


@dataclass(frozen=True)
class Band:
    """What the head of the page says: whose turn, a line below it, and what is left as discs.

    *mark* names the step when it is this seat's own, so that the device can
    tell when its turn has come; it is empty otherwise.
    """

    title: str
    where: str
    words: str = ""
    used: int = 0
    left: int = 0
    mark: str = ""


@dataclass(frozen=True)
class Held:
    """The own stations at one place: a planet, or Earth where it is None."""

    planet: Planet | None
    count: int


def seat_scene(sight: Sight, viewer: Viewer, query: Mapping[str, str], may_act: bool) -> Scene:
    """Return the page of the seat that looks."""
    state: State = sight.state
    own = str(viewer.seat)
    face, mine = faces(state.setting.seats)[own], _mine(sight, own)
    more = {
        "face": face,
        "band": _band(sight, own, mine),
        "mine": mine,
        "hand": _hand(state, own),
        "held": _held(state, own),
        "lately": _lately(sight),
        "turn": _turn(sight, own) if mine else {},
        "trading": trading_for(sight, own, query) if state.phase is Phase.TRADING else None,
    }
    return Scene("andromeda/seat.html", surroundings(sight, viewer, bar(state, face.name, face=face), may_act) | more)


def _mine(sight: Sight, own: str) -> bool:
    """Say whether the table waits for this seat, and it has not answered yet."""
    assert sight.game is not None, "only a game has seats"
    if sight.status is not Status.LIVE or (sight.timing is not None and sight.timing.lead_ms):
        return False
    return own in sight.game.waited_for(sight.state) and not answered(sight, own)


def _band(sight: Sight, own: str, mine: bool) -> Band:
    state: State = sight.state
    name, words = faces(state.setting.seats)[own].name, where(state)[0]
    if not mine:
        return Band(_waiting(sight), words)
    mark = f"{sight.game_id} {sight.step}"
    title = _("Your turn, %(name)s", name=name)
    if state.phase is not Phase.ACTIONS:
        return Band(title, words, mark=mark)
    full = max(state.actions_left, 3 if own == state.starter else 2)
    left = ngettext("%(num)s action left", "%(num)s actions left", state.actions_left)
    return Band(title, words, left, full - state.actions_left, state.actions_left, mark)


def _waiting(sight: Sight) -> str:
    """Return in one line what the table waits for."""
    state: State = sight.state
    assert sight.game is not None, "only a game has seats"
    if sight.status in (Status.PAUSED, Status.ABANDONED):
        return _("The game rests")
    if sight.timing is not None and sight.timing.lead_ms:
        return _("Three, two, one")
    known = faces(state.setting.seats)
    if state.attempt:
        return _("%(name)s draws", name=known[state.attempt.player].name)
    names = [known[seat].name for seat in sight.game.waited_for(state) if not answered(sight, seat)]
    if len(names) != 1:
        return _("Waiting for %(names)s", names=listed(names)) if names else _("All have laid")
    return _one_waited_for(sight, names[0])


def _one_waited_for(sight: Sight, name: str) -> str:
    state: State = sight.state
    match state.phase:
        case Phase.CARDS:
            return _("Cards are dealt")
        case Phase.TRANSPORT:
            return _("%(name)s may transport", name=name)
        case Phase.TRADING if together(state):
            return _("Waiting for %(names)s", names=name)
        case Phase.TRADING:
            return _("%(name)s trades", name=name)
        case Phase.ACTIONS:
            return _("%(name)s's turn", name=name)
        case _:
            return _("Waiting for %(names)s", names=name)


def _hand(state: State, own: str) -> dict[str, Any]:
    """Return the own hand: how many cards, and which credits are among them."""
    player = state.players[own]
    words = {
        "silver": lambda n: ngettext("a silver credit", "%(num)s silver credits", n),
        "gold": lambda n: ngettext("a gold credit", "%(num)s gold credits", n),
        "platinum": lambda n: ngettext("a platinum credit", "%(num)s platinum credits", n),
        "diamond": lambda n: ngettext("a diamond credit", "%(num)s diamond credits", n),
    }
    held = [words[kind](count) for kind, count in zip(KINDS, player.credits, strict=True) if count]
    cards = ngettext("card", "cards", player.hand)
    said = _("%(cards)s, with %(credits)s", cards=cards, credits=listed(held)) if held else cards
    return {"cards": player.hand, "words": said}


def _held(state: State, own: str) -> tuple[Held, ...]:
    player = state.players[own]
    planets = (Held(planet, player.on(planet.id)) for planet in state.setting.board.planets)
    return (Held(None, player.earth), *planets)


def _lately(sight: Sight) -> tuple[str, ...]:
    """Return what happened last, newest first, as far as it lies open."""
    assert sight.header is not None, "only a game has a story"
    standing = [told.line for told in sight.recent if not told.undone and told.line.get("do") != "undo"]
    return tuple(tell(openly(sight, line), sight.header) for line in standing[:LATELY])


def _turn(sight: Sight, own: str) -> dict[str, Any]:
    """Return what this seat can do outside of the trading phase."""
    state: State = sight.state
    match state.phase:
        case Phase.CARDS:
            return {"deal": {"do": "deal"}}
        case Phase.TRANSPORT:
            player = state.players[own]
            keep = {"do": "transport", "player": own, "move": "pass"}
            return {"keep": keep, "transports": player.transport}
        case Phase.ACTIONS:
            return {"deeds": deeds(sight), "end": {"do": "end_turn", "player": own}}
        case _:
            return {}

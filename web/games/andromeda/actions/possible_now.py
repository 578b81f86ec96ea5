"""What can be done now: all actions of each seat, with the reason if one isn't possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import KINDS, Phase, State
from companion.games.andromeda.tellings import TELLINGS
from companion.kernel.fields import Line
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.possible_now import Possible, possible_now
from web.games.andromeda.actions.deeds import deeds
from web.games.andromeda.components.public_hand import judged
from web.http.i18n import _, translated
from web.request.game_pages import Look


def possible(look: Look) -> Mapping[str, Any]:
    """Return the actions of the viewer's seat, or of all seats."""
    return possible_now(look, lambda seat: _things(look.snapshot, look.viewer, seat))


def _things(snapshot: Snapshot, viewer: Viewer, seat: str) -> tuple[Possible, ...]:
    state: State = snapshot.state
    if state.attempt:
        return _drawing(snapshot, viewer, seat)
    match state.phase:
        case Phase.SETUP:
            return (_thing("setup", to(seat=seat)),)
        case Phase.CARDS:
            return (_thing("deal"),)
        case Phase.TRANSPORT:
            return _flying(snapshot, viewer, seat)
        case Phase.TRADING:
            return _trading(snapshot, viewer, seat)
        case Phase.ACTIONS:
            return _acting(snapshot, viewer, seat)
        case Phase.FINISHED:
            return ()


def _acting(snapshot: Snapshot, viewer: Viewer, seat: str) -> tuple[Possible, ...]:
    offered = tuple(
        Possible(deed.words, deed.small, deed.address, deed.reason, deed.name) for deed in deeds(snapshot, viewer)
    )
    return (*offered, _thing("end_turn", icon="tick"))


def _drawing(snapshot: Snapshot, viewer: Viewer, seat: str) -> tuple[Possible, ...]:
    return (
        Possible(_("Slide the ring until one station comes out"), _("the ring counts it"), to()),
        Possible(_("Tap what came out"), _("any time, with or without a ring"), to()),
        Possible(_("Report two at once"), _("your house rule decides"), to(two=1)),
        _line(snapshot, viewer, {"do": "stop_drawing", "player": seat}),
    )


def _flying(snapshot: Snapshot, viewer: Viewer, seat: str) -> tuple[Possible, ...]:
    out = [{"do": "transport", "player": seat, "move": "to_planet", "planet": planet} for planet in PLANETS]
    home = [{"do": "transport", "player": seat, "move": "to_earth", "planet": planet} for planet in PLANETS]
    keep = {"do": "transport", "player": seat, "move": "pass"}
    return (
        _one(snapshot, viewer, _("Fly two stations from Earth to a planet"), _("uses a transport card"), *out),
        _one(
            snapshot, viewer, _("Fly all stations of one planet home"), _("uses a transport card; centres stay"), *home
        ),
        _one(snapshot, viewer, _("No transport"), _("two per game"), keep),
    )


def _trading(snapshot: Snapshot, viewer: Viewer, seat: str) -> tuple[Possible, ...]:
    state: State = snapshot.state
    player = {"player": seat}
    if state.options.trade_record == "off":
        return (_line(snapshot, viewer, {"do": "end_trading"}),)
    lays = [{"do": "lay", **player, "card": card} for card in (None, *PLANETS, *KINDS)]
    swaps = [{"do": "swap", **player, "with": other} for other in state.colours if other != seat]
    free = _("any card; the others must play different ones")
    bound = _("nothing the starting player has played")
    return (
        _line(snapshot, viewer, *lays, how=free if seat == state.starter else bound),
        _line(snapshot, viewer, *swaps),
        *(_line(snapshot, viewer, {"do": do, **player}) for do in ("keep", "leave", "take_back", "excuse")),
    )


def _thing(do: str, address: str = to(), icon: str = "") -> Possible:
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), translated(row.how), address, icon=icon)


def _line(snapshot: Snapshot, viewer: Viewer, *lines: dict[str, Any], how: str = "") -> Possible:
    """Return the action that *lines* stand for, worded as in the tellings.

    If none is legal, it has the reason against the first line.
    """
    row = TELLINGS.lines[lines[0]["do"]]
    return _one(snapshot, viewer, translated(row.possible), how or translated(row.how), *lines)


def _one(snapshot: Snapshot, viewer: Viewer, words: str, small: str, *lines: Line | dict[str, Any]) -> Possible:
    """Return the action that *lines* stand for, with the text *words*.

    If none is legal, it has the reason against the first line.
    """
    reasons = [judged(snapshot, viewer, line).reason for line in lines]
    return Possible(words, small, to(), "" if "" in reasons else reasons[0])

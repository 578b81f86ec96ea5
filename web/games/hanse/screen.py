"""The big screen: the board with both ships, the goods of both players, and at the end the winner."""

from __future__ import annotations

from collections.abc import Collection

from companion.games.hanse.scoring import GOAL
from companion.games.hanse.state import State, turn_of
from companion.model.snapshot import Snapshot
from web.components.players import faces, listed
from web.games.hanse.components.layout import moment, sides, where
from web.games.hanse.components.space import space
from web.http.i18n import _, ngettext
from web.request.game_pages import BigScreen, Headline, Scene

STYLES = ("/static/hanse/space.css", "/static/hanse/screen.css")


def big_screen(snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
    """Return the public content of the big screen."""
    both = sides(snapshot)
    hands = {side.colour: ngettext("%(num)s card", "%(num)s cards", side.player.hand) for side in both}
    result = moment(snapshot)
    return BigScreen(
        headline=headline(snapshot),
        points={side.colour: side.points for side in both},
        small=hands,
        panels=tuple(_panels(snapshot, wanted)),
        styles=STYLES,
        over=None if result is None else Scene("hanse/screen.html", {"moment": result}),
    )


def headline(snapshot: Snapshot) -> Headline:
    """Return the headline: whose turn it is, the energy left in a flight, or who has won."""
    state: State = snapshot.state
    known, place = faces(state.setting.seats), where(state)
    assert snapshot.game is not None, "a headline belongs to a game"
    if (result := snapshot.game.result(state)) is not None:
        names = listed(known[colour].name for colour in result.winners)
        if len(result.winners) > 1:
            return Headline(_("%(names)s share the win", names=names), "", place)
        return Headline(_("%(name)s wins", name=names), result.winners[0], place)
    movers = snapshot.game.waited_for(state)
    if len(movers) > 1:
        return Headline(_("Set out the goods"), "", place)
    return Headline(_turn(state, known[movers[0]].name), movers[0], place)


def _turn(state: State, name: str) -> str:
    if state.turn is None or turn_of(state).energy is None:
        return name
    energy = turn_of(state).energy or 0
    return ngettext("%(name)s, %(num)s energy left", "%(name)s, %(num)s energy left", energy, name=name)


def _panels(snapshot: Snapshot, wanted: Collection[str]) -> list[Scene]:
    found = []
    if "space" in wanted:
        found.append(Scene("hanse/screen.html", {"space": space(snapshot)}))
    if "cargo" in wanted:
        found.append(Scene("hanse/screen.html", {"sides": sides(snapshot), "goal": GOAL}))
    return found

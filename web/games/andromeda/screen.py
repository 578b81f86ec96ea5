"""The big screen: the board and the last draws. During an attempt, the attempt and its result replace the board."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.odds import success
from companion.games.andromeda.scoring import score
from companion.games.andromeda.state import Attempt, Phase, State, best_free_centre, label_of, stations_on
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces, listed
from web.components.result_stage import ResultMoment
from web.games.andromeda.actions.turn import last_draws
from web.games.andromeda.attempt.page import cup
from web.games.andromeda.components.board import picture, planet_look, worths
from web.games.andromeda.components.last_move import last_move, outcome
from web.games.andromeda.components.layout import actions_left, score_bar, score_note, where
from web.games.andromeda.components.moments import moments
from web.games.andromeda.components.words import WORDS
from web.http.formatting import percent
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import BigScreen, Headline, Scene

STYLES, MOMENTS_STYLE = ("/static/coin.css", "/static/andromeda/screen.css"), "/static/andromeda/moments.css"


@dataclass(frozen=True)
class Winner:
    """A winner and their points."""

    face: Face
    points: int


@dataclass(frozen=True)
class PanelTrack:
    """One track of the board, and its value to each player."""

    icon: str
    name: str
    unit: str
    seats: tuple[tuple[Face, int], ...]


def big_screen(snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
    """Return the public content of the big screen, the same for every viewer."""
    scored, over = score_bar(snapshot), moments(snapshot)
    return BigScreen(
        headline=headline(snapshot),
        points={one.colour: one.points for one in scored},
        gained={} if snapshot.state.finished else {one.colour: one.gained for one in scored},
        small={} if snapshot.state.finished else {one.colour: one.small for one in scored},
        note=score_note(snapshot.state),
        panels=tuple(_panels(snapshot, wanted)),
        styles=(*STYLES, MOMENTS_STYLE) if over and not isinstance(over[-1], ResultMoment) else STYLES,
        over=Scene("andromeda/screen.html", {"moments": over}) if over else None,
    )


def headline(snapshot: Snapshot) -> Headline:
    """Return the headline: whose turn it is, or what is happening."""
    state: State = snapshot.state
    known, place = faces(state.setting.seats), where(state)[0]
    if state.finished:
        return _won(snapshot, known, place)
    if state.attempt:
        at = {"name": known[state.attempt.player].name, "planet": label_of(state, state.attempt.planet)}
        return Headline(_("%(name)s at %(planet)s", **at), state.attempt.player, place)
    if state.phase is Phase.ACTIONS:
        return Headline(actions_left(known[state.turn].name, state.actions_left), state.turn, place)
    return _on_the_move(snapshot, known, place)


def _won(snapshot: Snapshot, known: Mapping[str, Face], place: str) -> Headline:
    names = [one.face.name for one in _winners(snapshot, known)]
    if len(names) > 1:
        return Headline(_("%(names)s share the win", names=listed(names)), "", place)
    return Headline(_("%(name)s wins", name=names[0]), _winners(snapshot, known)[0].face.colour, place)


def _on_the_move(snapshot: Snapshot, known: Mapping[str, Face], place: str) -> Headline:
    assert snapshot.game is not None, "a turn belongs to a game"
    movers = snapshot.game.waited_for(snapshot.state)
    if len(movers) == 1:
        return Headline(known[movers[0]].name, movers[0], place)
    step = snapshot.timing.name if snapshot.timing is not None else ""
    return Headline(str(translated(WORDS.steps.get(step, place))), "", place)


def _panels(snapshot: Snapshot, wanted: Collection[str]) -> list[Scene]:
    """Return the panels, the largest first. An attempt takes the place of the board while it is shown."""
    state: State = snapshot.state
    ring = _at_the_ring(snapshot, wanted) if "attempt" in wanted else None
    tracks, beside = _tracks(state), "draws" in wanted and not state.finished
    found = [] if ring is None else [ring]
    if "board" in wanted and ring is None:
        found = [Scene("andromeda/screen.html", _board(snapshot) | {"tracks": () if beside else tracks})]
    if beside:
        more = tracks if "board" in wanted else ()
        found.append(Scene("andromeda/screen.html", {"draws": last_draws(state), "tracks": more}))
    return found


def _tracks(state: State) -> tuple[PanelTrack, ...]:
    """Return both tracks with their values to each player, as printed on the board."""
    known, found = faces(state.setting.seats), worths(state)
    words = (("ship", _("Ship"), _("hand limit")), ("technology", _("Technology"), _("points")))
    return tuple(
        PanelTrack(icon, name, unit, tuple((known[one.colour], getattr(one, icon)) for one in found))
        for icon, name, unit in words
    )


def _board(snapshot: Snapshot) -> dict[str, Any]:
    state: State = snapshot.state
    last, newest = last_move(snapshot), next(iter(snapshot.recent), None)
    return {
        "picture": picture(snapshot),
        "small": True,
        "fresh": last is not None and newest is not None and last.line == newest.line,
        "looks": {planet.id: planet_look(planet) for planet in state.setting.board.planets},
    }


def _at_the_ring(snapshot: Snapshot, wanted: Collection[str]) -> Scene | None:
    state: State = snapshot.state
    if state.finished:
        return Scene("andromeda/screen.html", {"won": _winners(snapshot, faces(state.setting.seats))})
    if state.attempt:
        return Scene("andromeda/screen.html", _attempt(snapshot, state.attempt, wanted))
    over = outcome(snapshot)
    if over is None:
        return None
    attempt = state.tried[-1]
    facts = _ring(state, attempt) | {"chance": over.chance, "outcome": over, "took": attempt.took}
    return Scene("andromeda/screen.html", facts)


def _attempt(snapshot: Snapshot, attempt: Attempt, wanted: Collection[str]) -> dict[str, Any]:
    state: State = snapshot.state
    under = stations_on(state, attempt.planet)
    share = percent(success(sum(under.values()), under[attempt.player], attempt.draws_left))
    return _ring(state, attempt) | {
        "chance": share if "chance" in wanted or state.options.show_odds else "",
        "outcome": None,
        "open": range(attempt.draws_left),
        "asked": bool(snapshot.questions),
        "left": ngettext("%(num)s draw left", "%(num)s draws left", attempt.draws_left),
    }


def _ring(state: State, attempt: Attempt) -> dict[str, Any]:
    """Return the stations under the ring, those that came out, and the centre that the attempt is for."""
    known, under = faces(state.setting.seats), stations_on(state, attempt.planet)
    slot = best_free_centre(state, attempt.planet)
    return {
        "face": known[attempt.player],
        "cup": cup(state, attempt, under, None),
        "drawn": tuple(known[colour] for colour in attempt.drawn),
        "prize": 0 if slot is None else state.setting.board.planet(attempt.planet).centres[slot],
        "planet": state.setting.board.planet(attempt.planet),
        "small": True,
        "symbol": planet_look(state.setting.board.planet(attempt.planet)),
    }


def _winners(snapshot: Snapshot, known: Mapping[str, Face]) -> tuple[Winner, ...]:
    assert snapshot.game is not None, "a result belongs to a game"
    result = snapshot.game.result(snapshot.state)
    won = result.winners if result is not None else ()
    return tuple(Winner(known[colour], score(snapshot.state, colour).total) for colour in won)

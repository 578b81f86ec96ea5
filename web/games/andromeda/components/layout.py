"""The frame of every page: the bar, the scores, notes, and the result of a draw that is shown over the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.state import Attempt, Phase, State, best_free_centre, label_of, stations_on
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, Status, TranscriptLine
from web.components.bar import PlayBar as AnyBar
from web.components.notices import newest_notice
from web.components.players import Face, faces
from web.components.result_stage import ResultGain, ResultMoment
from web.games.andromeda.components.last_move import last_move, signed
from web.games.andromeda.components.outcome import newest_draw, outcome
from web.http.i18n import _, lazy, ngettext, translated
from web.request.game_pages import Look

# The result of a draw, shown over the whole page: a centre, a station that goes home, or stations to put back.

SURPLUS = "surplus"


def moment(snapshot: Snapshot) -> ResultMoment | None:
    """Return the result to show if a draw or a surplus station is the newest event, else None."""
    notice = newest_notice(snapshot)
    if notice is not None and notice.kind == SURPLUS:
        return ResultMoment(
            notice.id, notice.at_ms, "back", _("Put it back"), str(translated(notice.text)), cue="unsure"
        )
    line, state = newest_draw(snapshot), snapshot.state
    attempt: Attempt | None = state.attempt or (state.tried[-1] if state.tried else None)
    if line is None or attempt is None or line.line["do"] == "stop_drawing":
        return None
    if line.line["do"] == "double_exit" and "out" not in line.line:
        return _both_back(state, line)
    return _drawn(snapshot, line, attempt) if attempt.drawn else None


def _both_back(state: State, line: TranscriptLine) -> ResultMoment:
    known = faces(state.setting.seats)
    pieces = tuple(known[colour] for colour in line.line["colours"])
    return ResultMoment(
        line.id, line.at_ms, "back", _("Put both back"), _("Both go back. No draw is used."), pieces, cue="unsure"
    )


def _drawn(snapshot: Snapshot, line: TranscriptLine, attempt: Attempt) -> ResultMoment:
    state: State = snapshot.state
    face = faces(state.setting.seats)[attempt.drawn[-1]]
    gain = ResultGain(attempt.took or 1, _total(snapshot, face))
    if attempt.took:
        place = label_of(state, attempt.planet)
        return ResultMoment(
            line.id, line.at_ms, "won", face.name, place, (face,), attempt.took, gain=gain, cue="centre"
        )
    if state.attempt is not None:
        left = ngettext("%(num)s draw left", "%(num)s draws left", attempt.draws_left)
        return ResultMoment(line.id, line.at_ms, "home", face.name, left, (face,), gain=gain, cue="home")
    return _missed(state, line, attempt, face, gain)


def _missed(state: State, line: TranscriptLine, attempt: Attempt, face: Face, gain: ResultGain) -> ResultMoment:
    """Return the end of an attempt without a centre: everybody looks at the player whose attempt it was."""
    name, place = faces(state.setting.seats)[attempt.player].name, label_of(state, attempt.planet)
    slot = best_free_centre(state, attempt.planet)
    value = 0 if slot is None else state.setting.board.planet(attempt.planet).centres[slot]
    small = _("The %(value)s at %(planet)s stays free", value=value, planet=place)
    if not any(stations_on(state, attempt.planet).values()):
        small = _("The ring is empty.")
    words = _("No centre for %(name)s", name=name)
    return ResultMoment(line.id, line.at_ms, "miss", words, small, (face,), 0, value, gain, "home")


def _total(snapshot: Snapshot, face: Face) -> int:
    """Return the score that everybody sees, without hidden credits."""
    assert snapshot.game is not None, "a score belongs to a game"
    total: int = snapshot.game.view(snapshot.state, Viewer())["players"][face.colour]["score"]["total"]
    return total


PHASES = (Phase.CARDS, Phase.TRANSPORT, Phase.TRADING, Phase.ACTIONS)
EXAMPLE_NOTE = lazy("Example values.")
PLAIN_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
HIDDEN_NOTE = lazy("Credits count at the end.")
PHASE_WORDS = {
    Phase.CARDS: lazy("cards"),
    Phase.TRANSPORT: lazy("transport"),
    Phase.TRADING: lazy("trading"),
    Phase.ACTIONS: lazy("actions"),
}


@dataclass(frozen=True)
class AndromedaBar(AnyBar):
    """The bar with the round and phase. *quiet* is for trading; *full* counts full planets."""

    where: str = ""
    phase: int | None = None
    quiet: bool = False
    full: int | None = None


@dataclass(frozen=True)
class Scored:
    """One player in the score bar: the points *gained* by the last move, and how far *behind* the leader."""

    colour: str
    letter: str
    name: str
    points: int
    small: str
    now: bool
    gained: str = ""
    behind: int = 0


def where(state: State) -> tuple[str, int | None]:
    """Return round and phase in words, and the index of the phase among the four."""
    if state.phase is Phase.SETUP:
        return _("Set-up"), None
    if state.phase is Phase.FINISHED:
        return _("After round %(num)s", num=state.round), None
    phase, at = PHASE_WORDS[state.phase], PHASES.index(state.phase)
    if state.last_round:
        return _("Last round, %(phase)s", phase=phase), at
    return _("Round %(num)s, %(phase)s", num=state.round, phase=phase), at


def bar(state: State, title: str, **more: Any) -> AndromedaBar:
    """Return the bar for *state* with *title*."""
    words, phase = where(state)
    return AndromedaBar(title, where=words, phase=phase, **more)


def score_bar(snapshot: Snapshot) -> tuple[Scored, ...]:
    """Return the scores in seat order, the same on every screen: hidden credits are left out, even one's own."""
    state: State = snapshot.state
    assert snapshot.game is not None, "a score belongs to a game"
    seen = snapshot.game.view(state, Viewer())["players"]
    on_the_move = snapshot.game.waited_for(state)
    last = last_move(snapshot)
    gained = last.points if last else {}
    lead = max(one["score"]["total"] for one in seen.values())
    return tuple(
        Scored(
            face.colour,
            face.letter,
            face.name,
            seen[face.colour]["score"]["total"],
            _("has left") if face.colour in snapshot.absent else cards_in_hand(state.players[face.colour].hand),
            face.colour in on_the_move,
            signed(gained.get(face.colour, 0)),
            lead - seen[face.colour]["score"]["total"],
        )
        for face in faces(state.setting.seats).values()
    )


def cards_in_hand(cards: int) -> str:
    """Return how many cards a hand has, in words."""
    return ngettext("%(num)s card", "%(num)s cards", cards)


def actions_left(name: str, actions: int) -> str:
    """Return the name of the player in turn, and how many actions are left."""
    return ngettext("%(name)s, %(num)s action left", "%(name)s, %(num)s actions left", actions, name=name)


def score_note(state: State) -> str:
    """Return the notes that must be shown with any score."""
    notes = []
    if state.setting.board.example:
        notes.append(translated(EXAMPLE_NOTE))
    if state.options.show_bonus_credits == "end" and not state.finished:
        notes.append(translated(HIDDEN_NOTE))
    return " ".join(notes)


@dataclass(frozen=True)
class PlanetLook:
    """How a planet is drawn: its symbol, and its colour on this copy's board if that is a plain one."""

    symbol: str
    tint: str


def planet_look(planet: Planet) -> PlanetLook:
    """Return how *planet* is drawn. A board may choose another symbol and a colour."""
    symbol = planet.symbol if planet.symbol in PLANETS else planet.id
    return PlanetLook(symbol, planet.colour if PLAIN_COLOUR.fullmatch(planet.colour) else "")


def surroundings(look: Look, bar: AndromedaBar) -> dict[str, Any]:
    """Return the values that all templates use."""
    state: State = look.state
    return {
        "bar": bar,
        "faces": faces(state.setting.seats),
        "looks": {planet.id: planet_look(planet) for planet in state.setting.board.planets},
        "scores": score_bar(look.snapshot),
        "score_note": score_note(state),
        "example": state.setting.board.example,
        "notice": newest_notice(look.snapshot),
        "left_over": None
        if look.snapshot.left_over is None or look.snapshot.left_over.left_open
        else look.snapshot.left_over,
        "outcome": outcome(look.snapshot),
        "moment": moment(look.snapshot),
        "may_play": look.may_act and look.snapshot.status in (Status.LIVE, Status.FINISHED),
        "round": state.round,
        "last_round": state.last_round,
        "finished": state.finished,
    }

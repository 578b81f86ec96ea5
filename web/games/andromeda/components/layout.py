"""The frame of every page: the bar, the scores, notes, and the moments (results that cover the page for seconds)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.state import Phase, State
from companion.kernel.said import said
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, Status
from web.components.bar import PlayBar as AnyBar
from web.components.players import faces
from web.games.andromeda.components.board import planet_look
from web.games.andromeda.components.last_move import last_move, outcome, signed
from web.games.andromeda.components.moments import moments
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look

PHASES = (Phase.CARDS, Phase.TRANSPORT, Phase.TRADING, Phase.ACTIONS)
EXAMPLE_NOTE = said("Example values.")
HIDDEN_NOTE = said("Credits count at the end.")
PHASE_WORDS = {
    Phase.CARDS: said("cards"),
    Phase.TRANSPORT: said("transport"),
    Phase.TRADING: said("trading"),
    Phase.ACTIONS: said("actions"),
}


@dataclass(frozen=True)
class AndromedaBar(AnyBar):
    """The bar with the round and phase. *quiet* is its style during trading; *full* is the number of full planets."""

    where: str = ""
    phase: int | None = None
    quiet: bool = False
    full: int | None = None


@dataclass(frozen=True)
class Scored:
    """One player in the score bar. *gained* are the points of the last move; *behind* is the distance to the leader."""

    colour: str
    letter: str
    name: str
    points: int
    small: str
    now: bool
    gained: str = ""
    behind: int = 0


def where(state: State) -> tuple[str, int | None]:
    """Return the round and phase in words, and the index of the phase (of four), or None outside of them."""
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
    """Return the scores in seat order.

    They are the same on every screen, without hidden credits, even the viewer's own.
    """
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
    """Return a number of cards in a hand, in words."""
    return ngettext("%(num)s card", "%(num)s cards", cards)


def actions_left(name: str, actions: int) -> str:
    """Return the name of the player in turn and the number of actions left, in words."""
    return ngettext("%(name)s, %(num)s action left", "%(name)s, %(num)s actions left", actions, name=name)


def score_note(state: State) -> str:
    """Return the notes that must be shown with any score."""
    notes = []
    if state.setting.board.example:
        notes.append(translated(EXAMPLE_NOTE))
    if state.options.show_bonus_credits == "end" and not state.finished:
        notes.append(translated(HIDDEN_NOTE))
    return " ".join(notes)


def surroundings(look: Look, bar: AndromedaBar) -> dict[str, Any]:
    """Return the template values that all pages share."""
    state: State = look.state
    return {
        "bar": bar,
        "faces": faces(state.setting.seats),
        "looks": {planet.id: planet_look(planet) for planet in state.setting.board.planets},
        "scores": score_bar(look.snapshot),
        "score_note": score_note(state),
        "example": state.setting.board.example,
        "notice": look.snapshot.newest_notice,
        "left_over": None
        if look.snapshot.left_over is None or look.snapshot.left_over.left_open
        else look.snapshot.left_over,
        "outcome": outcome(look.snapshot),
        "moments": moments(look.snapshot),
        "may_play": look.may_act and look.snapshot.status in (Status.LIVE, Status.FINISHED),
        "round": state.round,
        "last_round": state.last_round,
        "finished": state.finished,
    }

"""The frame of every page of the wreck: the bar, the scores, and the possessions of each player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.wreck.dice import SYMBOLS
from companion.games.wreck.scoring import Score, scores
from companion.games.wreck.state import ROUNDS, Phase, State
from companion.games.wreck.view import waited_for
from companion.kernel.said import said
from companion.model.snapshot import Snapshot, Status
from web.components.bar import Band, PlayBar, step_mark, whose_turn
from web.components.players import faces
from web.http.i18n import _, translated
from web.request.game_pages import Look


@dataclass(frozen=True)
class Scored:
    """One player in the score bar."""

    colour: str
    letter: str
    name: str
    points: int
    small: str
    now: bool
    behind: int = 0
    gained: str = ""
    order: int = 0


PHASES = {Phase.OFFERS: said("offers"), Phase.TURNS: said("turns"), Phase.CLEANUP: said("clean-up")}
"""The phases of a round, in order."""


def where(state: State) -> str:
    """Return the round, the number of rounds and the phase, in words."""
    if state.phase is Phase.SETUP:
        return _("Set-up")
    if state.finished:
        return _("After round %(num)s", num=state.round)
    phase = translated(PHASES[state.phase])
    return _("Round %(num)s of %(all)s, %(phase)s", num=state.round, all=ROUNDS, phase=phase)


def score_bar(snapshot: Snapshot) -> tuple[Scored, ...]:
    """Return each player with their KP (control points), in seat order."""
    state: State = snapshot.state
    points, moving = scores(state), waited_for(state)
    return tuple(
        Scored(
            face.colour,
            face.letter,
            face.name,
            points[face.colour].total,
            _("has left")
            if face.colour in snapshot.absent
            else came_from(points[face.colour])
            if state.finished
            else _("trained %(num)s", num=state.players[face.colour].species),
            face.colour in moving,
            order=0 if state.finished or face.colour in snapshot.absent else state.players[face.colour].order,
        )
        for face in faces(state.setting.seats).values()
    )


def surroundings(look: Look, heading: PlayBar) -> dict[str, Any]:
    """Return the template values that all pages share. A phone may play when its own seat must act."""
    state: State = look.state
    own_turn = look.viewer.seat is None or look.viewer.seat in waited_for(state)
    return {
        "bar": heading,
        "where": where(state),
        "phases": tuple(PHASES) if state.phase in PHASES else (),
        "faces": faces(state.setting.seats),
        "scores": score_bar(look.snapshot),
        "threshold": state.setting.threshold,
        "state": state,
        "notice": look.snapshot.newest_notice,
        "may_play": look.may_act and own_turn and look.snapshot.status in (Status.LIVE, Status.FINISHED),
        "own": look.viewer.seat or "",
        "finished": state.finished,
        "cards": card_rows(state),
    }


def band(look: Look, own: str, heading: PlayBar) -> Band:
    """Return the band of the phone of *own*."""
    state: State = look.state
    known = faces(state.setting.seats)
    (mover,) = waited_for(state)
    mine, left = mover == own, heading.used + heading.left
    return Band(
        known[own],
        whose_turn(known[mover], mine),
        where(state),
        _("%(points)s of %(kp)s KP", points=scores(state)[own].total, kp=state.setting.threshold),
        heading.left_words if mine and left else "",
        heading.used if mine else 0,
        heading.left if mine else 0,
        step_mark(look.snapshot, mine),
    )


@dataclass(frozen=True)
class Holder:
    """A player's possessions outside of the ship: order card, dice, researchers, teleporters, markers."""

    colour: str
    letter: str
    name: str
    order: int
    dice: tuple[tuple[str, int], ...]
    supply: int
    trained: int
    teleporters: int
    vaccines: int
    place: int
    place_name: str
    species: str
    missions: int
    now: bool


def card_rows(state: State) -> tuple[Holder, ...]:
    """Return each player's possessions outside of the ship, in seat order."""
    moving = waited_for(state)
    rows = []
    for face in faces(state.setting.seats).values():
        player, species = state.players[face.colour], state.setting.species_of(face.colour)
        dice = tuple((symbol, count) for symbol, count in zip(SYMBOLS, player.dice, strict=True) if count)
        beside = (player.supply, player.species, player.teleporters, player.vaccines, player.place)
        named = (species.place.name or _("Own place")) if species.place else ""
        rows.append(
            Holder(
                face.colour,
                face.letter,
                face.name,
                player.order,
                dice,
                *beside,
                named,
                species.name,
                len(player.missions),
                face.colour in moving,
            )
        )
    return tuple(rows)


def came_from(score: Score) -> str:
    """Return in words where the KP came from, without sources that gave none."""
    parts = (
        (score.rooms, _("rooms %(num)s", num=score.rooms)),
        (score.missions, _("missions %(num)s", num=score.missions)),
        (score.cards, _("cards %(num)s", num=score.cards)),
    )
    return ", ".join(words for count, words in parts if count)

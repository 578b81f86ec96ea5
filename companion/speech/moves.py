"""Sentences about the moves of any game: about its events, about the seat that must act, and about the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from companion.kernel.said import Said, all_of, said
from companion.model.game import AnyGame
from companion.model.speech import RESULT, TURN, Utterance, Verbosity

CORRECTION = said("Correction.")


def of_events(game: AnyGame, state: Any, events: Iterable[Any]) -> tuple[tuple[Utterance, ...], Any]:
    """Return the sentences about *events* and the state after them. *state* is the state before the first event."""
    said_of: list[Utterance] = []
    for event in events:
        if game.speech is not None:
            said_of += game.speech.uttered(state, event)
        state = game.evolve(state, event)
    return tuple(said_of), state


def turn(game: AnyGame, state: Any) -> tuple[Utterance, ...]:
    """Return the announcement of the seat that must act, in the game's own words or with the player's name.

    It is empty while several players must act.
    """
    if game.speech is not None:
        own = game.speech.turn(state)
        return () if own is None else (own,)
    names = {seat.colour: seat.name for seat in game.seats(state)}
    movers = game.waited_for(state)
    if len(movers) != 1:
        return ()
    return (Utterance(said("It's %(name)s's turn.", name=names[movers[0]]), movers, Verbosity.FEW, TURN),)


def result(game: AnyGame, state: Any) -> tuple[Utterance, ...]:
    """Return the announcement of the result; it is empty before the end of the game."""
    ended = game.result(state)
    if ended is None:
        return ()
    names = all_of([seat.name for seat in game.seats(state) if seat.colour in ended.winners])
    why = ended.why if isinstance(ended.why, Said) else said("%(names)s wins.", names=names)
    return (Utterance(why, (), Verbosity.FEW, RESULT),)


def put_right(gone: Sequence[Utterance], new: Sequence[Utterance]) -> tuple[Utterance, ...]:
    """Return the sentences to say at once after a correction: those of *new* that are not in *gone*."""
    before, after = [one.text for one in gone], [one.text for one in new]
    fresh = tuple(one for one in new if one.text not in before)
    stale = tuple(one for one in gone if one.text not in after and one.words <= Verbosity.USUAL)
    if fresh:
        return (Utterance(CORRECTION, (), _least(fresh), "", True), *fresh)
    return tuple(_unsaid(one) for one in stale[:1])


def _unsaid(one: Utterance) -> Utterance:
    return replace(one, text=said("Taken back: %(what)s", what=one.text), at_once=True)


def _least(said_of: Sequence[Utterance]) -> Verbosity:
    return min(one.words for one in said_of)

"""What is said aloud of a draw table: who drew what, what went in, what the tower let go."""

from __future__ import annotations

from typing import assert_never

from companion.games.draws import events as happened
from companion.games.draws.cubes import Cubes, total
from companion.games.draws.state import State, name_of
from companion.kernel.i18n import Said, all_of, said, said_n, word
from companion.model.speech import RING, TURN, Utterance, Verbosity


class DrawSpeech:
    """Who has the ring, and what each event did."""

    def turn(self, state: State) -> Utterance | None:
        """Return who has the ring, None where nobody in particular has."""
        if not state.taker or state.finished:
            return None
        text = said("%(name)s draws.", name=name_of(state, state.taker))
        return Utterance(text, (state.taker,), Verbosity.FEW, TURN)

    def uttered(self, before: State, event: happened.Event) -> tuple[Utterance, ...]:
        """Return what is said of *event*."""
        match event:
            case happened.Drawn():
                return (_drawn(before, event),)
            case happened.Taken(player, _):
                if not player or player == before.taker:
                    return ()
                return (Utterance(said("%(name)s has the ring.", name=name_of(before, player)), (player,)),)
            case happened.PutIn(cubes):
                return _of_all(said_n("%(num)s cube goes in.", "%(num)s cubes go in.", total(cubes)))
            case happened.WentBack(_, cubes):
                return _of_all(said_n("%(num)s cube goes back in.", "%(num)s cubes go back in.", total(cubes)))
            case happened.Thrown(cubes):
                return _of_all(said("Into the tower: %(cubes)s.", cubes=named(cubes)))
            case happened.CameOut(cubes):
                return _of_all(said("Out of the tower: %(cubes)s.", cubes=named(cubes)))
            case happened.Corrected() | happened.Finished():
                return ()  # who counts sees what lies there, and the result is said by itself
            case _:
                assert_never(event)


def named(cubes: Cubes) -> Said:
    """Return a handful as one says it: 2 red and 1 blue."""
    return all_of([said("%(num)s %(colour)s", num=count, colour=word(colour)) for colour, count in cubes])


def _drawn(before: State, event: happened.Drawn) -> Utterance:
    one = len(event.cubes) == 1 and total(event.cubes) == 1
    what = word(event.cubes[0][0]) if one else named(event.cubes)
    seats = (event.player,) if event.player else ()
    if not event.player:
        return Utterance(said("Drawn: %(cubes)s.", cubes=what), seats, Verbosity.USUAL, RING)
    name = name_of(before, event.player)
    return Utterance(said("%(name)s draws %(cubes)s.", name=name, cubes=what), seats, Verbosity.USUAL, RING)


def _of_all(text: Said) -> tuple[Utterance, ...]:
    return (Utterance(text),)


SPEECH = DrawSpeech()

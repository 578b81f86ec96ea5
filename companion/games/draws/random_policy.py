"""Random legal play for simulations and property tests, and the invariants to check after every event."""

from __future__ import annotations

from random import Random

from companion.games.draws import corrections, drawing, tower, turns
from companion.games.draws.rules import Command
from companion.games.draws.state import MOST_PLAYERS, State
from companion.kernel.fields import Line

COLOURS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple", "brown", "grey", "pink", "wood")
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hana")
MEAN_LINES = 60
ACTS = (*drawing.AT_RANDOM, *tower.AT_RANDOM, *turns.AT_RANDOM, *corrections.AT_RANDOM)
WEIGHTS = [weight for weight, _ in ACTS]


def header(players: int, lots: Random, any_rulings: bool = False) -> Line:
    """Return the game's part of a record header. With *any_rulings*, it has a tower, and draws sometimes go back."""
    seats = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, NAMES, strict=False)][:players]
    colours = lots.sample(COLOURS, lots.randint(1, len(COLOURS)))
    own: dict[str, object] = {"players": seats, "contents": {colour: lots.randint(0, 12) for colour in colours}}
    if any_rulings:
        own |= {"tower": {colours[0]: lots.randint(0, 5)}, "back": lots.random() < 0.3}
    return own


def command(state: State, lots: Random) -> Command:
    """Return a legal command. It must not be called after the end."""
    if lots.random() < 1 / MEAN_LINES:
        return turns.Finish()
    ((_, act),) = lots.choices(ACTS, WEIGHTS)
    player = lots.choice((None, *state.seats))
    return act(state, player, lots) or drawing.put_at_random(state, player, lots)


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for each invariant that *state* violates. The result is empty if there is none."""
    faults = []
    counts = (state.inside, state.stuck, state.outside, *state.holds.values(), *state.drew.values())
    if any(count < 0 for part in counts for count in part.values()):
        faults.append("a count is below nought")
    if len(set(state.colours)) != len(state.colours) or set(state.inside) != set(state.colours):
        faults.append("a colour is there twice, or nowhere")
    for seat, held in state.holds.items():
        if any(count > state.drew.get(seat, {}).get(colour, 0) for colour, count in held.items()):
            faults.append(f"{seat or 'the table'} holds what was never drawn")
    return tuple(faults)


class _RandomPlay:
    """Random play of this game, as the simulation uses it."""

    players = tuple(range(MOST_PLAYERS + 1))
    header = staticmethod(header)
    command = staticmethod(command)
    broken = staticmethod(broken)

    def rounds(self, state: State) -> int:
        """Return 1: an open table has no rounds."""
        return 1


RANDOM_PLAY = _RandomPlay()

"""Random legal play for simulations and property tests, and the invariants to check after every event."""

from __future__ import annotations

from random import Random

from companion.games.draws import commands as asked
from companion.games.draws.commands import Command
from companion.games.draws.cubes import Cubes, not_none
from companion.games.draws.rules import nothing_outside
from companion.games.draws.state import MOST_PLAYERS, State, outside, stuck
from companion.kernel.fields import Line

COLOURS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple", "brown", "grey", "pink", "wood")
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hana")
MEAN_LINES = 60
KINDS = ("draw", "return", "put", "throw", "out", "take", "correct")
WEIGHTS = (24, 4, 2, 5, 5, 4, 1)


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
        return asked.Finish()
    kind = lots.choices(KINDS, WEIGHTS)[0]
    return _command(state, kind, lots) or asked.Put(((lots.choice(state.colours), 1),))


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for each invariant that *state* violates. The result is empty if there is none."""
    faults = []
    counts = (state.inside, stuck(state), outside(state), *state.holds.values(), *state.drew.values())
    if any(count < 0 for part in counts for count in part.values()):
        faults.append("a count is below nought")
    if len(set(state.colours)) != len(state.colours) or set(state.inside) != set(state.colours):
        faults.append("a colour is there twice, or nowhere")
    for seat, held in state.holds.items():
        if any(count > state.drew.get(seat, {}).get(colour, 0) for colour, count in held.items()):
            faults.append(f"{seat or 'the table'} holds what was never drawn")
    return tuple(faults)


def _command(state: State, kind: str, lots: Random) -> Command | None:
    player = lots.choice((None, *state.seats))
    match kind:
        case "draw":
            cubes = _some(state.inside, lots, 1 if lots.random() < 0.8 else 3)
            return asked.Draw(cubes, player, lots.choice((None, None, None, True, False))) if cubes else None
        case "return":
            return None if nothing_outside(state) else asked.Return()
        case "throw":
            return asked.Throw(((lots.choice(state.colours), lots.randint(1, 5)),), player)
        case "out":
            cubes = _some(stuck(state), lots, 3)
            return asked.Out(cubes, player) if cubes else None
        case "take":
            taken = asked.Take(player, lots.choice((None, True, False)))
            changed = (player or "", state.back if taken.back is None else taken.back) != (state.taker, state.back)
            return taken if changed else None
        case "correct":
            colour = lots.choice(state.colours)
            return asked.Correct("counted", asked.Counted("inside", ((colour, state.inside[colour] + 1),)))
        case _:
            return None


def _some(there: Line, lots: Random, most: int) -> Cubes:
    """Choose up to *most* cubes at random."""
    bag = [colour for colour, count in not_none(there) for _ in range(count)]
    out = lots.sample(bag, min(len(bag), lots.randint(1, most)))
    return tuple((colour, out.count(colour)) for colour in dict.fromkeys(out))


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

"""The strategy of simulated players in a demonstration game: legal, plausible and varied moves."""

from __future__ import annotations

from random import Random

from companion.games.wreck import contamination, missions, offers, researchers, rounds, technologies
from companion.games.wreck.dice import symbols_of
from companion.games.wreck.offers import most_offered
from companion.games.wreck.researchers import CALLED, TRAINED
from companion.games.wreck.rooms import ROOMS
from companion.games.wreck.rules import Command, actions, legal
from companion.games.wreck.state import Phase, State, own
from companion.games.wreck.view import waited_for

DECLINES, MISSIONS = 0.4, 0.25
SMALL_OFFER = 3


def command(state: State, lots: Random) -> Command:
    """Return a legal command for the seat that must act. It must not be called after the end."""
    (seat,) = waited_for(state)
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP if state.open_due:
            return missions.Open(None)
        case Phase.SETUP | Phase.CLEANUP:
            return offers.at_random(state, seat, lots)
        case Phase.OFFERS:
            return _offer(state, seat, lots)
        case Phase.TURNS if state.players[seat].contamination:
            return contamination.at_random(state, seat, lots)
        case Phase.TURNS:
            return _turn(state, seat, lots)
        case Phase.FINISHED:
            raise AssertionError("asked after the end")


def _offer(state: State, seat: str, lots: Random) -> Command:
    pool = symbols_of(state.pool)
    if state.offer is None:
        count = lots.randint(1, min(SMALL_OFFER, most_offered(state)))
        return offers.Offer(seat, tuple(lots.sample(pool, count)))
    if not state.offer.forced and lots.random() < DECLINES:
        return offers.Decline(seat)
    wanted = [die for die in pool if die != "contamination"]
    return offers.Accept(seat, lots.choice(wanted) if wanted else None)


def _turn(state: State, seat: str, lots: Random) -> Command:
    """Return the next command of a turn: explore, use a die fully, spread out, or perhaps choose a mission."""
    possible = [each for each in actions(state, seat) if legal(state, each)]
    for worth in (_explores, _pays_best, _spreads):
        best = [each for each in possible if worth(state, seat, each)]
        if best:
            return lots.choice(best)
    mission = missions.easiest(seat)
    if lots.random() < MISSIONS and legal(state, mission):
        return mission
    return rounds.EndTurn(seat)


def _explores(state: State, seat: str, command: Command) -> bool:
    """Return whether *command* opens a room that gives KP with a die that is hardly useful for anything else."""
    match command:
        case researchers.Explore(_, "move" | "technology", source, _, room):
            return own(state, seat, source) > 1 and ROOMS[room].kp > 0
        case _:
            return False


def _pays_best(state: State, seat: str, command: Command) -> bool:
    """Return whether *command* uses its die fully."""
    match command:
        case researchers.Train(_, "training", count):
            return count == min(TRAINED["training"], state.players[seat].supply)
        case researchers.Call(_, die, to):
            return len(to) >= min(CALLED[die], state.players[seat].species)
        case technologies.Teleport(_, room):
            return room is not None and room != "airlock"
        case _:
            return False


def _spreads(state: State, seat: str, command: Command) -> bool:
    """Return whether *command* is a step from a room with many of the player's researchers into a room with few."""
    match command:
        case researchers.Move(_, _, ((source, target),)):
            return own(state, seat, source) > own(state, seat, target) + 1
        case _:
            return False

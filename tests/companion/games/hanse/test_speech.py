"""Speech in Die Kosmische Hanse: turns, questions, and Megagalax gained."""

from __future__ import annotations

from companion.games.hanse import GAME
from companion.model.speech import Verbosity
from tests.companion.games.hanse.voyage import Voyage, sides


def turn(voyage):
    """Return the sentence that announces the turn."""
    said = GAME.speech.turn(voyage.game)
    return None if said is None else str(said.text)


def told(voyage, player, do, **fields):
    """Play a line, and return the sentences that are spoken for it."""
    state, found = voyage.game, []
    for event in GAME.decide(state, GAME.parse({"do": do, "player": player, **fields})):
        found += GAME.speech.uttered(state, event)
        state = GAME.evolve(state, event)
    voyage(player, do, **fields)
    return [str(each.text) for each in found]


def test_everybody_hears_whose_turn_it_is():
    """Speech: the choice, the planet, each turn, and the answer to a card are announced."""
    voyage = Voyage().set_out()
    assert turn(Voyage()) is None
    assert turn(voyage) == "Ana, move first or name the planet?"
    assert turn(voyage("red", "choose", take="first")) == "Ben, where do both ships start?"
    assert turn(voyage("blue", "start", planet="p3")) == "Ana's turn."
    assert turn(voyage("red", "intervene", card="agent")) == "Ben, allow it?"
    assert turn(voyage("blue", "allow")) == "Ana goes on."


def test_a_delivery_is_told(voyage):
    """Speech: the roll, the landing, the Megagalax gained and the pair that leaves are announced."""
    voyage.bare("p1").carrying("p13 p12")
    assert told(voyage, "red", "roll", dice=[1, 4]) == ["Ana has 5 energy."]
    assert told(voyage, "red", "fly", to="o2") == []
    assert told(voyage, "red", "fly", to="p1") == ["Ana lands on Coronis."]
    assert told(voyage, "red", "unload", container=0) == ["Ana gains 7 Megagalax."]
    assert told(voyage, "red", "flip", cards=sides("p32 p33")) == ["Two goods for Vinau II leave the game."]


def test_ways_that_are_no_flight_of_their_own_are_told(voyage):
    """Speech: a hyperjump and a flight through the sun are announced."""
    voyage.owning(hyperjump_inward=1)
    assert told(voyage, "red", "hyperjump", direction="inward") == ["Ana jumps: Coronis's orbit."]
    voyage("red", "intervene", card="sun_tunnel")("blue", "allow").rolled(3)
    assert told(voyage, "red", "tunnel") == ["Ana flies through the sun."]


def test_cards_are_told(voyage):
    """Speech: cards that are bought, played and neutralised are announced."""
    voyage.correct(megagalax=5)
    assert told(voyage, "red", "buy", card="container") == ["Ana buys Container."]
    assert told(voyage, "red", "intervene", card="agent") == ["Ana plays Agent Infiltration."]
    assert told(voyage, "blue", "neutralise") == ["Ben neutralises it."]

    said = GAME.speech.turn(voyage.game)
    assert said is not None and said.words is Verbosity.FEW


def test_a_correction_does_not_wait(voyage):
    """Speech: a correction is announced at once, since earlier sentences may be wrong now."""
    (event,) = GAME.decide(voyage.game, GAME.parse({"do": "correct", "player": "red", "reason": "so", "hand": 3}))
    (said,) = GAME.speech.uttered(voyage.game, event)

    assert said.at_once and str(said.text) == "Correction for Ana."

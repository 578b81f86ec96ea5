"""What the table says aloud of a game of Die Kosmische Hanse: whose turn it is, and what others would like to hear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.hanse import events as happened
from companion.games.hanse.cards import LABELS
from companion.games.hanse.places import INNERMOST, OUTERMOST, PLANETS, label_of
from companion.games.hanse.state import Phase, State, name_of, naming, other, turn_of
from companion.kernel.i18n import Said, said, said_n
from companion.model.speech import TURN, Utterance, Verbosity

Sayings = tuple[Utterance, ...]


class HanseSpeech:
    """Whose turn it is, and what each event did."""

    def turn(self, state: State) -> Utterance | None:
        """Return who is on the move, and with what."""
        match state.phase:
            case Phase.CHOICE:
                younger = state.setting.younger
                return _asked(said("%(name)s, move first or name the planet?", name=name_of(state, younger)), younger)
            case Phase.PLANET:
                namer = naming(state)
                return _asked(said("%(name)s, where do both ships start?", name=name_of(state, namer)), namer)
            case Phase.TURN:
                return _turn(state)
            case Phase.ANSWER:
                against = other(state, turn_of(state).player)
                return _asked(said("%(name)s, allow it?", name=name_of(state, against)), against)
            case _:
                return None

    def uttered(self, before: State, event: Any) -> Sayings:
        """Return what is said of *event*; of most that others can see, one sentence."""
        return () if type(event) in SILENT else TELLERS[type(event)](before, event)


def _asked(text: Said, seat: str) -> Utterance:
    return Utterance(text, (seat,), Verbosity.FEW, TURN)


def _turn(state: State) -> Utterance:
    turn = turn_of(state)
    name = name_of(state, turn.player)
    if turn.begun:
        return _asked(said("%(name)s goes on.", name=name), turn.player)
    return _asked(said("%(name)s's turn.", name=name), turn.player)


def _one(text: Said, seat: str, words: Verbosity = Verbosity.USUAL) -> Sayings:
    return (Utterance(text, (seat,), words),)


def _rolled(before: State, event: happened.Rolled) -> Sayings:
    name = name_of(before, event.player)
    text = said_n("%(name)s has %(num)s energy.", "%(name)s has %(num)s energy.", event.energy, name=name)
    return _one(text, event.player)


def _flown(before: State, event: happened.Flown) -> Sayings:
    name = name_of(before, event.player)
    if event.to not in PLANETS:
        return ()
    return _one(said("%(name)s lands on %(planet)s.", name=name, planet=label_of(event.to)), event.player)


def _tunnelled(before: State, event: happened.Tunnelled) -> Sayings:
    return _one(said("%(name)s flies through the sun.", name=name_of(before, event.player)), event.player)


def _jumped(before: State, event: happened.Hyperjumped) -> Sayings:
    place = label_of(INNERMOST if event.direction == "inward" else OUTERMOST)
    return _one(said("%(name)s jumps: %(place)s.", name=name_of(before, event.player), place=place), event.player)


def _loaded(before: State, event: happened.Loaded) -> Sayings:
    names = {"name": name_of(before, event.player), "planet": label_of(event.to)}
    return _one(said("%(name)s loads for %(planet)s.", **names), event.player, Verbosity.ALL)


def _gained(before: State, event: happened.Unloaded | happened.PassengerLanded) -> Sayings:
    name = name_of(before, event.player)
    text = said_n("%(name)s gains %(num)s Megagalax.", "%(name)s gains %(num)s Megagalax.", event.gained, name=name)
    return _one(text, event.player, Verbosity.FEW)


def _bought(before: State, event: happened.Bought) -> Sayings:
    names = {"name": name_of(before, event.player), "card": LABELS[event.card]}
    return _one(said("%(name)s buys %(card)s.", **names), event.player)


def _intervened(before: State, event: happened.Intervened) -> Sayings:
    names = {"name": name_of(before, event.player), "card": LABELS[event.card]}
    return _one(said("%(name)s plays %(card)s.", **names), event.player, Verbosity.FEW)


def _neutralised(before: State, event: happened.Neutralised) -> Sayings:
    return _one(said("%(name)s neutralises it.", name=name_of(before, event.player)), event.player, Verbosity.FEW)


def _flipped(before: State, event: happened.Flipped) -> Sayings:
    if not event.leave:
        return ()
    planet = label_of(event.cards[event.leave[0]].to)
    return (Utterance(said("Two goods for %(planet)s leave the game.", planet=planet), (), Verbosity.USUAL),)


def _corrected(before: State, event: happened.Corrected) -> Sayings:
    text = said("Correction for %(name)s.", name=name_of(before, event.player))
    return (Utterance(text, (event.player,), Verbosity.USUAL, "", True),)


TELLERS: Mapping[type, Callable[[State, Any], Sayings]] = {
    happened.Rolled: _rolled,
    happened.Flown: _flown,
    happened.Tunnelled: _tunnelled,
    happened.Hyperjumped: _jumped,
    happened.Loaded: _loaded,
    happened.Unloaded: _gained,
    happened.PassengerLanded: _gained,
    happened.Bought: _bought,
    happened.Intervened: _intervened,
    happened.Neutralised: _neutralised,
    happened.Flipped: _flipped,
    happened.Corrected: _corrected,
}
SILENT: Mapping[type, str] = {
    happened.GoodsLaid: "everybody looks at the cards that lie there",
    happened.StarterChosen: "the question after it says who moves first",
    happened.ShipsPlaced: "the first turn says that the game begins",
    happened.TurnBegan: "the announcement of the turn says it",
    happened.TurnEnded: "the announcement of the next turn says it",
    happened.ActionUsed: "the action itself is said",
    happened.Allowed: "what the player then does is said",
    happened.Granted: "the card that grants it is said",
    happened.ContentsExchanged: "the card that does it is said",
    happened.ShipsExchanged: "the card that does it is said",
    happened.Reshuffled: "the card that does it is said",
    happened.GameEnded: "the narrator says the result",
}
"""What is never said aloud, and why nobody misses it."""
SPEECH = HanseSpeech()

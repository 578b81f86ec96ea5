"""What the table says aloud of a game of the wreck: whose turn it is, who takes what, and what is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.wreck import changes as changed
from companion.games.wreck import events as happened
from companion.games.wreck.changes import PLACE, SPECIES, SUPPLY
from companion.games.wreck.dice import SYMBOLS, Dice
from companion.games.wreck.rooms import label_of
from companion.games.wreck.scoring import scores
from companion.games.wreck.state import Phase, State, name_of
from companion.games.wreck.terms import symbol, technology_name
from companion.kernel.i18n import Said, all_of, listed, said, said_n
from companion.model.speech import TURN, Utterance, Verbosity

Sayings = tuple[Utterance, ...]


class WreckSpeech:
    """Whose turn it is, and what each event did."""

    def turn(self, state: State) -> Utterance | None:
        """Return who is on the move, and with what."""
        match state.phase:
            case Phase.SETUP:
                return _asked(state, said("%(name)s opens a mission and rolls.", **_of(state, state.starter)))
            case Phase.CLEANUP:
                return _asked(state, said("Clean-up. %(name)s opens a mission and rolls.", **_of(state, state.starter)))
            case Phase.OFFERS:
                return _offers(state)
            case Phase.TURNS:
                return _turn(state)
            case _:
                return None

    def uttered(self, before: State, event: Any) -> Sayings:
        """Return what is said of *event*; of most that others can see, one sentence."""
        return () if type(event) in SILENT else TELLERS[type(event)](before, event)


def named_dice(dice: Dice) -> Said:
    """Return dice as one says them: 2 Training, 1 Support."""
    there = [
        Said("%(count)s %(symbol)s", {"count": count, "symbol": symbol(face)})
        for face, count in zip(SYMBOLS, dice, strict=True)
        if count
    ]
    return listed(there) if there else said("none")


def _asked(state: State, text: Said, seat: str = "") -> Utterance:
    return Utterance(text, (seat or state.starter,), Verbosity.FEW, TURN)


def _of(state: State, colour: str) -> dict[str, str]:
    return {"name": name_of(state, colour)}


def _offers(state: State) -> Utterance:
    offer = state.offer
    if offer is None:
        return _asked(state, said("%(name)s, offer dice.", **_of(state, state.offerer)), state.offerer)
    if offer.forced:
        return _asked(state, said("%(name)s has to take the offer.", **_of(state, offer.by)), offer.by)
    return _asked(state, said("%(name)s, take the offer?", **_of(state, offer.asked)), offer.asked)


def _turn(state: State) -> Utterance:
    dice, names = state.players[state.turn].contamination, _of(state, state.turn)
    if not dice:
        return _asked(state, said("%(name)s's turn.", **names), state.turn)
    text = said_n(
        "%(name)s's turn: %(num)s contamination first.", "%(name)s's turn: %(num)s contaminations first.", dice, **names
    )
    return _asked(state, text, state.turn)


def _one(text: Said, seat: str, words: Verbosity = Verbosity.USUAL) -> Sayings:
    return (Utterance(text, (seat,), words),)


def _opened(before: State, event: happened.MissionOpened) -> Sayings:
    if event.card is None or not event.card.name:
        return (Utterance(said("A general mission lies open.")),)
    return (Utterance(said("General mission: %(mission)s, %(num)s KP.", mission=event.card.name, num=event.card.kp)),)


def _rolled(before: State, event: happened.DiceRolled) -> Sayings:
    return (Utterance(said("Round %(num)s: %(dice)s.", num=event.number, dice=named_dice(event.dice))),)


def _offered(before: State, event: happened.OfferMade) -> Sayings:
    return _one(
        said("%(name)s offers %(dice)s.", dice=named_dice(event.dice), **_of(before, event.player)), event.player
    )


def _accepted(before: State, event: happened.OfferTaken) -> Sayings:
    assert before.offer is not None, "an offer is taken that lies there"
    text = said("%(name)s takes card %(num)s.", num=before.offer.order, **_of(before, event.player))
    return _one(text, event.player)


def _cleaned(before: State, event: happened.ContaminationEnded) -> Sayings:
    if not event.vaccines:
        return ()
    text = said_n(
        "%(name)s uses %(num)s vaccine marker.",
        "%(name)s uses %(num)s vaccine markers.",
        event.vaccines,
        **_of(before, event.player),
    )
    return _one(text, event.player)


def _removed(before: State, event: happened.ResearchersRemoved) -> Sayings:
    if not event.rooms:
        return ()
    text = said_n(
        "%(name)s loses %(num)s researcher.",
        "%(name)s loses %(num)s researchers.",
        len(event.rooms),
        **_of(before, event.player),
    )
    return _one(text, event.player)


def _called(before: State, event: happened.ResearchersCalled) -> Sayings:
    text = said_n(
        "%(name)s calls %(num)s researcher: %(rooms)s.",
        "%(name)s calls %(num)s researchers: %(rooms)s.",
        len(event.rooms),
        rooms=_rooms(event.rooms),
        **_of(before, event.player),
    )
    return _one(text, event.player)


def _stepped(before: State, event: happened.ResearchersStepped) -> Sayings:
    rooms = _rooms(tuple(target for _, target in event.steps))
    return _one(said("%(name)s moves: %(rooms)s.", rooms=rooms, **_of(before, event.player)), event.player)


def _rooms(rooms: tuple[str, ...]) -> Said:
    return all_of([label_of(room) for room in dict.fromkeys(rooms)])


def _moved(before: State, event: changed.ResearchersMoved) -> Sayings:
    names = _of(before, event.colour)
    if (event.source, event.target) == (SUPPLY, SPECIES):
        text = said_n(
            "%(name)s trains %(num)s researcher.", "%(name)s trains %(num)s researchers.", event.count, **names
        )
    else:
        text = said_n(
            "%(num)s researcher of %(name)s's, from %(source)s to %(target)s.",
            "%(num)s researchers of %(name)s's, from %(source)s to %(target)s.",
            event.count,
            source=_place(before, event.colour, event.source),
            target=_place(before, event.colour, event.target),
            **names,
        )
    return _one(text, event.colour)


def _place(state: State, colour: str, place: str) -> str:
    altar = state.setting.species_of(colour).place
    if place == PLACE:
        return altar.name if altar else said("the species' own place")
    return {SUPPLY: said("the supply"), SPECIES: said("the species card")}.get(place) or label_of(place)


def _explored(before: State, event: changed.RoomOpened) -> Sayings:
    return (Utterance(said("A new room: %(room)s.", room=label_of(event.room))),)


def _teleporter(before: State, event: changed.TeleporterMoved) -> Sayings:
    target = _place(before, event.colour, event.target)
    text = said("%(name)s's teleporter goes to %(place)s.", place=target, **_of(before, event.colour))
    return _one(text, event.colour)


def _technology(before: State, event: changed.TechnologyTurned) -> Sayings:
    if not event.used:
        return ()
    return (Utterance(said("%(technology)s is used.", technology=technology_name(before, event.id))),)


def _vaccines(before: State, event: changed.VaccinesMoved) -> Sayings:
    names = _of(before, event.colour)
    if event.count > 0:
        text = said_n(
            "%(name)s takes %(num)s vaccine marker.", "%(name)s takes %(num)s vaccine markers.", event.count, **names
        )
    else:
        text = said_n(
            "%(name)s gives back %(num)s vaccine marker.",
            "%(name)s gives back %(num)s vaccine markers.",
            -event.count,
            **names,
        )
    return _one(text, event.colour)


def _points(before: State, event: changed.PointsGiven) -> Sayings:
    names = _of(before, event.colour)
    if event.count > 0:
        return _one(said("%(name)s gains %(num)s KP.", num=event.count, **names), event.colour)
    return _one(said("%(name)s loses %(num)s KP.", num=-event.count, **names), event.colour)


def _fulfilled(before: State, event: happened.MissionFulfilled) -> Sayings:
    mission = event.name or said("a mission")
    text = said("%(name)s fulfils %(mission)s: %(num)s KP.", mission=mission, num=event.kp, **_of(before, event.player))
    return _one(text, event.player, Verbosity.FEW)


def _counted(before: State, event: happened.CleanUpBegan) -> Sayings:
    points = [
        Said("%(name)s %(count)s", {"name": name_of(before, colour), "count": score.total})
        for colour, score in scores(before).items()
    ]
    return (Utterance(said("The round is over. KP: %(points)s.", points=listed(points)), (), Verbosity.FEW),)


def _plainly(sentence: Said, words: Verbosity = Verbosity.USUAL) -> Callable[[State, Any], Sayings]:
    """Return a teller for a sentence that names the player and nothing else."""
    return lambda before, event: _one(Said(sentence.pattern, _of(before, event.player)), event.player, words)


TELLERS: Mapping[type, Callable[[State, Any], Sayings]] = {
    happened.MissionOpened: _opened,
    happened.MissionExchanged: _plainly(said("%(name)s swaps the personal mission.", name="")),
    happened.DiceRolled: _rolled,
    happened.OfferMade: _offered,
    happened.OfferTaken: _accepted,
    happened.LastCardTaken: _plainly(said("%(name)s gets the last card.", name="")),
    happened.ContaminationEnded: _cleaned,
    happened.ResearchersRemoved: _removed,
    happened.ResearchersCalled: _called,
    happened.ResearchersStepped: _stepped,
    happened.MissionFulfilled: _fulfilled,
    happened.CleanUpBegan: _counted,
    changed.ResearchersMoved: _moved,
    changed.RoomOpened: _explored,
    changed.TeleporterMoved: _teleporter,
    changed.TechnologyTurned: _technology,
    changed.VaccinesMoved: _vaccines,
    changed.PointsGiven: _points,
}
SILENT: Mapping[type, str] = {
    happened.OfferPassed: "the next one is asked by name",
    happened.OffererChanged: "the announcement of the next offer says it",
    happened.TurnBegan: "the announcement of the turn says it",
    happened.TurnEnded: "the announcement of the next turn says it",
    happened.DieUsed: "what it pays for is said",
    happened.GameEnded: "the narrator says the result",
    changed.DieChanged: "the player turns the die and sees it",
    changed.RoomActionTurned: "what the room does is said",
}
"""What is never said aloud, and why nobody misses it."""
SPEECH = WreckSpeech()

"""The sentences of the wreck: whose turn it is, and each event and line (spoken, in the history, for beginners)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.games.wreck import changes, contamination, missions, offers, researchers, rounds
from companion.games.wreck.cards import PERSONAL, TELEPORTER, VACCINE
from companion.games.wreck.dice import SYMBOLS, Dice
from companion.games.wreck.rooms import ROOMS, label_of
from companion.games.wreck.scoring import scores
from companion.games.wreck.state import PLACE, SPECIES, SUPPLY, Phase, State, name_of
from companion.games.wreck.terms import symbol, technology_name
from companion.kernel.fields import Line
from companion.kernel.said import Said, listed, pattern, said, said_n, series
from companion.model.corrections import REASON
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Gaps, Occurrence, Silent, Telling, Tellings


def turn(state: State) -> Utterance | None:
    """Return a sentence that says who must act, and what they must do."""
    starter, names = state.starter, {"name": name_of(state, state.starter)}
    match state.phase:
        case Phase.SETUP:
            return _asked(said("%(name)s opens a mission and rolls.", **names), starter)
        case Phase.CLEANUP:
            return _asked(said("Clean-up. %(name)s opens a mission and rolls.", **names), starter)
        case Phase.OFFERS:
            return _offers(state)
        case Phase.TURNS:
            return _turn(state)
        case _:
            return None


def _offers(state: State) -> Utterance:
    offer = state.offer
    if offer is None:
        return _asked(said("%(name)s, offer dice.", name=name_of(state, state.offerer)), state.offerer)
    if offer.forced:
        return _asked(said("%(name)s has to take the offer.", name=name_of(state, offer.by)), offer.by)
    return _asked(said("%(name)s, take the offer?", name=name_of(state, offer.asked)), offer.asked)


def _turn(state: State) -> Utterance:
    dice, name = state.players[state.turn].contamination, name_of(state, state.turn)
    if not dice:
        return _asked(said("%(name)s's turn.", name=name), state.turn)
    text = said_n(
        "%(name)s's turn: %(num)s contamination first.",
        "%(name)s's turn: %(num)s contaminations first.",
        dice,
        name=name,
    )
    return _asked(text, state.turn)


def _asked(text: Said, seat: str) -> Utterance:
    return Utterance(text, (seat,), Verbosity.FEW, TURN)


def named_dice(dice: Dice) -> Said:
    """Return *dice* in words: "2 Training, 1 Support"."""
    return listed(_counted(zip(SYMBOLS, dice, strict=True))) if any(dice) else said("none")


def technology_in(header: Line, id: object) -> str:
    """Return the name of a technology in the game of *header*.

    If no name was entered, it is its name in the rules, or a name with a number.
    """
    entered = {each["id"]: each["name"] for each in header.get("technologies", ())}
    if entered.get(id):
        return str(entered[id])
    shared = {TELEPORTER: said("Teleporter"), VACCINE: said("Vaccine")}
    return shared.get(str(id)) or said("Technology %(num)s", num=[*entered, id].index(id) + 1)


def room(name: object) -> str:
    """Return the name of a room."""
    return label_of(str(name)) if name in ROOMS else str(name)


def _rooms(rooms: Iterable[str]) -> Said:
    return series([room(each) for each in dict.fromkeys(rooms)])


def _opened(what: Occurrence) -> Said:
    card = what.fields["card"]
    if card is None or not card.name:
        return said("A general mission lies open")
    return said("General mission: %(mission)s, %(num)s KP", mission=card.name, num=card.kp)


def _opens(what: Occurrence) -> Said:
    card = what.fields.get("card")
    if not card:
        return said("The next general mission is open")
    return said("General mission: %(mission)s, %(num)s KP", mission=card["name"] or said("no name"), num=card["kp"])


def _rolled(what: Occurrence) -> Said:
    return said("Round %(num)s: %(dice)s", num=what.fields["number"], dice=named_dice(what.fields["dice"]))


def _rolls(what: Occurrence) -> Said:
    rolls = said("%(name)s rolls %(dice)s", name=what.name, dice=_one_by_one(what.fields.get("dice", ())))
    again = len(what.fields.get("rerolls", ()))
    more = said_n("Rerolled once", "Rerolled %(num)s times", again)
    return Said("%(rolls)s. %(more)s", {"rolls": rolls, "more": more}) if again else rolls


def _one_by_one(symbols: Iterable[str]) -> Said:
    return series(_counted(Counter(symbols).items()))


def _counted(dice: Iterable[tuple[str, int]]) -> list[Said]:
    return [Said("%(count)s %(symbol)s", {"count": count, "symbol": symbol(face)}) for face, count in dice if count]


def _accepts(what: Occurrence) -> Said:
    die = what.fields["die"]
    if die is None:
        return said("%(name)s takes the offer", name=what.name)
    return said("%(name)s takes the offer and %(die)s", name=what.name, die=symbol(die))


def _cleaned(what: Occurrence) -> Said | None:
    if not what.fields["vaccines"]:
        return None
    return said_n(
        "%(name)s uses %(num)s vaccine marker",
        "%(name)s uses %(num)s vaccine markers",
        what.fields["vaccines"],
        name=what.name,
    )


def _contaminates(what: Occurrence) -> Said:
    rooms = what.fields["remove"]
    if not rooms:
        return said("%(name)s loses nobody to contamination", name=what.name)
    return said_n(
        "%(name)s loses %(num)s researcher: %(rooms)s",
        "%(name)s loses %(num)s researchers: %(rooms)s",
        len(rooms),
        rooms=series([room(each) for each in rooms]),
        name=what.name,
    )


def _removed(what: Occurrence) -> Said | None:
    rooms = len(what.fields["rooms"])
    if not rooms:
        return None
    return said_n("%(name)s loses %(num)s researcher", "%(name)s loses %(num)s researchers", rooms, name=what.name)


def _trains(what: Occurrence) -> Said:
    count = what.fields.get("count", 1)
    return said_n("%(name)s trains %(num)s researcher", "%(name)s trains %(num)s researchers", count, name=what.name)


def _calls(what: Occurrence) -> Said:
    rooms = what.fields.get("rooms") or what.fields["to"]
    return said_n(
        "%(name)s calls %(num)s researcher: %(rooms)s",
        "%(name)s calls %(num)s researchers: %(rooms)s",
        len(rooms),
        rooms=_rooms(rooms),
        name=what.name,
    )


def _stepped(what: Occurrence) -> Said:
    return said("%(name)s moves: %(rooms)s", name=what.name, rooms=_rooms(target for _, target in what.fields["steps"]))


def _moves(what: Occurrence) -> Said:
    steps = [Said("%(one)s → %(other)s", {"one": room(a), "other": room(b)}) for a, b in what.fields["steps"]]
    return said("%(name)s moves %(steps)s", name=what.name, steps=series(steps))


def _moved(what: Occurrence) -> Said:
    source, target, count = (what.fields[each] for each in ("source", "target", "count"))
    if (source, target) == (SUPPLY, SPECIES):
        return _trains(what)
    return said_n(
        "%(num)s researcher of %(name)s's, from %(source)s to %(target)s",
        "%(num)s researchers of %(name)s's, from %(source)s to %(target)s",
        count,
        source=_place(what, source),
        target=_place(what, target),
        name=what.name,
    )


def _place(what: Occurrence, place: str) -> str:
    if place == PLACE:
        altar = what.before.setting.species_of(what.seat).place
        return altar.name if altar else said("the species' own place")
    return {SUPPLY: said("the supply"), SPECIES: said("the species card")}.get(place) or label_of(place)


def _uses(what: Occurrence) -> Said:
    if what.fields.get("room"):
        return said("%(name)s places a teleporter: %(room)s", name=what.name, room=room(what.fields["room"]))
    return said("%(name)s uses %(card)s", name=what.name, card=technology_in(what.header, what.fields["id"]))


def _used(what: Occurrence) -> Said | None:
    if not what.fields["used"]:
        return None
    return said("%(technology)s is used", technology=technology_name(what.before, what.fields["id"]))


def _vaccines(what: Occurrence) -> Said:
    count, name = what.fields["count"], what.name
    if count > 0:
        return said_n(
            "%(name)s takes %(num)s vaccine marker", "%(name)s takes %(num)s vaccine markers", count, name=name
        )
    return said_n(
        "%(name)s gives back %(num)s vaccine marker", "%(name)s gives back %(num)s vaccine markers", -count, name=name
    )


def _points(what: Occurrence) -> Said:
    count = what.fields["count"]
    if count > 0:
        return said("%(name)s gains %(num)s KP", num=count, name=what.name)
    return said("%(name)s loses %(num)s KP", num=-count, name=what.name)


def _reactor(what: Occurrence) -> Said:
    (one, here), (other, there) = what.fields["swap"]
    swapped = {"one": what.named(one), "here": room(here), "other": what.named(other), "there": room(there)}
    return said("%(name)s swaps %(one)s (%(here)s) with %(other)s (%(there)s)", name=what.name, **swapped)


def _fulfilled(what: Occurrence) -> Said:
    return _fulfilling(what, what.fields["name"] or said("a mission"), what.fields["kp"])


def _fulfils(what: Occurrence) -> Said:
    id, card = what.fields["mission"], what.fields.get("card")
    mission = said("a personal mission") if id == PERSONAL else said("general mission %(num)s", num=id[1:])
    if not card:
        return said("%(name)s fulfils %(mission)s", name=what.name, mission=mission)
    return _fulfilling(what, card["name"] or mission, card["kp"])


def _fulfilling(what: Occurrence, mission: str, kp: int) -> Said:
    return said("%(name)s fulfils %(mission)s: %(num)s KP", name=what.name, mission=mission, num=kp)


def _round_over(what: Occurrence) -> Said:
    points = [
        Said("%(name)s %(count)s", {"name": what.named(colour), "count": score.total})
        for colour, score in scores(what.before).items()
    ]
    return said("The round is over. KP: %(points)s", points=listed(points))


def _corrects(what: Occurrence) -> Said:
    reason = what.fields["reason"]
    return said("Corrected") if reason == REASON else said("Corrected: %(reason)s", reason=reason)


def _dice(what: Occurrence) -> Said:
    """Return the dice of an offer in words. An event contains counts by symbol, whereas a line lists each die."""
    dice = what.fields["dice"]
    return named_dice(dice) if isinstance(dice[0], int) else _one_by_one(dice)


GAPS: Gaps = {
    "name": lambda what: what.name,
    "other": lambda what: what.named(what.fields["colour"]),
    "dice": _dice,
    "num": lambda what: what.before.offer.order,
    "place": lambda what: _place(what, what.fields["target"]),
    "room": lambda what: room(what.fields.get("room") or what.fields.get("from") or what.fields["to"]),
}
TELLINGS = Tellings(
    turn,
    GAPS,
    {
        missions.MissionOpened: Telling(
            _opens,
            "open",
            said("General missions are for everybody: whoever fulfils one first takes it."),
            "cleanup",
            aloud=_opened,
            possible=said("Open the next general mission"),
            how=said("enter its card, or not"),
        ),
        missions.MissionExchanged: Telling(
            pattern("%(name)s swaps the personal mission"),
            "exchange",
            said("A personal mission that doesn't work out may be swapped once a round."),
            "cleanup",
        ),
        offers.DiceRolled: Telling(
            _rolls,
            "roll",
            said("All dice go into the pool; three contaminations stay at most."),
            "roll",
            aloud=_rolled,
            possible=said("Roll the dice"),
            how=said("tap them in, or let the companion roll"),
        ),
        offers.OfferMade: Telling(
            pattern("%(name)s offers %(dice)s"),
            "offer",
            said("These dice go with the next order card, to whoever takes them first."),
            "offers",
            possible=said("Make an offer"),
        ),
        offers.OfferPassed: Telling(
            pattern("%(name)s passes the offer on"),
            "decline",
            said("The offer goes on clockwise. Back at the offerer, it has to be taken."),
            "offers",
            aloud=Silent("the next one is asked by name"),
            possible=said("Pass it on"),
            how=said("to the next without a card"),
        ),
        offers.OfferTaken: Telling(
            _accepts,
            "accept",
            said("Card, dice and one more from the pool. Low cards play first."),
            "offers",
            aloud=pattern("%(name)s takes card %(num)s"),
            possible=said("Take the offer"),
            how=said("its dice and one more"),
        ),
        offers.OffererChanged: Silent("the announcement of the next offer says it"),
        offers.LastCardTaken: Telling(pattern("%(name)s gets the last card")),
        rounds.TurnBegan: Silent("the announcement of the turn says it"),
        contamination.ContaminationEnded: Telling(
            _contaminates,
            "contaminate",
            said("Each contamination costs a researcher, before anything else."),
            "contamination",
            aloud=_cleaned,
            possible=said("Remove researchers for contamination"),
            how=said("one for each die, or a vaccine marker"),
        ),
        contamination.ResearchersRemoved: Telling(_removed),
        researchers.DieUsed: Silent("what it pays for is said"),
        researchers.ResearchersCalled: Telling(_calls),
        researchers.ResearchersStepped: Telling(_stepped),
        missions.MissionFulfilled: Telling(
            _fulfils,
            "fulfil",
            said("Mission KP stay. Room KP are counted again each round."),
            "missions",
            aloud=_fulfilled,
            words=Verbosity.FEW,
            possible=said("Fulfil missions"),
            how=said("at the end of the turn, any number"),
        ),
        rounds.TurnEnded: Telling(
            pattern("%(name)s ends the turn"),
            "end_turn",
            said("Dice that weren't used are lost."),
            "round",
            aloud=Silent("the announcement of the next turn says it"),
            possible=said("End the turn"),
            how=said("dice that are left are lost"),
        ),
        rounds.CleanUpBegan: Telling(_round_over, words=Verbosity.FEW),
        rounds.GameEnded: Silent("the narrator says the result"),
        changes.ResearchersMoved: Telling(_moved),
        changes.TeleporterMoved: Telling(pattern("%(name)s's teleporter goes to %(place)s")),
        changes.DieChanged: Silent("the player turns the die and sees it"),
        changes.VaccinesMoved: Telling(_vaccines),
        changes.PointsGiven: Telling(_points),
        changes.RoomOpened: Telling(pattern("A new room: %(room)s")),
        changes.TechnologyTurned: Telling(_used),
        changes.RoomActionTurned: Silent("what the room does is said"),
    },
    {
        "train": Telling(
            _trains,
            means=said("Trained researchers wait on the species card until they're called."),
            card="actions",
        ),
        "call": Telling(_calls, means=said("They appear wherever the player has a teleporter."), card="actions"),
        "move": Telling(
            _moves,
            means=said("Steps lead to rooms that share a side."),
            card="actions",
            possible=said("Move 1 step with any die"),
            how=said("tap a room"),
        ),
        "explore": Telling(
            pattern("%(name)s explores: %(room)s"),
            means=said("Any die opens the next room, and one researcher goes in."),
            card="actions",
            possible=said("Explore with any die"),
            how=said("tap a dark tile"),
        ),
        "technology": Telling(
            _uses, means=said("A technology works once a round, for whoever is first."), card="actions"
        ),
        "armoury": Telling(
            pattern("%(name)s sends %(other)s's researcher home: %(room)s"),
            means=said("Who controls the armoury may clear a rival out."),
            card="rooms",
        ),
        "hangar": Telling(
            pattern("%(name)s flies from the hangar: %(room)s"),
            means=said("From the hangar it's one flight to any open room."),
            card="rooms",
        ),
        "quarters": Telling(_moves, means=said("Crew quarters are worth two steps a round."), card="rooms"),
        "communications": Telling(
            lambda what: _trains(what) if "train" in what.fields else _calls(what),
            means=said("Communications train or call one, without a die."),
            card="rooms",
        ),
        "bridge": Telling(
            pattern("%(name)s looks at personal missions"),
            means=said("From the bridge personal missions can be chosen better."),
            card="rooms",
        ),
        "reactor": Telling(_reactor, means=said("The reactor swaps two researchers in adjacent rooms."), card="rooms"),
        "correct": Telling(_corrects, means=said("What the pages show is put right by hand."), card="round"),
    },
)

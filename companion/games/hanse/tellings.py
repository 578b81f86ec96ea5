"""The sentences of Die Kosmische Hanse: whose turn it is, and each event (spoken, in the history, for beginners)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.games.hanse import events as happened
from companion.games.hanse.cards import LABELS
from companion.games.hanse.places import INNERMOST, OUTERMOST, PLANETS, label_of
from companion.games.hanse.state import Phase, State, name_of, naming, other, turn_of
from companion.kernel.said import Said, listed, pattern, said, said_n
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Gaps, Occurrence, Silent, Telling, Tellings, nobody


def turn(state: State) -> Utterance | None:
    """Return a sentence that says who must act, and what they must do."""
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


def _asked(text: Said, seat: str) -> Utterance:
    return Utterance(text, (seat,), Verbosity.FEW, TURN)


def _turn(state: State) -> Utterance:
    turn = turn_of(state)
    name = name_of(state, turn.player)
    if turn.begun:
        return _asked(said("%(name)s goes on.", name=name), turn.player)
    return _asked(said("%(name)s's turn.", name=name), turn.player)


def _chosen(what: Occurrence) -> Said:
    if what.fields["take"] == "first":
        return said("%(name)s moves first", name=what.name)
    return said("%(name)s names the planet", name=what.name)


def _hyperjumped(what: Occurrence) -> Said:
    if what.fields["direction"] == "inward":
        return said("%(name)s jumps to the innermost orbit", name=what.name)
    return said("%(name)s jumps to the outermost orbit", name=what.name)


def _jumped_aloud(what: Occurrence) -> Said:
    place = label_of(INNERMOST if what.fields["direction"] == "inward" else OUTERMOST)
    return said("%(name)s jumps: %(place)s", name=what.name, place=place)


def _energy(what: Occurrence) -> Said:
    return said_n("%(name)s has %(num)s energy", "%(name)s has %(num)s energy", what.fields["energy"], name=what.name)


def _landed(what: Occurrence) -> Said | None:
    if what.fields["to"] not in PLANETS:
        return None
    return said("%(name)s lands on %(planet)s", name=what.name, planet=label_of(what.fields["to"]))


def _flown(what: Occurrence) -> Said:
    return _landed(what) or said("%(name)s flies: %(place)s", name=what.name, place=label_of(what.fields["to"]))


def _gained(what: Occurrence) -> Said:
    gained = what.fields["gained"]
    return said_n("%(name)s gains %(num)s Megagalax", "%(name)s gains %(num)s Megagalax", gained, name=what.name)


def _flipped(what: Occurrence) -> Said:
    sides = [f"{label_of(side['to'])} {side['value']}" for side in what.fields["cards"]]
    return said("%(name)s turns over: %(sides)s", name=what.name, sides=", ".join(sides))


def _left(what: Occurrence) -> Said | None:
    leave, cards = what.fields["leave"], what.fields["cards"]
    return said("Two goods for %(planet)s leave the game", planet=label_of(cards[leave[0]].to)) if leave else None


def _turn_ended(what: Occurrence) -> Said:
    thrown = len(what.fields.get("discard", ()))
    if not thrown:
        return said("%(name)s ends the turn", name=what.name)
    return said_n(
        "%(name)s discards %(num)s card and ends the turn",
        "%(name)s discards %(num)s cards and ends the turn",
        thrown,
        name=what.name,
    )


def _corrected(what: Occurrence) -> Said:
    name = what.name
    match {**what.fields}:
        case {"megagalax": amount}:
            return said("%(name)s: corrected to %(num)s Megagalax", name=name, num=amount)
        case {"hand": amount}:
            return said_n(
                "%(name)s: hand corrected to %(num)s card",
                "%(name)s: hand corrected to %(num)s cards",
                amount,
                name=name,
            )
        case {"place": place}:
            return said("%(name)s: ship corrected, %(place)s", name=name, place=label_of(place))
        case {"technologies": cards}:
            return said("%(name)s: technologies corrected, %(cards)s", name=name, cards=_counted(cards))
        case {"discards": cards}:
            return said("%(name)s: discards corrected, %(cards)s", name=name, cards=_counted(cards))
        case {"goods": goods}:
            return said("Goods corrected: %(planets)s", planets=_planets(goods))
        case {"container": held}:
            return said("%(name)s: container %(num)s corrected", name=name, num=held["index"] + 1)
        case _:
            raise AssertionError("each correction has its sentence")


def _planets(ids: Iterable[str]) -> Said:
    return listed([label_of(each) for each in ids])


def _counted(cards: Mapping[str, int]) -> Said:
    return listed([Said("%(card)s %(count)s", {"card": LABELS[card], "count": count}) for card, count in cards.items()])


GAPS: Gaps = {
    "name": lambda what: what.name,
    "planet": lambda what: label_of(what.fields.get("to") or what.fields["planet"]),
    "card": lambda what: LABELS[what.fields["card"]],
    "num": lambda what: what.fields["container"] + 1,
    "dice": lambda what: ", ".join(map(str, what.fields.get("dice", ()))),
}
TELLINGS = Tellings(
    turn,
    GAPS,
    {
        happened.GoodsLaid: Telling(
            pattern("The goods of %(planet)s are out"),
            "goods",
            said("Every card shows a planet where it is wanted, and never its own."),
            "setup",
            aloud=Silent("everybody looks at the cards that were laid"),
            possible=said("Set out the goods"),
            how=said("five cards at each planet, none for the planet itself"),
        ),
        happened.StarterChosen: Telling(
            _chosen,
            "choose",
            said("One moves first, the other names the planet."),
            "setup",
            aloud=Silent("the question after it says who moves first"),
            possible=said("Move first, or name the planet"),
            how=said("the other one gets the other"),
        ),
        happened.ShipsPlaced: Telling(
            pattern("Both ships start on %(planet)s"),
            "start",
            said("Both ships begin on the same planet."),
            "setup",
            aloud=Silent("the first turn says that the game begins"),
            possible=said("Name a planet"),
            how=said("both ships start there"),
        ),
        happened.TurnBegan: Silent("the announcement of the turn says it"),
        happened.Hyperjumped: Telling(
            _hyperjumped,
            "hyperjump",
            said("A hyperjump is no flight: the die may still be rolled."),
            "technologies",
            aloud=_jumped_aloud,
        ),
        happened.Rolled: Telling(
            pattern("%(name)s rolls %(dice)s"),
            "roll",
            said("That is the energy of this flight. Each Fusion Drive adds 1."),
            "flight",
            aloud=_energy,
            possible=said("Roll and fly"),
            how=said("the die, and 1 for each Fusion Drive"),
        ),
        happened.Flown: Telling(
            _flown,
            "fly",
            said("Inwards only orbits cost energy. Outwards the gaps cost too."),
            "flight",
            aloud=_landed,
        ),
        happened.Tunnelled: Telling(
            pattern("%(name)s flies through the sun"),
            "tunnel",
            said("Through the sun it takes 1 energy, outwards only."),
            "flight",
        ),
        happened.ActionUsed: Silent("the action itself is said"),
        happened.Loaded: Telling(
            pattern("%(name)s loads for %(planet)s"),
            "load",
            said("All goods for that planet go in, and the container is sealed."),
            "load",
            words=Verbosity.ALL,
        ),
        happened.Unloaded: Telling(
            pattern("%(name)s unloads container %(num)s"),
            "unload",
            said("Each card brings its value, and 1 more where no goods were."),
            "load",
            aloud=_gained,
            words=Verbosity.FEW,
        ),
        happened.Flipped: Telling(
            _flipped,
            "flip",
            said("New goods for new planets. One pair for the same planet leaves."),
            "load",
            aloud=_left,
            about=nobody,
            possible=said("Turn the goods over"),
            how=said("one pair for the same planet leaves the game"),
        ),
        happened.Bought: Telling(
            pattern("%(name)s buys %(card)s"),
            "buy",
            said("A technology stays for good. Each one makes the next dearer."),
            "buy",
            possible=said("Buy a technology"),
        ),
        happened.Intervened: Telling(
            pattern("%(name)s plays %(card)s"),
            "intervene",
            said("An intervention works once. Two may be played in a turn."),
            "interventions",
            words=Verbosity.FEW,
        ),
        happened.PassengerLanded: Telling(_gained, words=Verbosity.FEW),
        happened.Allowed: Telling(
            pattern("%(name)s allows it"),
            "allow",
            said("Nobody minds: the card does what it says."),
            "interventions",
            aloud=Silent("what the player then does is said"),
            possible=said("Allow the card"),
            how=said("or discard the same one from hand"),
        ),
        happened.Neutralised: Telling(
            pattern("%(name)s neutralises it"),
            "neutralise",
            said("The same card from the other hand: nothing happens."),
            "interventions",
            words=Verbosity.FEW,
        ),
        happened.Granted: Silent("the card that grants it is said"),
        happened.ContentsExchanged: Silent("the card that does it is said"),
        happened.ShipsExchanged: Silent("the card that does it is said"),
        happened.Reshuffled: Silent("the card that does it is said"),
        happened.TurnEnded: Telling(
            _turn_ended,
            "end_turn",
            said("One card for each Replenishment, and the die is passed."),
            "turn",
            aloud=Silent("the announcement of the next turn says it"),
            possible=said("End the turn"),
        ),
        happened.Corrected: Telling(
            _corrected,
            "correct",
            said("What the pages show is put right by hand."),
            "turn",
            aloud=pattern("Correction for %(name)s"),
            at_once=True,
        ),
        happened.GameEnded: Silent("the narrator says the result"),
    },
)

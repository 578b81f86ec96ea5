"""The commands of a game of the wreck: one frozen class each, and the parser of their lines."""

from __future__ import annotations

from typing import Annotated, Any

from companion.games.wreck.cards import GENERAL, PERSONAL, RESEARCHERS, TELEPORTER, Card, card_from, card_json
from companion.games.wreck.change_lines import changes_from, changes_json
from companion.games.wreck.changes import CellForm, Change, Room
from companion.games.wreck.dice import ACTIONS, SYMBOLS
from companion.games.wreck.rooms import ROOMS, Cell
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.parser import (
    Form,
    Known,
    Line,
    Named,
    OneOf,
    OrNull,
    Parser,
    Seat,
    Text,
    Whole,
    Words,
    command_from,
)

MISSIONS = (*GENERAL, PERSONAL)
Step = tuple[str, str]
"""A step of one researcher: the room it leaves and the room it enters."""


class CardForm(Form):
    """A mission's card, or null if nobody has entered it. Example: ``{"name": "", "kp": 2, "sacrifice": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Card | None:
        """Read the card from field *name*."""
        return card_from(fields.take(name), name)

    def write(self, line: dict[str, Any], name: str, value: Card | None) -> None:
        """Write the card to field *name*."""
        line[name] = card_json(value)


class KnownCardForm(CardForm):
    """A mission's card that must not be null."""

    def read(self, fields: Fields, name: str, known: Known) -> Card:
        """Read the card from field *name*."""
        card = super().read(fields, name, known)
        if card is None:
            raise Malformed(said("card must be what the mission says, not null"))
        return card


class RolledAgain(Form):
    """The results of rerolls, one list of dice for each reroll. Example: ``[["move"], ["support"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[tuple[str, ...], ...]:
        """Read the lists from field *name*."""
        return tuple(
            Fields({"dice": each}, f"{name}[{at}]").words("dice", SYMBOLS) for at, each in enumerate(fields.list(name))
        )

    def write(self, line: dict[str, Any], name: str, value: tuple[tuple[str, ...], ...]) -> None:
        """Write the lists to field *name*."""
        line[name] = [list(each) for each in value]


class Steps(Form):
    """Steps, each from one room to another. Example: ``[["airlock", "bridge"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, ...]:
        """Read the steps from field *name*."""
        return tuple(_pair(step, f"{name}[{at}]", of_rooms=True) for at, step in enumerate(fields.list(name)))

    def write(self, line: dict[str, Any], name: str, value: tuple[Step, ...]) -> None:
        """Write the steps to field *name*."""
        line[name] = [list(step) for step in value]


class TwoResearchers(Form):
    """Two researchers, each by colour and room. Example: ``[["red", "bridge"], ["blue", "airlock"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, Step]:
        """Read the two researchers."""
        swap = fields.list(name)
        if len(swap) != 2:
            raise Malformed(said("swap must be two researchers, each as [colour, room]"))
        return _pair(swap[0], "swap[0]"), _pair(swap[1], "swap[1]")

    def write(self, line: dict[str, Any], name: str, value: tuple[Step, Step]) -> None:
        """Write the two researchers."""
        line[name] = [list(each) for each in value]


class TrainedOrCalled(Form):
    """Either ``"train": 1`` to train a researcher, or ``"to": ["bridge"]`` to call some."""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, ...] | None:
        """Read the field that the line has. Return None if it is `train`."""
        if fields.has("train"):
            fields.whole("train", 1, 1)
            return None
        return fields.words(name, ROOMS)

    def write(self, line: dict[str, Any], name: str, value: tuple[str, ...] | None) -> None:
        """Write one of the two fields."""
        line.update({"train": 1} if value is None else {name: list(value)})


class TechnologyById(Form):
    """The die that pays for a technology, and its id. Example: ``"die": "technology", "id": "scanner"``"""

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Check the die and read the id."""
        fields.word("die", ("technology",))
        return fields.text(name)

    def write(self, line: dict[str, Any], name: str, value: str) -> None:
        """Write the die and the id."""
        line.update({"die": "technology", name: value})


class TeleporterTo(TechnologyById):
    """The Teleporter technology with its die, its id, and the room of the new teleporter.

    Example: ``"room": "bridge"``
    """

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Check the die and read the room. The room is null if the player has no teleporter left."""
        super().read(fields, "id", known)
        return OrNull(*ROOMS).read(fields, name, known)

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Write the die, the id and the room."""
        super().write(line, "id", TELEPORTER)
        line[name] = value


class Effects(Form):
    """A list of changes. Example: ``[{"what": "kp", "colour": "red", "count": 1}]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Change, ...]:
        """Read the changes from field *name*."""
        return changes_from(fields, name)

    def write(self, line: dict[str, Any], name: str, value: tuple[Change, ...]) -> None:
        """Write the changes to field *name*."""
        line[name] = changes_json(value)


def _pair(value: object, where: str, of_rooms: bool = False) -> Step:
    """Read a list of two strings. The second must be a room. With *of_rooms*, the first must be a room too."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Malformed(said("%(where)s must be a pair", where=where))
    pair = Fields(dict(zip(("0", "1"), value, strict=True)), where)
    first = pair.word("0", ROOMS) if of_rooms else pair.text("0")
    return (first, pair.word("1", ROOMS))


Source = Annotated[str, Named("from", OneOf(*ROOMS))]
Rooms = Annotated[tuple[str, ...], Words(*ROOMS)]
Dice = Annotated[tuple[str, ...], Words(*SYMBOLS)]
Die = Annotated[str, OneOf(*ACTIONS)]
AllEffects = Annotated[tuple[Change, ...], Effects()]


@dataclass(frozen=True)
class Open(Line, do="open"):
    """Open the next general mission. *card* is None if nobody has entered its card.

    Example: ``{"do": "open", "card": null}``
    """

    card: Annotated[Card | None, CardForm()]


@dataclass(frozen=True)
class Exchange(Line, do="exchange"):
    """Swap a personal mission for another.

    Example: ``{"do": "exchange", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Roll(Line, do="roll"):
    """Roll all dice. *rerolls* are the dice that were rolled again because of too much contamination.

    Example: ``{"do": "roll", "player": "red", "dice": ["move"], "rerolls": [["move"], ["support"]]}``
    """

    player: Seat
    dice: Dice
    rerolls: Annotated[tuple[tuple[str, ...], ...], RolledAgain()] = ()


@dataclass(frozen=True)
class Offer(Line, do="offer"):
    """Put dice on the lowest free order card, as an offer.

    Example: ``{"do": "offer", "player": "red", "dice": ["move"]}``
    """

    player: Seat
    dice: Dice


@dataclass(frozen=True)
class Accept(Line, do="accept"):
    """Take the offer: its order card, its dice, and one more *die* from the pool (None means no further die).

    Example: ``{"do": "accept", "player": "red", "die": null}``
    """

    player: Seat
    die: Annotated[str | None, OrNull(*SYMBOLS)]


@dataclass(frozen=True)
class Decline(Line, do="decline"):
    """Pass the offer on.

    Example: ``{"do": "decline", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class Contaminate(Line, do="contaminate"):
    """Resolve all contamination of a turn at once.

    *vaccines* is the number of vaccine markers given up. *remove* lists the room of each removed researcher. *place* of
    these researchers go to the species' own place, the others to the supply.

    Example: ``{"do": "contaminate", "player": "red", "vaccines": 1, "remove": ["bridge"], "place": 1}``
    """

    player: Seat
    vaccines: Annotated[int, Whole(0)]
    remove: Rooms
    place: Annotated[int, Whole(0)] = 0


@dataclass(frozen=True)
class Train(Line, do="train"):
    """Train researchers: they go from the supply to the species card.

    Example: ``{"do": "train", "player": "red", "die": "training", "count": 2}``
    """

    player: Seat
    die: Die
    count: Annotated[int, Whole(0, RESEARCHERS)]


@dataclass(frozen=True)
class Call(Line, do="call"):
    """Call researchers from the species card, one to each room in *to*.

    Each of these rooms needs a teleporter of the player.

    Example: ``{"do": "call", "player": "red", "die": "support", "to": ["airlock"]}``
    """

    player: Seat
    die: Die
    to: Rooms


@dataclass(frozen=True)
class Move(Line, do="move"):
    """Move researchers step by step between adjacent rooms.

    Example: ``{"do": "move", "player": "blue", "die": "move", "steps": [["cryo", "hangar"]]}``
    """

    player: Seat
    die: Die
    steps: Annotated[tuple[Step, ...], Steps()]


@dataclass(frozen=True)
class Explore(Line, do="explore"):
    """Turn over a tile next to a room with a researcher of the player, and move one researcher into it.

    Example: ``{"do": "explore", "player": "red", "die": "move", "from": "bridge", "cell": [1, 0],
    "room": "reactor"}``
    """

    player: Seat
    die: Die
    source: Source
    cell: Annotated[Cell, CellForm()]
    room: Room


@dataclass(frozen=True)
class Teleport(Line, do="technology"):
    """Use the Teleporter technology: place a teleporter in a room (None if the player has none left).

    Example: ``{"do": "technology", "player": "red", "die": "technology", "id": "teleporter", "room": "bridge"}``
    """

    player: Seat
    room: Annotated[str | None, TeleporterTo()]


@dataclass(frozen=True)
class Technology(Line, do="technology"):
    """Use another technology, with the effects on its card.

    Example: ``{"do": "technology", "player": "red", "die": "technology", "id": "scan", "effects": []}``
    """

    player: Seat
    id: Annotated[str, TechnologyById()]
    effects: AllEffects


@dataclass(frozen=True)
class Armoury(Line, do="armoury"):
    """Use the armoury: send a researcher from the ship to its owner's species card.

    Example: ``{"do": "armoury", "player": "red", "colour": "blue", "from": "bridge"}``
    """

    player: Seat
    colour: Annotated[str, Text()]
    source: Source


@dataclass(frozen=True)
class Hangar(Line, do="hangar"):
    """Use the hangar: move a researcher from there to any open room.

    Example: ``{"do": "hangar", "player": "red", "to": "cryo"}``
    """

    player: Seat
    to: Room


@dataclass(frozen=True)
class Quarters(Line, do="quarters"):
    """Use the crew quarters: take one or two steps.

    Example: ``{"do": "quarters", "player": "red", "steps": [["bridge", "airlock"]]}``
    """

    player: Seat
    steps: Annotated[tuple[Step, ...], Steps()]


@dataclass(frozen=True)
class Communications(Line, do="communications"):
    """Use the communications centre: train one researcher (*to* is None), or call some.

    Example: ``{"do": "communications", "player": "red", "train": 1}``
    """

    player: Seat
    to: Annotated[tuple[str, ...] | None, TrainedOrCalled()]


@dataclass(frozen=True)
class Bridge(Line, do="bridge"):
    """Use the bridge: draw personal missions and put the same number back. The missions are not recorded.

    Example: ``{"do": "bridge", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class Reactor(Line, do="reactor"):
    """Use the reactor: swap two researchers in adjacent rooms.

    Example: ``{"do": "reactor", "player": "red", "swap": [["red", "bridge"], ["blue", "airlock"]]}``
    """

    player: Seat
    swap: Annotated[tuple[Step, Step], TwoResearchers()]


@dataclass(frozen=True)
class Fulfil(Line, do="fulfil"):
    """Fulfil a mission. *card* is required if the mission's card was not entered before.

    Example: ``{"do": "fulfil", "player": "red", "mission": "personal", "sacrifice": ["bridge"],
    "card": {"name": "x", "kp": 2, "sacrifice": 1}}``
    """

    player: Seat
    mission: Annotated[str, OneOf(*MISSIONS)]
    sacrifice: Rooms
    card: Annotated[Card | None, KnownCardForm()] = None


@dataclass(frozen=True)
class EndTurn(Line, do="end_turn"):
    """End the turn. Remaining dice are lost.

    Example: ``{"do": "end_turn", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Apply the effects of a card, or correct the state to match the table.

    Example: ``{"do": "correct", "player": "red", "reason": "forgotten", "effects": [{"what": "kp",
    "colour": "red", "count": 1}]}``
    """

    player: Seat
    reason: Annotated[str, Text(empty=True)]
    effects: AllEffects


DieAction = Train | Call | Move | Explore | Teleport | Technology
RoomAction = Armoury | Hangar | Quarters | Communications | Bridge | Reactor
RoundCommand = Open | Exchange | Roll | Offer | Accept | Decline | Contaminate | Fulfil | EndTurn
Command = RoundCommand | DieAction | RoomAction | Correct


def _technology(fields: Fields) -> Teleport | Technology:
    return command_from(fields, Teleport) if fields.shows("id", TELEPORTER) else command_from(fields, Technology)


PARSER: Parser[Command] = Parser.of(Command, {"technology": _technology})
parse, line_of = PARSER.parse, PARSER.line_of

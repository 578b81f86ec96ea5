"""What players can ask of a game of the wreck: the lines of a record, understood."""

from __future__ import annotations

from typing import Annotated, Any

from companion.games.wreck.cards import GENERAL, PERSONAL, RESEARCHERS, TELEPORTER, Card, card_from, card_json
from companion.games.wreck.change_lines import changes_from, changes_json
from companion.games.wreck.changes import CellForm, Change, Room
from companion.games.wreck.dice import ACTIONS, SYMBOLS
from companion.games.wreck.rooms import ROOMS, Cell
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields
from companion.kernel.values import dataclass
from companion.model.forms import Form, Known, Named, OneOf, OrNull, Seat, Text, Whole, Words
from companion.model.parser import Line, Parser, command_from

MISSIONS = (*GENERAL, PERSONAL)
Step = tuple[str, str]
"""One researcher from a room to the next."""


class CardForm(Form):
    """A mission's card, null where nobody has entered it. Example: ``{"name": "", "kp": 2, "sacrifice": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Card | None:
        """Take the card."""
        return card_from(fields.take(name), name)

    def write(self, line: dict[str, Any], name: str, value: Card | None) -> None:
        """Put the card."""
        line[name] = card_json(value)


class KnownCardForm(CardForm):
    """A mission's card, and what it says."""

    def read(self, fields: Fields, name: str, known: Known) -> Card:
        """Take the card."""
        card = super().read(fields, name, known)
        if card is None:
            raise Malformed(said("card must be what the mission says, not null"))
        return card


class RolledAgain(Form):
    """What dice showed that were rolled again, one list for each time. Example: ``[["move"], ["support"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[tuple[str, ...], ...]:
        """Take the lists."""
        return tuple(
            Fields({"dice": each}, f"{name}[{at}]").words("dice", SYMBOLS) for at, each in enumerate(fields.list(name))
        )

    def write(self, line: dict[str, Any], name: str, value: tuple[tuple[str, ...], ...]) -> None:
        """Put the lists."""
        line[name] = [list(each) for each in value]


class Steps(Form):
    """Steps from a room to the next. Example: ``[["airlock", "bridge"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, ...]:
        """Take the steps."""
        return tuple(_pair(step, f"{name}[{at}]", of_rooms=True) for at, step in enumerate(fields.list(name)))

    def write(self, line: dict[str, Any], name: str, value: tuple[Step, ...]) -> None:
        """Put the steps."""
        line[name] = [list(step) for step in value]


class TwoResearchers(Form):
    """Two researchers by colour and room. Example: ``[["red", "bridge"], ["blue", "airlock"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, Step]:
        """Take the two."""
        swap = fields.list(name)
        if len(swap) != 2:
            raise Malformed(said("swap must be two researchers, each as [colour, room]"))
        return _pair(swap[0], "swap[0]"), _pair(swap[1], "swap[1]")

    def write(self, line: dict[str, Any], name: str, value: tuple[Step, Step]) -> None:
        """Put the two."""
        line[name] = [list(each) for each in value]


class TrainedOrCalled(Form):
    """``"train": 1`` for a researcher who is trained, or ``"to": ["bridge"]`` for those who are called."""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, ...] | None:
        """Take one of the two."""
        if fields.has("train"):
            fields.whole("train", 1, 1)
            return None
        return fields.words(name, ROOMS)

    def write(self, line: dict[str, Any], name: str, value: tuple[str, ...] | None) -> None:
        """Put one of the two."""
        line.update({"train": 1} if value is None else {name: list(value)})


class TechnologyById(Form):
    """The die that pays for a technology, and its id. Example: ``"die": "technology", "id": "scanner"``"""

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Take both."""
        fields.word("die", ("technology",))
        return fields.text(name)

    def write(self, line: dict[str, Any], name: str, value: str) -> None:
        """Put both."""
        line.update({"die": "technology", name: value})


class TeleporterTo(TechnologyById):
    """The teleporter by its die and id, and the room that it goes to. Example: ``"room": "bridge"``"""

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Take all three; the room is null when all teleporters are aboard."""
        super().read(fields, "id", known)
        return OrNull(*ROOMS).read(fields, name, known)

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Put all three."""
        super().write(line, "id", TELEPORTER)
        line[name] = value


class Effects(Form):
    """What changes, thing by thing. Example: ``[{"what": "kp", "colour": "red", "count": 1}]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Change, ...]:
        """Take the changes."""
        return changes_from(fields, name)

    def write(self, line: dict[str, Any], name: str, value: tuple[Change, ...]) -> None:
        """Put the changes."""
        line[name] = changes_json(value)


def _pair(value: object, where: str, of_rooms: bool = False) -> Step:
    """Read two texts, the second of them a room and the first too where *of_rooms* says so."""
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
    """The next general mission lies open; None: nobody has entered what it says.

    Example: ``{"do": "open", "card": null}``
    """

    card: Annotated[Card | None, CardForm()]


@dataclass(frozen=True)
class Exchange(Line, do="exchange"):
    """A personal mission goes back for another.

    Example: ``{"do": "exchange", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Roll(Line, do="roll"):
    """All dice are rolled, and those with too much contamination again and again.

    Example: ``{"do": "roll", "player": "red", "dice": ["move"], "rerolls": [["move"], ["support"]]}``
    """

    player: Seat
    dice: Dice
    rerolls: Annotated[tuple[tuple[str, ...], ...], RolledAgain()] = ()


@dataclass(frozen=True)
class Offer(Line, do="offer"):
    """Dice go on the lowest free order card.

    Example: ``{"do": "offer", "player": "red", "dice": ["move"]}``
    """

    player: Seat
    dice: Dice


@dataclass(frozen=True)
class Accept(Line, do="accept"):
    """Who is asked takes the card, its dice and one more die, None for no more.

    Example: ``{"do": "accept", "player": "red", "die": null}``
    """

    player: Seat
    die: Annotated[str | None, OrNull(*SYMBOLS)]


@dataclass(frozen=True)
class Decline(Line, do="decline"):
    """Who is asked passes the offer on.

    Example: ``{"do": "decline", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class Contaminate(Line, do="contaminate"):
    """All contamination of a turn at once: markers given up, researchers removed, *place* of them to a place.

    Example: ``{"do": "contaminate", "player": "red", "vaccines": 1, "remove": ["bridge"], "place": 1}``
    """

    player: Seat
    vaccines: Annotated[int, Whole(0)]
    remove: Rooms
    place: Annotated[int, Whole(0)] = 0


@dataclass(frozen=True)
class Train(Line, do="train"):
    """Researchers from the supply to the species card.

    Example: ``{"do": "train", "player": "red", "die": "training", "count": 2}``
    """

    player: Seat
    die: Die
    count: Annotated[int, Whole(0, RESEARCHERS)]


@dataclass(frozen=True)
class Call(Line, do="call"):
    """Researchers from the species card to rooms with an own teleporter, one for each room named.

    Example: ``{"do": "call", "player": "red", "die": "support", "to": ["airlock"]}``
    """

    player: Seat
    die: Die
    to: Rooms


@dataclass(frozen=True)
class Move(Line, do="move"):
    """Steps between rooms side by side.

    Example: ``{"do": "move", "player": "blue", "die": "move", "steps": [["cryo", "hangar"]]}``
    """

    player: Seat
    die: Die
    steps: Annotated[tuple[Step, ...], Steps()]


@dataclass(frozen=True)
class Explore(Line, do="explore"):
    """A tile turned over from a room beside it, and one researcher into it.

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
    """The technology that everybody knows: a teleporter to a room, None when all three are aboard.

    Example: ``{"do": "technology", "player": "red", "die": "technology", "id": "teleporter", "room": "bridge"}``
    """

    player: Seat
    room: Annotated[str | None, TeleporterTo()]


@dataclass(frozen=True)
class Technology(Line, do="technology"):
    """Another technology, and what it does.

    Example: ``{"do": "technology", "player": "red", "die": "technology", "id": "scan", "effects": []}``
    """

    player: Seat
    id: Annotated[str, TechnologyById()]
    effects: AllEffects


@dataclass(frozen=True)
class Armoury(Line, do="armoury"):
    """A researcher leaves the ship for its owner's species card.

    Example: ``{"do": "armoury", "player": "red", "colour": "blue", "from": "bridge"}``
    """

    player: Seat
    colour: Annotated[str, Text()]
    source: Source


@dataclass(frozen=True)
class Hangar(Line, do="hangar"):
    """A researcher goes from the hangar to any open room.

    Example: ``{"do": "hangar", "player": "red", "to": "cryo"}``
    """

    player: Seat
    to: Room


@dataclass(frozen=True)
class Quarters(Line, do="quarters"):
    """One or two steps.

    Example: ``{"do": "quarters", "player": "red", "steps": [["bridge", "airlock"]]}``
    """

    player: Seat
    steps: Annotated[tuple[Step, ...], Steps()]


@dataclass(frozen=True)
class Communications(Line, do="communications"):
    """One researcher trained (*to* is None) or called.

    Example: ``{"do": "communications", "player": "red", "train": 1}``
    """

    player: Seat
    to: Annotated[tuple[str, ...] | None, TrainedOrCalled()]


@dataclass(frozen=True)
class Bridge(Line, do="bridge"):
    """Personal missions drawn and put back, which nobody sees.

    Example: ``{"do": "bridge", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class Reactor(Line, do="reactor"):
    """Two researchers in rooms side by side change places.

    Example: ``{"do": "reactor", "player": "red", "swap": [["red", "bridge"], ["blue", "airlock"]]}``
    """

    player: Seat
    swap: Annotated[tuple[Step, Step], TwoResearchers()]


@dataclass(frozen=True)
class Fulfil(Line, do="fulfil"):
    """A mission fulfilled; *card* says what it is where that was not known before.

    Example: ``{"do": "fulfil", "player": "red", "mission": "personal", "sacrifice": ["bridge"],
    "card": {"name": "x", "kp": 2, "sacrifice": 1}}``
    """

    player: Seat
    mission: Annotated[str, OneOf(*MISSIONS)]
    sacrifice: Rooms
    card: Annotated[Card | None, KnownCardForm()] = None


@dataclass(frozen=True)
class EndTurn(Line, do="end_turn"):
    """A turn is over; dice that are left are lost.

    Example: ``{"do": "end_turn", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """What a card's text does, or the table's repair.

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

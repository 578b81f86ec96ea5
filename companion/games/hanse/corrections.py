"""Manual corrections. They change the state to match the table, but never lose or duplicate a card."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, assert_never

from companion.games.hanse.cards import CARDS, HAND_LIMIT, LABELS, TECHNOLOGIES, Container
from companion.games.hanse.goods import ALL_GOODS, CARGO, Cargo
from companion.games.hanse.places import PLANETS, Place, label_of
from companion.games.hanse.scoring import GOAL, won
from companion.games.hanse.state import Phase, Player, State, check_copies, goods_in_game, name_of
from companion.games.hanse.turns import GameEnded
from companion.kernel.errors import Refused
from companion.kernel.said import Said, listed, pattern, said, said_n
from companion.kernel.values import dataclass, replace
from companion.model.corrections import Count, Group
from companion.model.parser import Inside, Line, Object, OnlyOne, Seat, Some, Text, Whole
from companion.model.tellings import Occurrence, Rows, Telling


@dataclass(frozen=True)
class Megagalax:
    """A correction of a player's Megagalax."""

    amount: Annotated[int, Whole(0, GOAL)]


@dataclass(frozen=True)
class Hand:
    """A correction of the size of a player's hand."""

    amount: Annotated[int, Whole(0, HAND_LIMIT)]


@dataclass(frozen=True)
class Standing:
    """A correction of the place of a player's ship."""

    place: Place


Counted = tuple[tuple[str, int], ...]
"""Numbers of cards by name. The numbers of missing names do not change."""
IN_PLAY = Some({card: Whole(0, most) for card, most in TECHNOLOGIES.items()})
DISCARDED = Some({card: Whole(0, most) for card, most in CARDS.items()})


@dataclass(frozen=True)
class Technologies:
    """A correction of a player's technologies in play."""

    cards: Annotated[Counted, IN_PLAY]


@dataclass(frozen=True)
class Discarded:
    """A correction of a player's known discards."""

    cards: Annotated[Counted, DISCARDED]


@dataclass(frozen=True)
class GoodsAt:
    """A correction of the goods at planets. The goods at missing planets do not change."""

    planets: Annotated[tuple[tuple[str, Cargo], ...], Some(dict.fromkeys(PLANETS, CARGO))]


@dataclass(frozen=True)
class Held:
    """The goods in a container."""

    index: Container
    cards: Annotated[Cargo, CARGO]


@dataclass(frozen=True)
class Contents:
    """A correction of the goods in a container."""

    held: Annotated[Held, Object(Held)]


Correction = Megagalax | Hand | Standing | Technologies | Discarded | GoodsAt | Contents
WHAT = OnlyOne(
    {
        "megagalax": Megagalax,
        "place": Standing,
        "hand": Hand,
        "technologies": Technologies,
        "discards": Discarded,
        "goods": GoodsAt,
        "container": Contents,
    }
)
"""The field of a line for each correction."""


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Correct the state to match the table.

    Example: ``{"do": "correct", "player": "red", "reason": "", "place": "o1"}``
    """

    phase = None
    player: Seat
    reason: Annotated[str, Text(empty=True)]
    what: Annotated[Correction, WHAT]


@dataclass(frozen=True)
class Corrected:
    """The players corrected the state."""

    player: Seat
    what: Annotated[Correction, Inside(WHAT)]

    def fits(self, state: State) -> bool:
        """Return whether the correction is possible."""
        return corrigible(state.players[self.player], self.what)


def _megagalax(state: State, player: str) -> int:
    return state.players[player].megagalax


def _hand(state: State, player: str) -> int:
    return state.players[player].hand


def _in_play(state: State, player: str, card: str) -> int:
    return state.players[player].technology(card)


def _known(state: State, player: str, card: str) -> int:
    return state.players[player].known.get(card, 0)


COUNTS = Group(
    pattern("%(name)s's counts"),
    (
        Count(
            ("megagalax",),
            said("Megagalax"),
            lambda state, player: state.players[player].megagalax,
            0,
            GOAL,
            by_fives=True,
        ),
        Count(("hand",), said("Cards in hand"), _hand, 0, HAND_LIMIT),
        *(
            Count(
                ("technologies", card),
                LABELS[card],
                partial(_in_play, card=card),
                0,
                most,
            )
            for card, most in TECHNOLOGIES.items()
        ),
    ),
)
DISCARDS = Group(
    pattern("%(name)s's discards"),
    tuple(
        Count(
            ("discards", card),
            LABELS[card],
            partial(_known, card=card),
            0,
            most,
        )
        for card, most in CARDS.items()
    ),
    said("Those that are known by name. How many there are stays."),
    lambda state, player: state.players[player].discards,
)


def decide(state: State, command: Correct) -> tuple[Corrected | GameEnded, ...]:
    """Return the events of a correction.

    It needs a reason, and is possible from the first turn on, even after the end.
    """
    if not command.reason.strip():
        raise Refused(said("Give a reason for the correction."))
    _check_moment(state)
    player = state.players[command.player]
    ended: tuple[GameEnded, ...] = ()
    match command.what:
        case Megagalax(amount):
            ended = () if state.finished else won(amount)
        case Hand(amount):
            _check_pile(player, amount - player.hand)
        case Technologies(cards):
            _check_technologies(state, command.player, dict(cards))
        case Discarded(cards):
            _check_discards(state, command.player, dict(cards))
        case GoodsAt(planets):
            _check_goods(planets)
        case Contents():
            _check_contents(state, command.player, command.what)
        case Standing():
            pass
        case _:
            assert_never(command.what)
    event = Corrected(command.player, command.what)
    _check_all_goods(state, event)
    return (event, *ended)


def corrigible(player: Player, what: Correction) -> bool:
    """Return True if *what* is possible: *player* has the container, or enough empty bought containers to remove."""
    match what:
        case Contents(held):
            return held.index < len(player.containers)
        case Technologies(cards):
            had = player.technology("container")
            return had - dict(cards).get("container", had) <= sum(not cargo for cargo in player.containers[1:])
        case _:
            return True


def _check_moment(state: State) -> None:
    match state.phase:
        case Phase.TURN | Phase.FINISHED:
            return
        case Phase.ANSWER:
            raise Refused(said("Answer the card first."))
        case Phase.FLIP:
            raise Refused(said("Turn the goods over first."))
        case Phase.GOODS | Phase.CHOICE | Phase.PLANET:
            raise Refused(said("Use undo before the first turn."))
        case _:
            assert_never(state.phase)


def _check_pile(player: Player, wanted: int) -> None:
    cards = player.draw_pile + player.discards
    if wanted > cards:
        raise Refused(
            said_n("Draw pile and discards hold %(num)s card.", "Draw pile and discards hold %(num)s cards.", cards)
        )


def _check_technologies(state: State, colour: str, cards: Mapping[str, int]) -> None:
    player = state.players[colour]
    for card, count in cards.items():
        check_copies(state, colour, card, count - player.technology(card))
    if not corrigible(player, Technologies(tuple(cards.items()))):
        raise Refused(said("No container of %(name)s's is empty.", name=name_of(state, colour)))
    _check_pile(player, sum(count - player.technology(card) for card, count in cards.items()))


def _check_discards(state: State, colour: str, cards: Mapping[str, int]) -> None:
    player = state.players[colour]
    for card, count in cards.items():
        check_copies(state, colour, card, count - player.known.get(card, 0))
    if sum({**player.known, **cards}.values()) > player.discards:
        name = name_of(state, colour)
        raise Refused(
            said_n("%(name)s has %(num)s discard.", "%(name)s has %(num)s discards.", player.discards, name=name)
        )


def _check_goods(planets: tuple[tuple[str, Cargo], ...]) -> None:
    for planet, cargo in planets:
        if any(card.to == planet for card in cargo):
            raise Refused(said("No card at %(planet)s shows %(planet)s. Flip it.", planet=label_of(planet)))
        _check_sides(cargo)


def _check_contents(state: State, colour: str, contents: Contents) -> None:
    if not corrigible(state.players[colour], contents):
        raise Refused(said("%(name)s doesn't have that container.", name=name_of(state, colour)))
    cargo = contents.held.cards
    if len({card.to for card in cargo}) > 1:
        raise Refused(said("A container holds goods for one planet."))
    _check_sides(cargo)


def _check_sides(cargo: Cargo) -> None:
    if any(card.back is not None and card.back.to == card.to for card in cargo):
        raise Refused(said("A card's two sides name two planets."))


def _check_all_goods(state: State, event: Corrected) -> None:
    if isinstance(event.what, GoodsAt | Contents) and goods_in_game(evolve(state, event)) > ALL_GOODS:
        raise Refused(said("There are only %(num)s goods cards.", num=ALL_GOODS))


def evolve(state: State, event: Corrected) -> State:
    """Return the state after *event*."""
    match event.what:
        case GoodsAt(planets):
            for planet, cargo in planets:
                state = state.put(planet, cargo)
            return state
        case Standing(place):
            return state.moved(event.player, place)
        case Megagalax() | Hand() | Technologies() | Discarded() | Contents():
            return state.with_player(event.player, _player_corrected(state.players[event.player], event.what))
        case _:
            assert_never(event.what)


def _player_corrected(player: Player, what: Megagalax | Hand | Technologies | Discarded | Contents) -> Player:
    match what:
        case Megagalax(amount):
            return replace(player, megagalax=amount)
        case Hand(amount):
            return player.drawing(amount - player.hand)
        case Technologies(cards):
            more = {card: count - player.technology(card) for card, count in cards}
            for card, count in more.items():
                player = player.with_technology(card, count)
            return player.from_pile(sum(more.values()))
        case Discarded(cards):
            named = {**player.known, **dict(cards)}
            return replace(player, named={card: count for card, count in named.items() if count})
        case Contents(held):
            return player.holding(held.index, held.cards)
        case _:
            assert_never(what)


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
            return said("Goods corrected: %(planets)s", planets=listed([label_of(planet) for planet in goods]))
        case {"container": held}:
            return said("%(name)s: container %(num)s corrected", name=name, num=held["index"] + 1)
        case _:
            raise AssertionError("each correction has its sentence")


def _counted(cards: Mapping[str, int]) -> Said:
    return listed([Said("%(card)s %(count)s", {"card": LABELS[card], "count": count}) for card, count in cards.items()])


SENTENCES: Rows = {
    Corrected: Telling(
        _corrected,
        "correct",
        said("What the pages show is put right by hand."),
        "turn",
        aloud=pattern("Correction for %(name)s"),
        at_once=True,
    )
}

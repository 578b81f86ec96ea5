"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from companion.games.andromeda import events as happened
from companion.games.andromeda.board import CENTRES, PLANETS
from companion.games.andromeda.commands import Amount, Credits, StationMove
from companion.games.andromeda.events import Event
from companion.games.andromeda.parser import AMOUNTS, PLACES
from companion.games.andromeda.state import CARDS_OF_A_PLANET, CREDIT_SUPPLY, KINDS, TOP_LEVEL, Phase, State
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line, shown
from companion.kernel.validation import whole as checked
from companion.model.event_codec import EventCodec, Key, Reader, flag, one_of, seat, whole

MOST = 999
"""More than there is of anything in the box."""

_TRADING = (happened.CardLaid, happened.PlayerExcused, happened.SetsSwapped, happened.SetLeft, happened.SetTaken)
_ATTEMPT = (happened.CentreTaken, happened.FlewHome, happened.AttemptEnded)


def _can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds what it changes: no more, since it is the rules that say what may happen."""
    if isinstance(event, _TRADING) and state.trading is None:
        return False
    if isinstance(event, _ATTEMPT) and state.attempt is None:
        return False
    match event:
        case happened.SetsSwapped(player, partner):
            return state.trading is not None and {player, partner} <= set(state.trading.sets)
        case happened.LevelGained(player, "ship"):
            return state.players[player].ship < TOP_LEVEL
        case happened.LevelGained(player, _):
            return state.players[player].technology < TOP_LEVEL
        case _:
            return True


def _card(found: Fields, name: str, state: State) -> str | None:
    card = found.take(name)
    if card is not None and (not isinstance(card, str) or card not in (*PLANETS, *KINDS)):
        raise Malformed(said("card must be a planet, a credit or null, not %(given)s", given=shown(card)))
    return card


def _by_planet(found: Fields, name: str, state: State) -> tuple[int, ...]:
    cards = found.whole_numbers(name, 0, CARDS_OF_A_PLANET)
    if len(cards) != len(PLANETS):
        raise Malformed(said("cards must give a number for each planet"))
    return cards


def _pairs(found: Fields, name: str, words: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Read a list of pairs of one of *words* and a number."""
    pairs = found.list(name)
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != len(("word", "number")) or pair[0] not in words:
            raise Malformed(said("%(name)s must be pairs of a word and a number", name=name))
    return tuple((word, checked(number, name, 0, MOST)) for word, number in pairs)


def _corrected(found: Fields, name: str, state: State) -> StationMove | Credits | Amount:
    what = Fields(found.take(name), name)
    made = _CORRECTIONS[what.word("is", _CORRECTIONS)](what)
    what.nothing_else()
    return made


def _correction_line(what: StationMove | Credits | Amount) -> Line:
    return {"is": type(what).__name__, **{name: getattr(what, name) for name in type(what).__annotations__}}


def _amount(what: Fields) -> Amount:
    of = what.word("of", AMOUNTS)
    least, greatest = AMOUNTS[of]
    return Amount(of, what.whole("amount", least or 0, greatest or MOST))


def _credits(what: Fields) -> Credits:
    held = _pairs(what, "held", KINDS)
    return Credits(tuple((kind, checked(count, kind, 0, CREDIT_SUPPLY[kind])) for kind, count in held))


_CORRECTIONS: dict[str, Callable[[Fields], StationMove | Credits | Amount]] = {
    "Amount": _amount,
    "Credits": _credits,
    "StationMove": lambda what: StationMove(
        what.word("source", PLACES), what.word("target", PLACES), what.whole("count", 1, MOST)
    ),
}
_READERS: dict[Key, Reader] = {
    (happened.CardsShown, "cards"): _by_planet,
    (happened.Dealt, "cards"): lambda found, name, state: _pairs(found, name, state.colours),
    **dict.fromkeys(("player", "partner", "starter", "turn"), seat),
    **dict.fromkeys(("number", "actions", "stations", "cards", "draws"), whole(0, MOST)),
    "bonus": flag,
    "card": _card,
    "colours": lambda found, name, state: found.words(name, state.colours),
    "jokers": lambda found, name, state: found.words(name, KINDS),
    "kind": one_of(*KINDS),
    "move": one_of("to_planet", "to_earth"),
    "phase": one_of(*Phase),
    "planet": one_of(*PLANETS),
    "slot": whole(0, CENTRES - 1),
    "track": one_of("ship", "technology"),
    "what": _corrected,
}
CODEC = EventCodec(get_args(Event), _can_follow, _READERS, {"what": _correction_line})
pack, unpack = CODEC.pack, CODEC.unpack

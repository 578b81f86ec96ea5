"""The set picker: a matrix of planet by number of cards, and what the choice gives; three taps with the action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.game import Viewer
from companion.games.andromeda.actions import cost_of_next, stations_moved
from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.draws import draws_for
from companion.games.andromeda.state import (
    CREDIT_POINTS,
    CREDIT_SUPPLY,
    EARNED_BY,
    HAND_LIMIT,
    KINDS,
    LARGEST_SET,
    LEAST_SET,
    TECHNOLOGY_POINTS,
    State,
    best_free_centre,
    stations_on,
)
from companion.sight import Sight
from web.gamepages import Elsewhere, Scene
from web.games.andromeda.addresses import number, to, words
from web.games.andromeda.around import bar, surroundings, why_not
from web.games.andromeda.chances import chance, percent
from web.games.andromeda.faces import Face, counted, faces
from web.games.andromeda.public_hand import with_public_hands
from web.games.andromeda.turn import NAMES, in_actions

WITH_SETS = ("move", "establish", "technology", "ship")
MOST_JOKERS = LARGEST_SET - 1


@dataclass(frozen=True)
class Cell:
    """One number of cards of one planet: what it does, what it earns, or that it cannot be played."""

    cards: int
    address: str
    chosen: bool
    reason: str
    does: int
    earns: int
    label: str


@dataclass(frozen=True)
class Row:
    """One planet: a hint, the own stations there, and its cells; *reason* when no cell can be played."""

    planet: Planet
    hint: str
    own: int
    cells: tuple[Cell, ...]
    chosen: bool

    @property
    def reason(self) -> str:
        """Why nothing of this planet can be played, empty when something can."""
        return self.cells[0].reason if self.cells and all(cell.reason for cell in self.cells) else ""


@dataclass(frozen=True)
class Joker:
    """One kind of credit as a joker: how many are in the set, and the addresses with one more and one less."""

    kind: str
    count: int
    more: str
    less: str


@dataclass(frozen=True)
class Gain:
    """One line of what the set gives."""

    number: str
    words: str
    small: str


@dataclass(frozen=True)
class Play:
    """A button that plays the set."""

    words: str
    line: dict[str, Any]
    main: bool


@dataclass(frozen=True)
class Pick:
    """What has been picked so far."""

    action: str
    seat: str
    planet: str = ""
    cards: int = 0
    jokers: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many cards it counts for."""
        return self.cards + len(self.jokers)

    @property
    def earned(self) -> str:
        """The credit a true set of this size earns, if any."""
        return "" if self.jokers else EARNED_BY.get(self.cards, "")

    def line(self, **more: Any) -> dict[str, Any]:
        """Return the command, complete but for what *more* adds."""
        base = {"do": self.action, "player": self.seat, "planet": self.planet, "cards": self.cards}
        return base | ({"jokers": list(self.jokers)} if self.jokers else {}) | more

    def address(self, **changes: Any) -> str:
        """Return the address of the same pick with *changes*."""
        after = replace(self, **changes)
        query = {"planet": after.planet, "cards": after.cards or "", "jokers": ",".join(after.jokers)}
        return to(f"act/{after.action}", **query)


def picker_scene(
    sight: Sight, viewer: Viewer, action: str, query: Mapping[str, str], may_act: bool
) -> Scene | Elsewhere:
    """Return the page on which the set for *action* is picked."""
    state: State = sight.state
    if not in_actions(state):
        return Elsewhere()
    pick = _pick(state, action, query)
    face = faces(state.setting.seats)[pick.seat]
    left = f"{face.name}, {counted(state.actions_left, 'action')} left"
    public = with_public_hands(state, may_hold=pick.jokers)
    ready = bool(pick.planet and pick.cards)
    refused = _refusal(sight, pick, public) if ready else ""
    more = {
        "face": face,
        "pick": pick,
        "planet": state.setting.board.planet(pick.planet) if pick.planet else None,
        "ready": ready,
        "refused": refused,
        "rows": tuple(_row(sight, pick, planet, public) for planet in PLANETS),
        "columns": _columns(state, pick),
        "jokers": tuple(_joker(pick, kind) for kind in KINDS),
        "gains": _gains(state, pick) if ready and not refused else (),
        "plays": _plays(sight, pick, public) if ready and not refused else (),
        "does": {"establish": "draws", "move": "stations"}.get(action, ""),
    }
    heading = bar(state, NAMES[action], face=face, left_words=left, back=to())
    return Scene("andromeda/picker.html", surroundings(sight, viewer, heading, may_act) | more)


def _pick(state: State, action: str, query: Mapping[str, str]) -> Pick:
    planet = query.get("planet", "")
    jokers = words(query, "jokers", KINDS, MOST_JOKERS)
    cards = number(query, "cards", 1, LARGEST_SET) or 0
    return Pick(action, state.turn, planet if planet in PLANETS else "", cards, jokers)


def _columns(state: State, pick: Pick) -> tuple[int, ...]:
    """Return the numbers of real cards that make a set beside the jokers: never more than five."""
    jokers = len(pick.jokers)
    least, most = LEAST_SET, LARGEST_SET
    if pick.action in ("technology", "ship"):
        least = cost_of_next(state, pick.seat, pick.action) or LEAST_SET
        most = LARGEST_SET if state.options.allow_overpay else least
    return tuple(range(max(1, least - jokers), most - jokers + 1))


def _refusal(sight: Sight, pick: Pick, public: State) -> str:
    more = {"stations": 0} if pick.action == "move" else {}
    return why_not(sight, pick.line(**more), public)


def _row(sight: Sight, pick: Pick, planet: str, public: State) -> Row:
    state: State = sight.state
    cells = tuple(
        _cell(sight, replace(pick, planet=planet, cards=cards), pick, public) for cards in _columns(state, pick)
    )
    own = state.players[pick.seat].on(planet)
    return Row(state.setting.board.planet(planet), _hint(state, pick, planet), own, cells, planet == pick.planet)


def _hint(state: State, pick: Pick, planet: str) -> str:
    if pick.action != "establish":
        return ""
    slot = best_free_centre(state, planet)
    return "all three taken" if slot is None else f"best free {state.setting.board.planet(planet).centres[slot]}"


def _cell(sight: Sight, cell: Pick, pick: Pick, public: State) -> Cell:
    state: State = sight.state
    does = does_of(state, cell)
    kind = cell.earned if cell.earned and state.credits[KINDS.index(cell.earned)] else ""
    label = f"{counted(cell.cards, 'card')} of {state.setting.board.planet(cell.planet).label}"
    return Cell(
        cards=cell.cards,
        address=cell.address(),
        chosen=(cell.planet, cell.cards) == (pick.planet, pick.cards),
        reason=_refusal(sight, cell, public),
        does=does,
        earns=CREDIT_POINTS.get(kind, 0),
        label=f"{label}, earns {kind}" if kind else label,
    )


def does_of(state: State, pick: Pick) -> int:
    """Return how many draws or stations a set is good for, 0 for the tracks."""
    if pick.action == "establish":
        return draws_for(state, pick.seat, pick.size)
    if pick.action == "move":
        return stations_moved(state, pick.seat, pick.size)
    return 0


def _joker(pick: Pick, kind: str) -> Joker:
    count = pick.jokers.count(kind)
    full = len(pick.jokers) == MOST_JOKERS or count == CREDIT_SUPPLY[kind]
    # One card less with one joker more: what was picked keeps its size, where a real card is left.
    cards = max(1, pick.cards - 1) if pick.cards else 0
    fewer = list(pick.jokers)
    if count:
        fewer.remove(kind)
    back = min(LARGEST_SET, pick.cards + 1) if pick.cards else 0
    return Joker(
        kind,
        count,
        more="" if full else pick.address(jokers=(*pick.jokers, kind), cards=cards),
        less=pick.address(jokers=tuple(fewer), cards=back) if count else "",
    )


def _gains(state: State, pick: Pick) -> tuple[Gain, ...]:
    hand = state.players[pick.seat].hand
    cost = Gain(
        str(pick.size),
        f"{'card goes' if pick.size == 1 else 'cards go'}, {hand - pick.size} stay",
        f"of {hand} in hand",
    )
    return (*_effects(state, pick), cost, *_credit(state, pick))


def _effects(state: State, pick: Pick) -> tuple[Gain, ...]:
    player = state.players[pick.seat]
    if pick.action == "ship":
        return (
            Gain(
                str(HAND_LIMIT[player.ship + 1]), "cards is the new hand limit", f"{HAND_LIMIT[player.ship]} until now"
            ),
        )
    if pick.action == "technology":
        points, before = TECHNOLOGY_POINTS[player.technology + 1], TECHNOLOGY_POINTS[player.technology]
        return (Gain(str(points), "points for technology", f"{before} until now; level {player.technology + 1} of 4"),)
    if pick.action == "move":
        most = min(does_of(state, pick), player.earth)
        return (
            Gain(
                str(most),
                f"{'station moves' if most == 1 else 'stations move'} at most",
                f"{player.earth} on Earth now",
            ),
        )
    return _attempt_gains(state, pick)


def _attempt_gains(state: State, pick: Pick) -> tuple[Gain, ...]:
    under = stations_on(state, pick.planet)
    total, own = sum(under.values()), under[pick.seat]
    slot = best_free_centre(state, pick.planet)
    value = state.setting.board.planet(pick.planet).centres[slot or 0]
    draws = does_of(state, pick)
    small = f"{counted(total, 'station')} there, {own} {'is' if own == 1 else 'are'} yours"
    gains = [
        Gain(str(draws), f"{'draw' if draws == 1 else 'draws'} with the ring", small),
        Gain(str(value), "points for the centre", "if one of yours comes out"),
    ]
    if state.options.show_odds:
        gains.insert(1, Gain(percent(chance(total, own, draws)), "chance of a centre", "every station alike"))
    return tuple(gains)


def _credit(state: State, pick: Pick) -> tuple[Gain, ...]:
    if not pick.earned:
        return ()
    if not state.credits[KINDS.index(pick.earned)]:
        return (Gain("0", f"no {pick.earned} credit left", "its pile is empty"),)
    points = CREDIT_POINTS[pick.earned]
    return (Gain(f"+{points}", f"a {pick.earned} credit", f"{pick.cards} real cards earn it: {points} points"),)


def _plays(sight: Sight, pick: Pick, public: State) -> tuple[Play, ...]:
    """Return the buttons that play the set, the usual one first."""
    state: State = sight.state
    label = f"{pick.size} {state.setting.board.planet(pick.planet).label}"
    if pick.action == "move":
        most = min(does_of(state, pick), state.players[pick.seat].earth)
        lines = [(f"Move {count}", pick.line(stations=count)) for count in range(most, -1, -1)]
    else:
        lines = [(f"Play {label}", pick.line())]
    if pick.earned and state.credits[KINDS.index(pick.earned)]:
        lines.append((f"{lines[0][0]} without the credit", lines[0][1] | {"bonus": False}))
    legal = [(word, line) for word, line in lines if not why_not(sight, line, public)]
    return tuple(Play(word, line, main=at == 0) for at, (word, line) in enumerate(legal))


def exchange_scene(sight: Sight, viewer: Viewer, may_act: bool) -> Scene | Elsewhere:
    """Return the page on which cards are exchanged: one button for each number."""
    state: State = sight.state
    if not in_actions(state):
        return Elsewhere()
    face: Face = faces(state.setting.seats)[state.turn]
    public = with_public_hands(state)
    lines = ({"do": "exchange", "player": state.turn, "cards": cards} for cards in (1, 2, 3))
    more = {
        "face": face,
        "exchanges": tuple((line["cards"], line, why_not(sight, line, public)) for line in lines),
        "supply": state.supply,
        "discards": state.discards,
    }
    left = f"{face.name}, {counted(state.actions_left, 'action')} left"
    heading = bar(state, NAMES["exchange"], face=face, left_words=left, back=to())
    return Scene("andromeda/exchange.html", surroundings(sight, viewer, heading, may_act) | more)

"""The hand: a set of cards in the making for an action on the board. Its whole state is in the query of the page's URL.

Choosing a planet also proposes a number of cards, so that two taps are enough for the usual set: as many cards as
the player used last. Only numbers that every hand of that size can pay are proposed. The rules check any other number
once it is tapped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.andromeda.actions import (
    MOST_EXCHANGED_ADVANCED,
    THIRD_CARD_TECHNOLOGY,
    cost_of_next,
    stations_moved,
)
from companion.games.andromeda.attempt import draws_for
from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.odds import success
from companion.games.andromeda.state import (
    CREDIT_POINTS,
    EARNED_BY,
    HAND_LIMIT,
    KINDS,
    LARGEST_SET,
    LEAST_SET,
    TECHNOLOGY_POINTS,
    State,
    best_free_centre,
    label_of,
    stations_on,
)
from companion.kernel.said import word
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import number, to, words
from web.components.legality import taken
from web.games.andromeda.actions.deeds import NAMES, cost_in_words, reason_against
from web.games.andromeda.components.last_move import EARTH, signed
from web.games.andromeda.components.public_hand import credits_seen, judged
from web.http.formatting import percent
from web.http.i18n import _, ngettext, translated

WITH_SETS = ("move", "establish", "technology", "ship")
TRACKS = ("ship", "technology")
MOST_JOKERS = LARGEST_SET - 1
USUAL_SIZE = 4


@dataclass(frozen=True)
class Pick:
    """What has been picked so far. *stations* is None while as many as possible move."""

    action: str
    seat: str
    planet: str = ""
    cards: int = 0
    jokers: tuple[str, ...] = ()
    stations: int | None = None
    credit: bool = True

    @property
    def size(self) -> int:
        """The number of cards, jokers included."""
        return self.cards + len(self.jokers)

    @property
    def earned(self) -> str:
        """The kind of credit that a set of this size without jokers earns, or ""."""
        return "" if self.jokers else EARNED_BY.get(self.cards, "")

    def line(self, stations: int) -> dict[str, Any]:
        """Return the line that plays the set. *stations* move, if the action moves any."""
        line: dict[str, Any] = {"do": self.action, "player": self.seat, "planet": self.planet, "cards": self.cards}
        line |= {"jokers": list(self.jokers)} if self.jokers else {}
        line |= {"stations": stations} if self.action == "move" else {}
        return line | ({} if self.credit else {"bonus": False})

    def address(self, **changes: Any) -> str:
        """Return the URL of the same pick with *changes*."""
        after = replace(self, **changes)
        query = {"planet": after.planet, "cards": after.cards or "", "jokers": ",".join(after.jokers)}
        query |= {"stations": "" if after.stations is None else after.stations, "credit": "" if after.credit else 0}
        return to(f"act/{after.action}", **query)


def pick_from(state: State, action: str, query: Mapping[str, str]) -> Pick:
    """Parse the pick in *query*, ignoring values that are not valid."""
    planet = query.get("planet", "")
    return Pick(
        action,
        state.turn,
        planet if planet in PLANETS else "",
        number(query, "cards", 1, LARGEST_SET) or 0,
        words(query, "jokers", KINDS, MOST_JOKERS),
        number(query, "stations", 0, LARGEST_SET) if action == "move" else None,
        query.get("credit") != "0",
    )


@dataclass(frozen=True)
class Tile:
    """A place as a button: its URL, and the reason why it can't be chosen. *state* is a class of layout.

    *says*: what a tap does, if that is more than choosing the place.
    """

    address: str
    reason: str = ""
    state: str = "outlined"
    says: str = ""


@dataclass(frozen=True)
class SetSize:
    """A number of cards, jokers included: its URL, how much it does, or the reason why it can't be played."""

    cards: int
    address: str
    does: int
    chosen: bool
    reason: str


@dataclass(frozen=True)
class Joker:
    """One kind of credit as a joker: the number in the set, and the URL for one more, or "" if there can't be more."""

    kind: str
    count: int
    more: str


@dataclass(frozen=True)
class SetGain:
    """One gain of the set. *before* is the present value, if the set changes it."""

    number: str
    words: str
    before: str = ""


@dataclass(frozen=True)
class StationCount:
    """A number of stations that can move."""

    count: int
    address: str
    chosen: bool


@dataclass(frozen=True)
class EarnedCredit:
    """The credit that the set earns: a tick, which *address* sets or removes."""

    points: int
    kind: str
    chosen: bool
    address: str


@dataclass(frozen=True)
class Hand:
    """The panel next to the board while an action is chosen.

    - *title* and *small*: the action, and its cost or its planet. *ask* and *tell*: what is missing, or the refusal.
    - *back*: the URL of one joker fewer.
    - *changes*: what the set would change at each place of the board, for the player's own stations.
    - *play*: the words and the line of the button that plays the set, or None if nothing can be played yet.
    """

    pick: Pick
    title: str
    small: str
    planet: Planet | None
    ask: str
    tell: str
    sizes: tuple[SetSize, ...] = ()
    jokers: tuple[Joker, ...] = ()
    back: str = ""
    gains: tuple[SetGain, ...] = ()
    stations: tuple[StationCount, ...] = ()
    credit: EarnedCredit | None = None
    changes: Mapping[str, str] = field(default_factory=dict)
    play: tuple[str, dict[str, Any]] | None = None

    @property
    def fan(self) -> int:
        """The number of cards in the picture: those in the set, or the smallest set if there is none."""
        return self.pick.size or LEAST_SET


def tiles_of(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> dict[str, Tile]:
    """Return the planets and tracks as buttons: planets change the pick, tracks begin their own action.

    While stations move, another tap on their planet sends one more, and a tap on Earth one fewer.
    """
    planets = {planet: _planet_tile(snapshot.state, pick, planet) for planet in PLANETS}
    tracks = {track: _track_tile(snapshot, viewer, pick, track) for track in TRACKS}
    again = _moving_tiles(snapshot, viewer, pick) if pick.action == "move" and pick.planet else {}
    return planets | tracks | again


def _planet_tile(state: State, pick: Pick, planet: str) -> Tile:
    reason = _short_reason(state, pick.action, pick.seat, planet)
    if planet == pick.planet:
        return Tile(to(f"act/{pick.action}"), reason, "asked" if reason else "lifted")
    return Tile(pick.address(planet=planet, stations=None), reason, "dimmed" if reason else "outlined")


def _moving_tiles(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> dict[str, Tile]:
    """Return the planet and Earth as buttons for one station more and one fewer, where that is possible."""
    state, pick = snapshot.state, with_usual_size(snapshot, viewer, pick)
    count, most = _count_moved(state, pick) if pick.cards else (0, 0)
    more = pick.address(stations=count + 1) if count < most else _larger_set(snapshot, viewer, pick, most)
    tiles = {pick.planet: Tile(more, "", "lifted", _("One more"))} if more else {}
    fewer = {EARTH: Tile(pick.address(stations=count - 1), "", "outlined", _("One less"))} if count else {}
    return tiles | fewer


def _count_moved(state: State, pick: Pick) -> tuple[int, int]:
    """Return how many stations move, and how many the set could move."""
    most = min(does_of(state, pick), state.players[pick.seat].earth)
    return most if pick.stations is None else min(pick.stations, most), most


def _larger_set(snapshot: Snapshot, viewer: Viewer, pick: Pick, most: int) -> str:
    """Return the URL of the next larger set that moves more than *most* stations, or "" if there is none."""
    for size in _possible_sizes(snapshot.state, pick):
        larger = replace(pick, cards=size - len(pick.jokers), stations=None)
        if size > pick.size and _count_moved(snapshot.state, larger)[1] > most:
            return "" if _size(snapshot, viewer, pick, size).reason else larger.address()
    return ""


def _track_tile(snapshot: Snapshot, viewer: Viewer, pick: Pick, track: str) -> Tile:
    if track == pick.action:
        return Tile("", "", "lifted")
    reason = reason_against(snapshot, viewer, track)
    return Tile("" if reason else to(f"act/{track}"), reason, "dimmed" if reason else "")


def _short_reason(state: State, action: str, seat: str, planet: str) -> str:
    """Return why *planet* can't be chosen, in a few words. Only an attempt depends on the planet."""
    if action != "establish":
        return ""
    if best_free_centre(state, planet) is None:
        return _("All three taken")
    return "" if state.players[seat].on(planet) else _("No station of yours")


def hand_of(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> Hand:
    """Return the hand for *pick*."""
    state: State = snapshot.state
    title, cost = NAMES[pick.action], cost_in_words(state, pick.action)
    if not pick.planet:
        return Hand(pick, title, cost, None, _("Tap a planet"), _which_planets(state, pick.action))
    planet = state.setting.board.planet(pick.planet)
    reason = _short_reason(state, pick.action, pick.seat, pick.planet)
    if reason:
        return Hand(pick, title, cost, planet, *_refused_planet(state, pick))
    pick = with_usual_size(snapshot, viewer, pick)
    hand = Hand(
        pick,
        title,
        _about(state, pick, cost),
        planet,
        "",
        "",
        sizes=_sizes(snapshot, viewer, pick),
        jokers=tuple(_joker(pick, kind, credits_seen(state, viewer, pick.seat, kind)) for kind in KINDS),
        back=_one_joker_fewer(pick),
    )
    return _picked(snapshot, viewer, hand) if pick.cards else replace(hand, ask=_("How many cards?"))


def _picked(snapshot: Snapshot, viewer: Viewer, hand: Hand) -> Hand:
    """Return *hand* with the reason against its set, or with its gains and the button that plays it."""
    state, credit = snapshot.state, _credit(snapshot.state, hand.pick)
    pick = hand.pick if credit else replace(hand.pick, credit=True)
    # Give the reasons that everybody can see first. Only then check the hand by the rules.
    smallest = pick.line(0)
    refused = judged(snapshot, viewer, smallest).reason or taken(snapshot, smallest)
    if refused:
        return replace(hand, tell=refused)
    moves = pick.action == "move"
    count, most = _count_moved(state, pick)
    return replace(
        hand,
        gains=_gains(state, pick),
        stations=tuple(StationCount(one, pick.address(stations=one), one == count) for one in range(most + 1))
        if moves
        else (),
        credit=credit,
        changes={pick.planet: signed(count), EARTH: signed(-count)} if moves else {},
        play=(_play_words(state, pick, count), pick.line(count)),
    )


def _which_planets(state: State, action: str) -> str:
    """Return which planets can be chosen."""
    return {
        "establish": _("Only planets where you have a station and a centre is free."),
        "move": _("Stations go there from Earth. Its cards pay for it."),
        "technology": _("Its cards pay, even if the planet is full."),
        "ship": _("Its cards pay, even if the planet is full."),
    }[action]


def _refused_planet(state: State, pick: Pick) -> tuple[str, str]:
    place = label_of(state, pick.planet)
    if best_free_centre(state, pick.planet) is None:
        tell = _("All three centres are taken. Its cards still pay for a bigger ship and technology.")
        return _("%(planet)s is full", planet=place), tell
    return _("None of yours on %(planet)s", planet=place), _("Move a station there first.")


def _about(state: State, pick: Pick, cost: str) -> str:
    """Return the line below the title: what the planet means for the action."""
    place = label_of(state, pick.planet)
    if pick.action == "move":
        return _("Earth to %(planet)s", planet=place)
    if pick.action != "establish":
        return cost
    under = stations_on(state, pick.planet)
    return _("%(planet)s: %(own)s of %(total)s yours", planet=place, own=under[pick.seat], total=sum(under.values()))


# The size of the set


def with_usual_size(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> Pick:
    """Return *pick* with a number of cards, if none has been picked: as many as the player used last, or fewer.

    The number depends only on the size of the hand. There is none if no set is possible with every such hand.
    """
    sizes = _possible_sizes(snapshot.state, pick)
    if pick.cards or not sizes:
        return pick
    if len(sizes) == 1:
        return replace(pick, cards=sizes[0] - len(pick.jokers))
    wanted = max(_used_last(snapshot, pick.seat), sizes[0])
    for size in reversed([size for size in sizes if size <= wanted]):
        usual = replace(pick, cards=size - len(pick.jokers))
        if judged(snapshot, viewer, usual.line(0)).legal:
            return usual
    return pick


def _used_last(snapshot: Snapshot, seat: str) -> int:
    """Return the size of the set that *seat* played last: in the newest lines, or in its earlier attempts."""
    played = (line.line for line in snapshot.recent if not line.undone and line.line.get("do") in WITH_SETS)
    own = [line["cards"] + len(line.get("jokers") or ()) for line in played if line.get("player") == seat]
    tried = [one.cards for one in reversed(snapshot.state.tried) if one.player == seat and one.cards]
    return next(iter([*own, *tried]), USUAL_SIZE)


def _possible_sizes(state: State, pick: Pick) -> tuple[int, ...]:
    """Return the sizes of a set that the rules allow for the action and that leave room for a real card."""
    least, most = LEAST_SET, LARGEST_SET
    if pick.action in TRACKS:
        least = cost_of_next(state, pick.seat, pick.action) or LEAST_SET
        most = LARGEST_SET if state.options.allow_overpay else least
    return tuple(size for size in range(least, most + 1) if size > len(pick.jokers))


def _sizes(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> tuple[SetSize, ...]:
    sizes = _possible_sizes(snapshot.state, pick)
    return tuple(_size(snapshot, viewer, pick, size) for size in sizes) if len(sizes) > 1 else ()


def _size(snapshot: Snapshot, viewer: Viewer, pick: Pick, size: int) -> SetSize:
    state: State = snapshot.state
    one = replace(pick, cards=size - len(pick.jokers), stations=None)
    held = state.players[pick.seat].hand
    reason = judged(snapshot, viewer, one.line(0)).reason
    if size > held:
        reason = ngettext("Only %(num)s card in hand", "Only %(num)s cards in hand", held)
    return SetSize(size, one.address(), does_of(state, one), one.cards == pick.cards, reason)


def does_of(state: State, pick: Pick) -> int:
    """Return how many draws or stations the set gives, or 0 if the set is for a track."""
    if pick.action == "establish":
        return draws_for(state, pick.seat, pick.size)
    return stations_moved(state, pick.seat, pick.size) if pick.action == "move" else 0


def _joker(pick: Pick, kind: str, most: int) -> Joker:
    count = pick.jokers.count(kind)
    if len(pick.jokers) == MOST_JOKERS or count >= most:
        return Joker(kind, count, "")
    # One more joker replaces one card, so that the set keeps its size, as long as one real card is left.
    cards = max(1, pick.cards - 1) if pick.cards else 0
    return Joker(kind, count, pick.address(jokers=(*pick.jokers, kind), cards=cards, credit=True))


def _one_joker_fewer(pick: Pick) -> str:
    cards = min(LARGEST_SET, pick.cards + 1) if pick.cards else 0
    return pick.address(jokers=pick.jokers[:-1], cards=cards) if pick.jokers else ""


# What the set gives, computed by the rules before the set is played


def _gains(state: State, pick: Pick) -> tuple[SetGain, ...]:
    player = state.players[pick.seat]
    match pick.action:
        case "establish":
            return _attempt_gains(state, pick)
        case "ship":
            after = str(HAND_LIMIT[player.ship + 1])
            return (SetGain(after, _("cards: new hand limit"), str(HAND_LIMIT[player.ship])),)
        case "technology":
            return _technology_gains(player.technology)
    return ()


def _technology_gains(level: int) -> tuple[SetGain, ...]:
    points = TECHNOLOGY_POINTS[level + 1]
    said = ngettext("point for technology", "points for technology", points)
    gain = SetGain(str(points), said, str(TECHNOLOGY_POINTS[level]))
    if level + 1 != THIRD_CARD_TECHNOLOGY:
        return (gain,)
    return gain, SetGain(str(MOST_EXCHANGED_ADVANCED), _("cards in one exchange"))


def _attempt_gains(state: State, pick: Pick) -> tuple[SetGain, ...]:
    under = stations_on(state, pick.planet)
    value = state.setting.board.planet(pick.planet).centres[best_free_centre(state, pick.planet) or 0]
    draws = does_of(state, pick)
    gains = (SetGain(str(draws), ngettext("draw", "draws", draws)), SetGain(str(value), _("points")))
    if not state.options.show_odds:
        return gains
    return *gains, SetGain(percent(success(sum(under.values()), under[pick.seat], draws)), _("chance of a centre"))


def _credit(state: State, pick: Pick) -> EarnedCredit | None:
    kind = pick.earned
    if not kind or not state.credits[KINDS.index(kind)]:
        return None
    return EarnedCredit(CREDIT_POINTS[kind], word(kind), pick.credit, pick.address(credit=not pick.credit))


def _play_words(state: State, pick: Pick, stations: int) -> str:
    place = translated(label_of(state, pick.planet))
    if pick.action == "move":
        return _("Move %(num)s to %(planet)s", num=stations, planet=place)
    return _("Play %(cards)s", cards=f"{pick.size} {place}")

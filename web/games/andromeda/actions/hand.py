"""The hand: a set of cards in the making for an action on the board. Its whole state is in the query of the page's URL.

Every number of cards is a button that plays the set at once and shows what it gives, so two taps are enough for any
set: a planet, and a number. The likeliest number is filled: as many cards as the player used last, if every hand of
that size can pay it. If only one number pays for an action, the planets are the buttons.
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
    """What has been picked so far. *cards* is the likeliest number; *stations* is None if as many as possible move."""

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

    def of_size(self, size: int) -> Pick:
        """Return the same pick with *size* cards, jokers included."""
        return replace(self, cards=size - len(self.jokers))

    def line(self, stations: int = 0) -> dict[str, Any]:
        """Return the line that plays the set. *stations* move, if the action moves any."""
        line: dict[str, Any] = {"do": self.action, "player": self.seat, "planet": self.planet, "cards": self.cards}
        line |= {"jokers": list(self.jokers)} if self.jokers else {}
        line |= {"stations": stations} if self.action == "move" else {}
        return line | ({} if self.credit else {"bonus": False})

    def address(self, **changes: Any) -> str:
        """Return the URL of the same pick with *changes*."""
        after = replace(self, **changes)
        query: dict[str, Any] = {"planet": after.planet, "jokers": ",".join(after.jokers)}
        query |= {"stations": "" if after.stations is None else after.stations, "credit": "" if after.credit else 0}
        return to(f"act/{after.action}", **query)


def pick_from(state: State, action: str, query: Mapping[str, str]) -> Pick:
    """Parse the pick in *query*, ignoring values that are not valid."""
    planet = query.get("planet", "")
    return Pick(
        action,
        state.turn,
        planet if planet in PLANETS else "",
        jokers=words(query, "jokers", KINDS, MOST_JOKERS),
        stations=number(query, "stations", 0, LARGEST_SET) if action == "move" else None,
        credit=query.get("credit") != "0",
    )


@dataclass(frozen=True)
class Tile:
    """A place as a button: its URL, and the reason why it can't be chosen. *state* is a class of layout.

    *says*: what a tap does, if that is more than choosing the place. *line*: the line that it sends, instead of a URL.
    """

    address: str
    reason: str = ""
    state: str = "outlined"
    says: str = ""
    line: dict[str, Any] | None = None


@dataclass(frozen=True)
class SetSize:
    """A number of cards, jokers included: the line that plays the set, what it gives, or why it can't be played.

    *words* and *gives* say so in words. *does* counts draws or stations; *credit* is the credit that the set earns.
    """

    cards: int
    line: dict[str, Any]
    words: str
    gives: str
    does: int
    credit: EarnedCredit | None
    chance: str
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
    """A number of stations that can move; the last one means as many as the set allows."""

    count: int
    address: str
    chosen: bool


@dataclass(frozen=True)
class EarnedCredit:
    """The credit that a set earns."""

    points: int
    kind: str


@dataclass(frozen=True)
class Hand:
    """The panel next to the board while an action is chosen.

    - *title*: the action. *ask* and *tell*: what to tap, and what that means; or what is refused, and why.
    - *back*: the URL of the same choice with one joker fewer. *tick*: the URL that takes the earned credit or leaves
      it, or "". *credits*: the credits that its sets earn.
    - *changes*: what the likeliest set would change at each place of the board, for the player's own stations.
    """

    pick: Pick
    title: str
    planet: Planet | None
    ask: str
    tell: str
    sizes: tuple[SetSize, ...] = ()
    jokers: tuple[Joker, ...] = ()
    back: str = ""
    gains: tuple[SetGain, ...] = ()
    stations: tuple[StationCount, ...] = ()
    tick: str = ""
    credits: tuple[EarnedCredit, ...] = ()
    changes: Mapping[str, str] = field(default_factory=dict)

    @property
    def fan(self) -> int:
        """The number of cards in the picture: those in the set, or the smallest set if there is none."""
        return self.pick.size or LEAST_SET


def tiles_of(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> dict[str, Tile]:
    """Return the planets and tracks as buttons: planets change the pick, tracks begin their own action."""
    only = _only_size(snapshot.state, pick)
    planets = {
        planet: _playing_tile(snapshot, viewer, replace(pick, planet=planet), only)
        if only
        else _planet_tile(snapshot.state, pick, planet)
        for planet in PLANETS
    }
    return planets | {track: _track_tile(snapshot, viewer, pick, track) for track in TRACKS}


def _planet_tile(state: State, pick: Pick, planet: str) -> Tile:
    reason = _short_reason(state, pick.action, pick.seat, planet)
    if planet == pick.planet:
        return Tile(to(f"act/{pick.action}"), reason, "asked" if reason else "lifted")
    return Tile(pick.address(planet=planet), reason, "dimmed" if reason else "outlined")


def _playing_tile(snapshot: Snapshot, viewer: Viewer, pick: Pick, size: int) -> Tile:
    """Return the planet as the button that plays its cards."""
    played = _size(snapshot, viewer, pick, size)
    return Tile("", "", "dimmed") if played.reason else Tile("", says=played.words, line=played.line)


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
    title = NAMES[pick.action]
    if only := _only_size(state, pick):
        pick = replace(pick, planet="").of_size(only)
        hand = Hand(pick, title, None, _("Tap a planet"), _plays(pick.cards))
        # No page knows the planets of a hand, so any planet gives the same answer.
        return _with_sets(snapshot, viewer, hand, (_size(snapshot, viewer, replace(pick, planet=PLANETS[0]), only),))
    if not pick.planet:
        return Hand(pick, title, None, _("Tap a planet"), _which_planets(state, pick.action))
    planet = state.setting.board.planet(pick.planet)
    reason = _short_reason(state, pick.action, pick.seat, pick.planet)
    if reason:
        return Hand(pick, title, planet, *_refused_planet(state, pick))
    pick = pick.of_size(usual) if (usual := _usual_size(snapshot, viewer, pick)) else pick
    sizes = tuple(_size(snapshot, viewer, pick, size) for size in _possible_sizes(state, pick))
    hand = Hand(pick, title, planet, _("How many cards?"), _("A tap plays them."), sizes=sizes)
    return _with_sets(snapshot, viewer, hand, sizes)


def _with_sets(snapshot: Snapshot, viewer: Viewer, hand: Hand, sizes: tuple[SetSize, ...]) -> Hand:
    """Return *hand* with its jokers, and with what the sets of *sizes* give, or why none of them can be played."""
    state, pick = snapshot.state, hand.pick
    hand = replace(
        hand,
        jokers=tuple(_joker(state, pick, kind, credits_seen(state, viewer, pick.seat, kind)) for kind in KINDS),
        back=pick.address(jokers=pick.jokers[:-1]) if pick.jokers else "",
    )
    possible = [size for size in sizes if not size.reason]
    if possible:
        return _giving(state, hand, possible)
    return replace(hand, ask=hand.title, tell=sizes[0].reason if sizes else cost_in_words(state, pick.action))


def _giving(state: State, hand: Hand, possible: list[SetSize]) -> Hand:
    """Return *hand* with what its *possible* sets give."""
    pick = hand.pick
    count = next((size.does for size in possible if size.chosen), 0) if pick.action == "move" else 0
    earned = [_credit(state, pick.of_size(size.cards)) for size in possible]
    return replace(
        hand,
        gains=_gains(state, pick),
        stations=_station_counts(state, pick, possible[-1].cards) if pick.action == "move" else (),
        tick=pick.address(credit=not pick.credit) if any(earned) else "",
        credits=tuple(filter(None, earned)),
        changes={pick.planet: signed(count), EARTH: signed(-count)} if count else {},
    )


def _station_counts(state: State, pick: Pick, size: int) -> tuple[StationCount, ...]:
    """Return the numbers of stations that can move with a set of *size* cards."""
    most = _count_moved(state, replace(pick.of_size(size), stations=None))
    picked = (*range(most), None)
    return tuple(
        StationCount(most if one is None else one, pick.address(stations=one), one == pick.stations) for one in picked
    )


def _plays(cards: int) -> str:
    """Return what a tap on a planet does if only one number of cards pays."""
    return ngettext("Its card is played at once.", "Its %(num)s cards are played at once.", cards)


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


# The size of the set


def _usual_size(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> int:
    """Return the likeliest number of cards: as many as the player used last, or fewer; 0 if there is none.

    The number depends only on the size of the hand, and on the jokers that were picked.
    """
    sizes = _possible_sizes(snapshot.state, pick)
    if len(sizes) == 1:
        return sizes[0]
    wanted = max(_used_last(snapshot, pick.seat), sizes[0])
    for size in reversed([size for size in sizes if size <= wanted]):
        known = judged(snapshot, viewer, pick.of_size(size).line())
        if known.legal or (pick.jokers and not known.reason):
            return size
    return 0


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


def _only_size(state: State, pick: Pick) -> int:
    """Return the number of cards that pays for a track, or 0 if there is a choice."""
    sizes = _possible_sizes(state, pick)
    return sizes[0] if pick.action in TRACKS and len(sizes) == 1 else 0


def _size(snapshot: Snapshot, viewer: Viewer, pick: Pick, size: int) -> SetSize:
    state: State = snapshot.state
    one, held = pick.of_size(size), state.players[pick.seat].hand
    credit = _credit(state, one)
    does = _does(state, one)
    line = (one if credit else replace(one, credit=True)).line(does)
    reason = judged(snapshot, viewer, line).reason
    if size > held:
        reason = ngettext("Only %(num)s card in hand", "Only %(num)s cards in hand", held)
    credit = credit if pick.credit else None
    chance = _chance(state, pick, does)
    words = _("Play %(cards)s", cards=f"{size} {translated(label_of(state, pick.planet))}")
    gives = _gives(pick.action, does, credit, chance)
    return SetSize(size, line, words, gives, does, credit, chance, one.cards == pick.cards, reason)


def _gives(action: str, does: int, credit: EarnedCredit | None, chance: str) -> str:
    """Return what a set gives in words."""
    first = {
        "establish": ngettext("%(num)s draw", "%(num)s draws", does),
        "move": ngettext("%(num)s station moves", "%(num)s stations move", does),
    }.get(action, "")
    earned = f"+{credit.points} {translated(credit.kind)}" if credit else ""
    chances = _("%(chance)s chance of a centre", chance=chance) if chance else ""
    return ", ".join(filter(None, (first, chances, earned)))


def _chance(state: State, pick: Pick, draws: int) -> str:
    """Return the chance of a centre with this many *draws*, if the table wants to see it."""
    if pick.action != "establish" or not state.options.show_odds:
        return ""
    under = stations_on(state, pick.planet)
    return percent(success(sum(under.values()), under[pick.seat], draws))


def _does(state: State, pick: Pick) -> int:
    """Return how many draws the set gives, or how many stations it moves; 0 if it is for a track."""
    if pick.action == "move":
        return _count_moved(state, pick)
    return draws_for(state, pick.seat, pick.size) if pick.action == "establish" else 0


def _count_moved(state: State, pick: Pick) -> int:
    """Return how many stations move with the set: as many as it allows, or as many as were picked."""
    most = min(stations_moved(state, pick.seat, pick.size), state.players[pick.seat].earth)
    return most if pick.stations is None else min(pick.stations, most)


def _joker(state: State, pick: Pick, kind: str, most: int) -> Joker:
    count, more = pick.jokers.count(kind), replace(pick, jokers=(*pick.jokers, kind), credit=True)
    return Joker(kind, count, more.address() if count < most and _possible_sizes(state, more) else "")


# What the set gives, computed by the rules before the set is played


def _gains(state: State, pick: Pick) -> tuple[SetGain, ...]:
    player = state.players[pick.seat]
    match pick.action:
        case "establish":
            return _attempt_gains(state, pick)
        case "ship":
            after = str(HAND_LIMIT[player.ship + 1])
            return (SetGain(after, _("hand limit"), str(HAND_LIMIT[player.ship])),)
        case "technology":
            return _technology_gains(player.technology)
    return ()


def _technology_gains(level: int) -> tuple[SetGain, ...]:
    gain = SetGain(str(TECHNOLOGY_POINTS[level + 1]), _("points"), str(TECHNOLOGY_POINTS[level]))
    if level + 1 != THIRD_CARD_TECHNOLOGY:
        return (gain,)
    return gain, SetGain(str(MOST_EXCHANGED_ADVANCED), _("cards in one exchange"))


def _attempt_gains(state: State, pick: Pick) -> tuple[SetGain, ...]:
    value = state.setting.board.planet(pick.planet).centres[best_free_centre(state, pick.planet) or 0]
    under = stations_on(state, pick.planet)
    own = SetGain(str(under[pick.seat]), _("of %(total)s yours", total=sum(under.values())))
    return SetGain(str(value), _("points")), own


def _credit(state: State, pick: Pick) -> EarnedCredit | None:
    """Return the credit that the set earns: jokers earn none, and neither does a set whose pile is empty."""
    kind = "" if pick.jokers else EARNED_BY.get(pick.cards, "")
    if not kind or not state.credits[KINDS.index(kind)]:
        return None
    return EarnedCredit(CREDIT_POINTS[kind], word(kind))

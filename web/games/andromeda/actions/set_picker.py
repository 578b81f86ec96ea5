"""The page on which a set is picked: a table of planets and numbers of cards, and the gains of the chosen set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.games.andromeda.actions import cost_of_next
from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.odds import success
from companion.games.andromeda.state import (
    CREDIT_POINTS,
    HAND_LIMIT,
    KINDS,
    LARGEST_SET,
    LEAST_SET,
    TECHNOLOGY_POINTS,
    TOP_LEVEL,
    State,
    best_free_centre,
    stations_on,
)
from companion.kernel.i18n import word
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import taken
from web.components.players import faces
from web.games.andromeda.actions.set_pick import MOST_JOKERS, Pick, does_of, pick_from
from web.games.andromeda.actions.turn import NAMES, in_actions
from web.games.andromeda.components.layout import actions_left, bar
from web.games.andromeda.components.public_hand import credits_seen, judged
from web.http.formatting import percent
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Elsewhere, Look, Scene

# The gains of a picked set, computed by the rules before the set is played.


@dataclass(frozen=True)
class SetGain:
    """One gain or cost of the set. *before* is the present value, if the set changes it."""

    number: str
    words: str
    small: str
    before: str = ""


def gains_of(state: State, pick: Pick) -> tuple[SetGain, ...]:
    """Return the gains and costs of the set, in the order of the page."""
    hand = state.players[pick.seat].hand
    cost = SetGain(
        str(pick.size),
        ngettext("card used, %(stay)s left", "cards used, %(stay)s left", pick.size, stay=hand - pick.size),
        _("of %(num)s in hand", num=hand),
    )
    return (*_effects(state, pick), cost, *_credit(state, pick))


def _effects(state: State, pick: Pick) -> tuple[SetGain, ...]:
    player = state.players[pick.seat]
    if pick.action == "ship":
        before, after = HAND_LIMIT[player.ship], HAND_LIMIT[player.ship + 1]
        return (SetGain(str(after), _("cards: new hand limit"), _("%(num)s so far", num=before), str(before)),)
    if pick.action == "technology":
        points, before = TECHNOLOGY_POINTS[player.technology + 1], TECHNOLOGY_POINTS[player.technology]
        small = _("%(num)s so far; level %(level)s of 4", num=before, level=player.technology + 1)
        return (
            SetGain(str(points), ngettext("point for technology", "points for technology", points), small, str(before)),
        )
    if pick.action == "move":
        most = min(does_of(state, pick), player.earth)
        return (
            SetGain(
                str(most),
                ngettext("station at most", "stations at most", most),
                _("%(num)s on Earth", num=player.earth),
            ),
        )
    return _attempt_gains(state, pick)


def _attempt_gains(state: State, pick: Pick) -> tuple[SetGain, ...]:
    under = stations_on(state, pick.planet)
    total, own = sum(under.values()), under[pick.seat]
    slot = best_free_centre(state, pick.planet)
    value = state.setting.board.planet(pick.planet).centres[slot or 0]
    draws = does_of(state, pick)
    yours = ngettext("%(num)s is yours", "%(num)s are yours", own)
    small = ngettext("%(num)s station there, %(yours)s", "%(num)s stations there, %(yours)s", total, yours=yours)
    gains = [
        SetGain(str(draws), ngettext("draw with the ring", "draws with the ring", draws), small),
        SetGain(str(value), _("points for the centre"), _("if one of yours comes out")),
    ]
    if state.options.show_odds:
        gains.insert(1, SetGain(percent(success(total, own, draws)), _("chance of a centre"), _("all equally likely")))
    return tuple(gains)


def _credit(state: State, pick: Pick) -> tuple[SetGain, ...]:
    if not pick.earned:
        return ()
    if not state.credits[KINDS.index(pick.earned)]:
        return (SetGain("0", _("no %(kind)s credits left", kind=word(pick.earned)), _("its pile is empty")),)
    points = CREDIT_POINTS[pick.earned]
    small = _("for %(num)s real cards: %(points)s points", num=pick.cards, points=points)
    return (SetGain(f"+{points}", _("a %(kind)s credit", kind=word(pick.earned)), small),)


# The track that a set is for: the value of each step, and the player's position.

WORTH = {"ship": HAND_LIMIT, "technology": TECHNOLOGY_POINTS}


@dataclass(frozen=True)
class TrackStep:
    """One step of a track. Its state is passed ("done"), present ("now"), next, or later."""

    worth: int
    state: str


@dataclass(frozen=True)
class SetTrack:
    """A track: the meaning of its numbers, and its steps from the lowest."""

    words: str
    steps: tuple[TrackStep, ...]


def track_of(state: State, pick: Pick) -> SetTrack | None:
    """Return the track that *pick* is for, or None if its action isn't about a track."""
    if pick.action not in WORTH:
        return None
    level = getattr(state.players[pick.seat], pick.action)
    steps = tuple(TrackStep(WORTH[pick.action][at], _where(at - level)) for at in range(1, TOP_LEVEL + 1))
    return SetTrack(_("Hand limit") if pick.action == "ship" else _("Points"), steps)


def _where(above: int) -> str:
    return "done" if above < 0 else {0: "now", 1: "next"}.get(above, "later")


WITH_SETS = ("move", "establish", "technology", "ship")


@dataclass(frozen=True)
class Cell:
    """A number of cards of one planet: its effect and the credit earned, or the reason why it can't be played."""

    cards: int
    address: str
    chosen: bool
    reason: str
    does: int
    earns: int
    label: str


@dataclass(frozen=True)
class PlanetRow:
    """One planet: a hint, the value of its best free centre, the player's stations, and a cell per number of cards."""

    planet: Planet
    hint: str
    best: int
    own: int
    cells: tuple[Cell, ...]
    chosen: bool

    @property
    def reason(self) -> str:
        """Why no set of this planet can be played, "" if one can."""
        return self.cells[0].reason if self.cells and all(cell.reason for cell in self.cells) else ""


@dataclass(frozen=True)
class Joker:
    """One kind of credit as a joker: the number in the set, and the URLs for one more and one fewer."""

    kind: str
    count: int
    more: str
    less: str


@dataclass(frozen=True)
class Play:
    """A button that plays the set."""

    words: str
    line: dict[str, Any]
    main: bool


def picker_scene(look: Look, action: str) -> Scene | Elsewhere:
    """Return the page on which the set for *action* is picked."""
    state: State = look.state
    if not in_actions(state):
        return Elsewhere()
    pick = pick_from(state, action, look.query)
    face = faces(state.setting.seats)[pick.seat]
    heading = bar(state, NAMES[action], face=face, left_words=actions_left(face.name, state.actions_left), back=to())
    more = {
        "face": face,
        "pick": pick,
        **_picked(look.snapshot, look.viewer, pick),
        **_offered(look.snapshot, look.viewer, pick),
    }
    return Scene("andromeda/set_picker.html", more, heading)


def _offered(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> dict[str, Any]:
    """Return the planets, numbers of cards and jokers that can be picked, and the least value of a credit in points."""
    state: State = snapshot.state
    rows = tuple(_row(snapshot, viewer, pick, planet) for planet in PLANETS)
    return {
        "rows": rows,
        "earning": min((cell.earns for row in rows for cell in row.cells if cell.earns), default=0),
        "track": track_of(state, pick),
        "jokers": tuple(_joker(pick, kind, credits_seen(state, viewer, pick.seat, kind)) for kind in KINDS),
        "does": {"establish": _("draws"), "move": _("stations")}.get(pick.action, ""),
    }


def _picked(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> dict[str, Any]:
    """Return the result of the pick so far: the reason against it, or its gains and the buttons that play it."""
    state: State = snapshot.state
    ready = bool(pick.planet and pick.cards)
    # Give the reasons that everybody can see first. Only then check the hand by the rules.
    refused = (_refusal(snapshot, viewer, pick) or taken(snapshot, _smallest(pick))) if ready else ""
    columns = _columns(state, pick)
    single = len(columns) == 1 and not does_of(state, pick)
    # If only one number can be played, its gains are known before a planet is chosen.
    known = replace(pick, cards=columns[0]) if single else pick
    climbs = bool(pick.action not in WITH_SETS[2:] or cost_of_next(state, pick.seat, pick.action))
    return {
        "planet": state.setting.board.planet(pick.planet) if pick.planet else None,
        "ready": ready,
        "refused": refused,
        "columns": columns,
        "single": single,
        "gains": gains_of(state, known) if (ready or single) and climbs and not refused else (),
        "plays": _plays(snapshot, pick) if ready and not refused else (),
    }


def _columns(state: State, pick: Pick) -> tuple[int, ...]:
    """Return the possible numbers of real cards: together with the jokers they make a set of at most five cards."""
    jokers = len(pick.jokers)
    least, most = LEAST_SET, LARGEST_SET
    if pick.action in ("technology", "ship"):
        least = cost_of_next(state, pick.seat, pick.action) or LEAST_SET
        most = LARGEST_SET if state.options.allow_overpay else least
    return tuple(range(max(1, least - jokers), most - jokers + 1))


def _refusal(snapshot: Snapshot, viewer: Viewer, pick: Pick) -> str:
    return judged(snapshot, viewer, _smallest(pick)).reason


def _smallest(pick: Pick) -> dict[str, Any]:
    """Return the line of *pick* that is most likely to be legal: one that moves no stations."""
    return pick.line(**{"stations": 0} if pick.action == "move" else {})


def _row(snapshot: Snapshot, viewer: Viewer, pick: Pick, planet: str) -> PlanetRow:
    state: State = snapshot.state
    cells = tuple(
        _cell(snapshot, viewer, replace(pick, planet=planet, cards=cards), pick) for cards in _columns(state, pick)
    )
    own = state.players[pick.seat].on(planet)
    best = _best_free(state, planet) if pick.action == "establish" else 0
    return PlanetRow(state.setting.board.planet(planet), _hint(pick, best), best, own, cells, planet == pick.planet)


def _best_free(state: State, planet: str) -> int:
    """Return the value of the best free centre of *planet*, 0 if all are taken."""
    slot = best_free_centre(state, planet)
    return 0 if slot is None else state.setting.board.planet(planet).centres[slot]


def _hint(pick: Pick, best: int) -> str:
    if pick.action != "establish":
        return ""
    return _("best free %(value)s", value=best) if best else _("all centres taken")


def _cell(snapshot: Snapshot, viewer: Viewer, cell: Pick, pick: Pick) -> Cell:
    state: State = snapshot.state
    does = does_of(state, cell)
    kind = cell.earned if cell.earned and state.credits[KINDS.index(cell.earned)] else ""
    planet = state.setting.board.planet(cell.planet).label
    label = ngettext("%(num)s card of %(planet)s", "%(num)s cards of %(planet)s", cell.cards, planet=planet)
    return Cell(
        cards=cell.cards,
        address=cell.address(),
        chosen=(cell.planet, cell.cards) == (pick.planet, pick.cards),
        reason=_refusal(snapshot, viewer, cell),
        does=does,
        earns=CREDIT_POINTS.get(kind, 0),
        label=_("%(cards)s, earns %(kind)s", cards=label, kind=word(kind)) if kind else label,
    )


def _joker(pick: Pick, kind: str, most: int) -> Joker:
    count = pick.jokers.count(kind)
    full = len(pick.jokers) == MOST_JOKERS or count >= most
    # One more joker replaces one card, so that the set keeps its size, as long as one real card is left.
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


def _plays(snapshot: Snapshot, pick: Pick) -> tuple[Play, ...]:
    """Return the buttons that play the set, the usual one first."""
    state: State = snapshot.state
    label = f"{pick.size} {translated(state.setting.board.planet(pick.planet).label)}"
    if pick.action == "move":
        most = min(does_of(state, pick), state.players[pick.seat].earth)
        lines = [(_("Move %(num)s", num=count), pick.line(stations=count)) for count in range(most, -1, -1)]
    else:
        lines = [(_("Play %(cards)s", cards=label), pick.line())]
    if pick.earned and state.credits[KINDS.index(pick.earned)]:
        lines += [(_("%(play)s without the credit", play=play), line | {"bonus": False}) for play, line in lines]
    legal = [(words, line) for words, line in lines if not taken(snapshot, line)]
    return tuple(Play(words, line, main=at == 0) for at, (words, line) in enumerate(legal))

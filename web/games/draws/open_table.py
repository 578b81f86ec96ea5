"""The page of the open table: large cubes to tap for a draw, the players, the last draws, and the ring's question.

Its other pages draw several cubes, put cubes in and back, and count those inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Any

from companion.games.draws.odds import next_draw
from companion.games.draws.state import State, TablePull
from companion.kernel.said import Said, said
from companion.model.game import Viewer
from companion.model.snapshot import Asked, Snapshot
from companion.ring.faults import FAULTS
from web.components.addresses import to
from web.components.players import Face, faces
from web.components.possible_now import Possible
from web.games.draws.cubes import Shown, cube_faces, shown
from web.games.draws.handful import Handful, saved
from web.games.draws.help import deed, means
from web.games.draws.layout import bar, by, on_a_phone
from web.http.formatting import named, percent
from web.http.i18n import _, translated
from web.request.game_pages import Look, RulesCard, Scene

PULLS = 10


@dataclass(frozen=True)
class ColourTile:
    """A colour to draw: the number of its cubes inside and (*of*) in total, its chance, and its line or why not."""

    face: Face
    count: int
    of: int
    chance: str
    line: dict[str, Any]
    label: str
    reason: str


@dataclass(frozen=True)
class Drew:
    """One of the last draws: its player, its cubes, and whether they went back."""

    face: Face | None
    cubes: Shown
    back: bool


@dataclass(frozen=True)
class Taker:
    """A player in the score bar: the cubes drawn and held, and a line: it takes the ring, or passes it on if *now*."""

    colour: str
    letter: str
    name: str
    points: int
    holds: Shown
    now: bool
    line: dict[str, Any]


def open_scene(look: Look) -> Scene:
    """Return the page of an open table."""
    state: State = look.state
    facts = {
        "tiles": tiles(state, look.viewer),
        "asking": question(look.snapshot),
        "takers": takers(state),
        "ends": _end_of_turn(state),
        "pulls": last_pulls(state),
        "stuck": sum(state.stuck.values()),
        "turn_back": _turn_back(state, look.viewer),
        "columns": _columns(len(state.colours)),
        "few": 1 if len(state.colours) < 6 else on_a_phone(len(state.colours)),
    }
    heading = bar(look.snapshot, own=look.viewer.seat or "")
    return Scene("draws/open.html", facts, heading)


def tiles(state: State, viewer: Viewer) -> tuple[ColourTile, ...]:
    """Return a tile for every colour of the table, including colours that are used up."""
    known, chances = cube_faces(state.colours), next_draw(state.inside)
    away, fallen = state.outside, state.stuck
    return tuple(
        ColourTile(
            known[colour],
            count,
            count + away.get(colour, 0) + fallen.get(colour, 0),
            percent(chances[colour] if count else Fraction()),
            {"do": "draw", "colour": colour, **by(viewer)},
            _("%(colour)s came out, %(num)s inside", colour=named(colour).capitalize(), num=count),
            "" if count else _("none inside"),
        )
        for colour, count in state.inside.items()
    )


def takers(state: State) -> tuple[Taker, ...]:
    """Return the players in seat order."""
    return tuple(
        Taker(
            seat,
            face.letter,
            face.name,
            sum(state.drew.get(seat, {}).values()),
            shown(state, state.holds.get(seat, {})),
            seat == state.taker,
            {"do": "take"} if seat == state.taker else {"do": "take", "player": seat},
        )
        for seat, face in faces(state.setting.seats).items()
    )


def _end_of_turn(state: State) -> dict[str, Any] | None:
    """Return the line that hands the ring to the next seat, or None if nobody has it or there is no other."""
    if state.taker not in state.seats or len(state.seats) < 2:
        return None
    after = (state.seats.index(state.taker) + 1) % len(state.seats)
    return {"do": "take", "player": state.seats[after]}


def last_pulls(state: State, most: int = PULLS) -> tuple[Drew, ...]:
    """Return the last draws, newest first."""
    known = faces(state.setting.seats)
    newest: tuple[TablePull, ...] = state.pulls[: -most - 1 : -1]
    return tuple(Drew(known.get(pull.player), shown(state, pull.cubes), pull.back) for pull in newest)


def _turn_back(state: State, viewer: Viewer) -> dict[str, Any] | None:
    """Return the line that switches whether draws go back at once, or None if the phone's seat has no ring."""
    if viewer.seat not in (None, state.taker):
        return None
    return {"do": "take", **({"player": state.taker} if state.taker else {}), "back": not state.back}


def _columns(colours: int) -> int:
    """Return the number of cubes per row on a wide page: up to five in one row, otherwise at most three rows."""
    return max(colours, 1) if colours < 6 else 3 if colours in (6, 9) else 4


LARGE = 2
LEADS = {"two-together": said("Both are drawn."), "unread-colour": said("The ring couldn't see the colour.")}


@dataclass(frozen=True)
class CubeOffer:
    """One possible answer: one or two cubes, with the answer's probability if the ring reported one."""

    faces: tuple[Face, ...]
    chosen: str
    share: str


@dataclass(frozen=True)
class CubeQuestion:
    """A question from the ring that the players must answer."""

    id: int
    ask: str
    lead: str
    likely: tuple[CubeOffer, ...]
    others: tuple[CubeOffer, ...]
    same: bool


ASKS: Mapping[Asked, Said] = {
    Asked.UNSURE: said("Which cube came out?"),
    Asked.FOREIGN: said("Which cube came out?"),
    Asked.LATE: said("Did you type this one in?"),
    Asked.PAIR: said("Two came out at once. Which?"),
}
"""The text for each kind of question."""


def question(snapshot: Snapshot) -> CubeQuestion | None:
    """Return the oldest open question, or None."""
    if not snapshot.questions:
        return None
    state: State = snapshot.state
    asked = snapshot.questions[0]
    told = any(share for _, share in asked.offered) and asked.fault != "unknown-colour"
    offers = tuple(_offer(state, chosen, share if told else 0.0) for chosen, share in asked.offered)
    large = sum(share > 0 for _, share in asked.offered[:LARGE])
    return CubeQuestion(
        asked.id,
        _(ASKS[Asked(asked.kind)]),
        _lead(asked.fault, asked.detail),
        offers[:large],
        offers[large:],
        asked.kind == Asked.LATE,
    )


def _lead(fault: str, detail: str) -> str:
    if fault in LEADS:
        return str(translated(LEADS[fault]))
    return str(translated(FAULTS[fault].message if fault in FAULTS and fault != "late-station" else detail))


def _offer(state: State, chosen: str, share: float) -> CubeOffer:
    known = cube_faces(state.colours)
    return CubeOffer(
        tuple(known[colour] for colour in chosen.split("+") if colour in known),
        chosen,
        percent(share) if share else "",
    )


HANDFULS: Mapping[str, Handful] = {
    "several": Handful(
        "draw", said("Several at once"), lambda num: _("Draw %(num)s", num=num), "draw", attrgetter("inside")
    ),
    "put": Handful("put", said("Put cubes in"), lambda num: _("Put %(num)s in", num=num), "contents", brings=True),
    "back": Handful(
        "return", said("Put cubes back"), lambda num: _("Put %(num)s back", num=num), "back", attrgetter("outside")
    ),
    "count": Handful("correct", said("What's inside?"), saved, "contents", attrgetter("inside"), counting="inside"),
}
CARDS = (
    RulesCard(
        "draw",
        said("Drawing"),
        "ic-bag",
        (
            said("Slide a cube through the ring, or tap its colour."),
            means("draw"),
            means("take"),
            said("Only what is inside can come out."),
        ),
    ),
    RulesCard(
        "back",
        said("Putting back"),
        "ic-back-in",
        (
            said("Drawn cubes stay outside until you put them back."),
            means("return"),
            said("With “back at once” each cube returns before the next draw."),
        ),
    ),
    RulesCard(
        "contents",
        said("What's inside"),
        "ic-put-in",
        (
            said("The page knows what must be left after each draw."),
            means("put"),
            means("correct"),
        ),
    ),
)


def deeds(state: State, closed: str, empty: str) -> tuple[Possible, ...]:
    """Return the draws, and what goes in, each with the reason against it: the table is *closed*, or *empty*."""
    nothing_out = "" if any(state.outside.values()) else _("All are inside.")
    return (
        deed("draw", closed or empty, "", "bag"),
        Possible(_("Several at once"), _("they count as one draw"), to("several"), closed or empty, icon="several"),
        deed("return", closed or nothing_out, "back", "back-in"),
        deed("put", closed, "put", "put-in"),
    )

"""The pages of Sum to 31: a turn, the end, corrections, a new game and the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.corrections import Count, Group, correction
from companion.model.snapshot import Snapshot, Status
from tests.sum_game.rules import COLOURS, FIELDS, GOAL, TELLINGS, VALUES, Phase, State
from web.components.addresses import to
from web.components.bar import Band, PlayBar, step_mark, whose_turn
from web.components.corrections import CorrectionPage
from web.components.legality import open_to_all, why_not
from web.components.new_game import NewGame
from web.components.players import faces
from web.request.game_pages import AfterGame, Final, Found, Look, NotNow, Pages, Reserved, RulesCard, Scene

NEW_GAME = NewGame(FIELDS, tuple(COLOURS), usual=2, heading="Who plays?", order="clockwise, the first begins")


@dataclass(frozen=True)
class Chip:
    """The chips of one value: how many are left, the line that takes one, and why that line may be refused."""

    value: int
    left: int
    line: Line
    reason: str


def turn_scene(look: Look) -> Scene:
    """Return the page of a turn: a button for each value that is left."""
    state: State = look.state
    mover = faces(state.setting.seats)[state.mover]
    chips = tuple(_chip(look, value) for value in VALUES if state.left(value))
    return Scene("sum31/turn.html", {"chips": chips}, PlayBar(mover.name, mover, left_words=f"Sum: {state.total}"))


def _chip(look: Look, value: int) -> Chip:
    line = {"do": "take", "player": look.state.mover, "value": value}
    return Chip(value, look.state.left(value), line, why_not(look.snapshot, line))


SUM = Group(
    said("The sum"),
    (Count(("total",), said("Sum"), lambda state, _: state.total, least=0, most=GOAL - 1, by_fives=True),),
    shared=True,
)
CORRECTIONS = CorrectionPage("sum31/base.html", (SUM,), open_to_all)


def correction_scene(look: Look) -> Found:
    """Return the page that corrects the sum, or why it can't be corrected after the end."""
    if look.state.phase is Phase.OVER:
        return NotNow(why_not(look.snapshot, correction("", ("total",), 0)))
    return CORRECTIONS.scene(look, "", PlayBar("Change the sum", back=to()))


def surroundings(look: Look, bar: Any) -> Mapping[str, Any]:
    """Return the values that all templates of a game in play use."""
    return {"state": look.state, "faces": faces(look.state.setting.seats)}


def band(look: Look, own: str, bar: PlayBar) -> Band:
    """Return the band of the phone of *own*."""
    state, known = look.state, faces(look.state.setting.seats)
    mine = own == state.mover and look.snapshot.status is Status.LIVE
    title, mark = whose_turn(known[state.mover], mine), step_mark(look.snapshot, mine)
    return Band(known[own], title, f"Round {state.round}", words=bar.left_words, mark=mark)


CARDS = (
    RulesCard("turn", "A turn", "", ("Take a chip of 1 to 6.", "Its value is added to the sum.")),
    RulesCard("end", "The end", "", ("Make exactly 31 and you win.", "Make more and all others win.")),
)


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the name of the card that helps on the page at *path*."""
    return "turn" if path == "/table" else ""


PAGES = Pages(
    at={"": {Phase.TURN: turn_scene, Phase.OVER: lambda look: Final()}, "correct": correction_scene},
    around=surroundings,
    frame="sum31/base.html",
    band=band,
    tell=TELLINGS.sentence,
    new_game=NEW_GAME.scene,
    header=NEW_GAME.header,
    cards=CARDS,
    card_at=card_at,
    reserved=Reserved(host=("correct",)),
    after=AfterGame("", again=NEW_GAME.filled),
)

"""An open question of the ring on the page of the table. The likeliest answers are large, the others small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.draws.state import State
from companion.kernel.i18n import Said, said
from companion.model.snapshot import Asked, Snapshot
from companion.ring.faults import FAULTS
from web.components.players import Face
from web.games.draws.cubes import cube_faces
from web.http.formatting import percent
from web.http.i18n import _, translated

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

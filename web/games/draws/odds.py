"""The page of chances: for the next draw, and for at least one of my colours among the next few draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.draws.odds import at_least_one, next_draw
from companion.games.draws.state import State
from companion.kernel.said import said
from companion.model.game import Viewer
from web.components.addresses import number, to
from web.components.players import Face
from web.games.draws.cubes import cube_faces
from web.games.draws.layout import bar
from web.http.formatting import percent
from web.http.i18n import _
from web.request.game_pages import Look, RulesCard, Scene

USUAL, FURTHEST = 3, 12
MOST = 99
CARD = RulesCard(
    "odds",
    said("Odds"),
    "ic-chance",
    (
        said("The next draw: a colour's cubes out of all cubes."),
        said("One of mine in n draws: 1 minus the chance of none."),
        said("The numbers are exact, with or without putting back."),
    ),
)


@dataclass(frozen=True)
class Chance:
    """The chance that a colour comes out next: in percent, as a fraction, and as the width of a bar.

    *mine* says that it is one of the viewer's colours. *address* is the URL of the page with that choice toggled.
    """

    face: Face
    percent: str
    part: str
    width: int
    mine: bool
    address: str


@dataclass(frozen=True)
class Within:
    """The chance that at least one of the next *draws* draws brings one of the viewer's colours."""

    draws: int
    percent: str
    width: int
    now: bool


def odds_scene(look: Look) -> Scene:
    """Return the page of chances. The query says which colours are the viewer's, and the number of draws."""
    state: State = look.state
    mine, draws = _mine(state, look.viewer, look.query), number(look.query, "n", 1, MOST) or USUAL
    chance = at_least_one(state.inside, mine, draws, state.back)
    furthest = min(max(FURTHEST, draws), MOST)
    facts = {
        "chances": _chances(state, mine, draws),
        "within": tuple(_within(state, mine, at, draws) for at in range(1, furthest + 1)),
        "draws": draws,
        "some": bool(mine),
        "percent": percent(chance),
        "fewer": to("odds", mine=",".join(mine), n=draws - 1) if draws > 1 else "",
        "further": to("odds", mine=",".join(mine), n=draws + 1) if draws < MOST else "",
    }
    heading = bar(look.snapshot, _("Odds"), back=to())
    return Scene("draws/odds.html", facts, heading)


def _mine(state: State, viewer: Viewer, query: Mapping[str, str]) -> tuple[str, ...]:
    """Return the viewer's colours: those in the query, or else their seat's, or else the first one inside."""
    if "mine" in query:
        asked = query["mine"].split(",")
        return tuple(colour for colour in state.colours if colour in asked)
    own = viewer.seat or state.taker
    inside = [colour for colour, count in state.inside.items() if count]
    return (own,) if own in state.colours else tuple(inside[:1])


def _chances(state: State, mine: tuple[str, ...], draws: int) -> tuple[Chance, ...]:
    known, total = cube_faces(state.colours), sum(state.inside.values())
    return tuple(
        Chance(
            known[colour],
            percent(chance),
            _("%(count)s of %(total)s", count=state.inside[colour], total=total),
            round(100 * chance),
            colour in mine,
            to("odds", mine=",".join(_toggled(mine, colour)) or "none", n=draws),
        )
        for colour, chance in next_draw(state.inside).items()
    )


def _toggled(mine: tuple[str, ...], colour: str) -> tuple[str, ...]:
    return tuple(each for each in mine if each != colour) if colour in mine else (*mine, colour)


def _within(state: State, mine: tuple[str, ...], at: int, draws: int) -> Within:
    chance = at_least_one(state.inside, mine, at, state.back)
    return Within(at, percent(chance), round(100 * chance), at == draws)

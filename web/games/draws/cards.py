"""The rules cards of the draw table. Each card has one subject."""

from __future__ import annotations

from companion.games.draws.tellings import TELLINGS
from companion.kernel.said import said
from companion.model.snapshot import Snapshot
from web.request.game_pages import RulesCard


def _means(do: str) -> str:
    """Return the explanation of lines with this *do*, from the table of tellings."""
    return TELLINGS.explained({"do": do}, {}, None, None)[0]


CARDS = (
    RulesCard(
        "draw",
        said("Drawing"),
        "ic-bag",
        (
            said("Slide a cube through the ring, or tap its colour."),
            _means("draw"),
            _means("take"),
            said("Only what is inside can come out."),
        ),
    ),
    RulesCard(
        "back",
        said("Putting back"),
        "ic-back-in",
        (
            said("Drawn cubes stay outside until you put them back."),
            _means("return"),
            said("With “back at once” each cube returns before the next draw."),
        ),
    ),
    RulesCard(
        "contents",
        said("What's inside"),
        "ic-put-in",
        (
            said("The page knows what must be left after each draw."),
            _means("put"),
            _means("correct"),
        ),
    ),
    RulesCard(
        "tower",
        said("The tower"),
        "ic-tower",
        (
            _means("throw"),
            _means("out"),
            said("The picture shows what was stuck after each throw."),
        ),
    ),
    RulesCard(
        "odds",
        said("Odds"),
        "ic-chance",
        (
            said("The next draw: a colour's cubes out of all cubes."),
            said("One of mine in n draws: 1 minus the chance of none."),
            said("The numbers are exact, with or without putting back."),
        ),
    ),
)
HELPS = {
    "/table": "draw",
    "/table/several": "draw",
    "/table/back": "back",
    "/table/put": "contents",
    "/table/count": "contents",
    "/table/tower": "tower",
    "/table/throw": "tower",
    "/table/out": "tower",
    "/table/odds": "odds",
}


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the name of the card that explains the page at *path*, or ""."""
    return HELPS.get(path, "")

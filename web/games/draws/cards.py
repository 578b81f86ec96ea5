"""The cards of the draw table, in our own words: one thing each."""

from __future__ import annotations

from companion.games.draws.state import State
from companion.model.snapshot import Snapshot
from web.components.rules_cards import RulesCard
from web.components.rules_cards import rules_scene as cards_scene
from web.http.i18n import lazy
from web.request.game_pages import Scene

CARDS = (
    RulesCard(
        "draw",
        lazy("Drawing"),
        "bag",
        (
            lazy("Slide a cube through the ring, or tap its colour."),
            lazy("It counts for whoever has the ring."),
            lazy("Tap a player to hand the ring over."),
            lazy("Only what is inside can come out."),
        ),
    ),
    RulesCard(
        "back",
        lazy("Putting back"),
        "back-in",
        (
            lazy("Drawn cubes stay outside until you put them back."),
            lazy("Put back all of them, or tap the ones you mean."),
            lazy("With “back at once” each cube returns before the next draw."),
        ),
    ),
    RulesCard(
        "contents",
        lazy("What's inside"),
        "put-in",
        (
            lazy("The page knows what must be left after each draw."),
            lazy("Put new cubes in whenever you like: up to 12 colours."),
            lazy("Does the bag disagree? Count again; the draws stay as they are."),
        ),
    ),
    RulesCard(
        "tower",
        lazy("The tower"),
        "tower",
        (
            lazy("Tap what you throw in, then what comes out."),
            lazy("The rest is stuck, and may come out at any later throw."),
            lazy("The picture shows what was stuck after each throw."),
        ),
    ),
    RulesCard(
        "odds",
        lazy("Odds"),
        "chance",
        (
            lazy("The next draw: a colour's cubes out of all cubes."),
            lazy("One of mine in n draws: 1 minus the chance of none."),
            lazy("The numbers are exact, with or without putting back."),
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


def rules_scene(name: str, snapshot: Snapshot) -> Scene | None:
    """Return the card called *name*, all of them for an empty one, None when there is none."""
    return cards_scene("draws", CARDS, name, "draw" if isinstance(snapshot.state, State) else "")


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the card that helps on the page at *path*, empty where none does."""
    return HELPS.get(path, "")

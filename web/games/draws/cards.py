"""The cards of the draw table, in our own words: one thing each."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.draws.state import State
from companion.kernel.i18n import Said
from companion.model.snapshot import Snapshot
from web.http.i18n import lazy
from web.request.game_pages import Scene


@dataclass(frozen=True)
class Card:
    """One card: its name in an address, its picture, its title, and what it says."""

    name: str
    icon: str
    title: Said
    says: tuple[Said, ...]


CARDS = (
    Card(
        "draw",
        "bag",
        lazy("Drawing"),
        (
            lazy("Slide a cube through the ring, or tap its colour."),
            lazy("It counts for whoever has the ring."),
            lazy("Tap a player to hand the ring over."),
            lazy("Only what is inside can come out."),
        ),
    ),
    Card(
        "back",
        "back-in",
        lazy("Putting back"),
        (
            lazy("Drawn cubes stay outside until you put them back."),
            lazy("Put back all of them, or tap the ones you mean."),
            lazy("With “back at once” each cube returns before the next draw."),
        ),
    ),
    Card(
        "contents",
        "put-in",
        lazy("What's inside"),
        (
            lazy("The page knows what must be left after each draw."),
            lazy("Put new cubes in whenever you like: up to 12 colours."),
            lazy("Does the bag disagree? Count again; the draws stay as they are."),
        ),
    ),
    Card(
        "tower",
        "tower",
        lazy("The tower"),
        (
            lazy("Tap what you throw in, then what comes out."),
            lazy("The rest is stuck, and may come out at any later throw."),
            lazy("The picture shows what was stuck after each throw."),
        ),
    ),
    Card(
        "odds",
        "chance",
        lazy("Odds"),
        (
            lazy("The next draw: a colour's cubes out of all cubes."),
            lazy("One of mine in n draws: 1 minus the chance of none."),
            lazy("The numbers are exact, with or without putting back."),
        ),
    ),
)
BY_NAME = {card.name: card for card in CARDS}
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
    if not name:
        return Scene("draws/rules.html", {"cards": CARDS, "at_hand": "draw" if _here(snapshot) else ""})
    card = BY_NAME.get(name)
    if card is None:
        return None
    at = CARDS.index(card)
    return Scene("draws/rule.html", {"card": card, "earlier": CARDS[at - 1] if at else None, "later": _later(at)})


def card_at(path: str) -> str:
    """Return the card that helps on the page at *path*, empty where none does."""
    return HELPS.get(path, "")


def _later(at: int) -> Card | None:
    return CARDS[at + 1] if at + 1 < len(CARDS) else None


def _here(snapshot: Snapshot) -> bool:
    return isinstance(snapshot.state, State)

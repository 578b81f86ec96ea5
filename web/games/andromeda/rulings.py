"""The rulings a table may switch, each in one plain sentence, the usual way first."""

from __future__ import annotations

from dataclasses import dataclass

YES_OR_NO = (("off", "No"), ("on", "Yes"))


@dataclass(frozen=True)
class Ruling:
    """One option: its name in records, what it settles, and its ways as (word, sentence)."""

    name: str
    asks: str
    ways: tuple[tuple[str, str], ...] = YES_OR_NO

    @property
    def default(self) -> str:
        """The word of the usual way."""
        return self.ways[0][0]

    @property
    def yes_or_no(self) -> bool:
        """Whether records write it as true or false."""
        return self.ways is YES_OR_NO


RULINGS = (
    Ruling(
        "trade_record",
        "Are trades typed in?",
        (("on", "Yes, card by card; a card may stay unnamed"), ("off", "No, the table trades by itself")),
    ),
    Ruling("show_odds", "Show the chance of a centre before and during an attempt?"),
    Ruling("virtual_ring", "May the companion draw, if there is no ring?"),
    Ruling(
        "show_bonus_credits",
        "When are bonus credits shown?",
        (("end", "At the end only"), ("always", "Always")),
    ),
    Ruling(
        "double_exit",
        "Two stations leave the ring at once: what counts?",
        (("random_of_two", "One of them, chosen by lot; the other goes back"), ("redo", "Neither; draw again")),
    ),
    Ruling(
        "tech4_rounds_up",
        "Technology 4 rounds half a set up: for what?",
        (("draws", "For draws with the ring"), ("draws_and_moves", "For draws and for stations moved")),
    ),
    Ruling("may_stop_drawing", "May a player give up the draws that are left?"),
    Ruling("allow_overpay", "May ship and technology be paid with more cards than they cost?"),
    Ruling("transport_as_action", "May a transport card also be played as an action?"),
)

"""The rulings a table may switch, each in one plain sentence, the usual way first."""

from __future__ import annotations

from dataclasses import dataclass

from web.http.i18n import lazy

YES_OR_NO = (("off", lazy("No")), ("on", lazy("Yes")))


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
        lazy("Are trades typed in?"),
        (("on", lazy("Yes, card by card; a card may stay unnamed")), ("off", lazy("No, the table trades by itself"))),
    ),
    Ruling("show_odds", lazy("Show the chance of a centre before and during an attempt?")),
    Ruling("virtual_ring", lazy("May the companion draw, if there is no ring?")),
    Ruling(
        "show_bonus_credits",
        lazy("When are bonus credits shown?"),
        (("end", lazy("At the end only")), ("always", lazy("Always"))),
    ),
    Ruling(
        "double_exit",
        lazy("Two stations leave the ring at once: what counts?"),
        (
            ("random_of_two", lazy("One of them, chosen by lot; the other goes back")),
            ("redo", lazy("Neither; draw again")),
        ),
    ),
    Ruling(
        "tech4_rounds_up",
        lazy("Technology 4 rounds half a set up: for what?"),
        (("draws", lazy("For draws with the ring")), ("draws_and_moves", lazy("For draws and for stations moved"))),
    ),
    Ruling("may_stop_drawing", lazy("May a player give up the draws that are left?")),
    Ruling("allow_overpay", lazy("May ship and technology be paid with more cards than they cost?")),
    Ruling("transport_as_action", lazy("May a transport card also be played as an action?")),
)

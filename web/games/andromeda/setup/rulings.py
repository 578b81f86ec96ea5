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
        lazy("Do you type trades in?"),
        (("on", lazy("Yes, card by card; naming is optional")), ("off", lazy("No, trade off the screen"))),
    ),
    Ruling("show_odds", lazy("Show the chance of a centre during attempts?")),
    Ruling("virtual_ring", lazy("May the companion draw if there's no ring?")),
    Ruling(
        "show_bonus_credits",
        lazy("When are bonus credits shown?"),
        (("end", lazy("Only at the end")), ("always", lazy("Always"))),
    ),
    Ruling(
        "double_exit",
        lazy("Two stations come out at once: what counts?"),
        (
            ("random_of_two", lazy("One at random; the other goes back")),
            ("redo", lazy("Neither; draw again")),
        ),
    ),
    Ruling(
        "tech4_rounds_up",
        lazy("What does technology 4 round up?"),
        (("draws", lazy("Draws with the ring")), ("draws_and_moves", lazy("Draws and moved stations"))),
    ),
    Ruling("may_stop_drawing", lazy("May players give up unused draws?")),
    Ruling("allow_overpay", lazy("May players overpay for ship and technology?")),
    Ruling("transport_as_action", lazy("May a transport card be played as an action?")),
)

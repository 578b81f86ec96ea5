"""How long each step of the evening took, and whom: sums and means of what was played, in the order of a round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.session.time_report import Spell
from web.http.i18n import lazy

STEPS = {
    "setup": lazy("Set-up"),
    "cards": lazy("Cards are dealt"),
    "transport": lazy("Transport"),
    "lay": lazy("A card is laid open"),
    "answer": lazy("The others lay face down"),
    "decide": lazy("One card more, or swap"),
    "keep": lazy("Keep or leave"),
    "trade": lazy("A later trader"),
    "trading": lazy("Trading"),
    "actions": lazy("Actions"),
}
TRADING = ("lay", "answer", "decide", "keep", "trade", "trading")


@dataclass(frozen=True)
class Took:
    """So often, and so long in all."""

    times: int = 0
    ms: int = 0

    @property
    def mean_ms(self) -> int:
        """How long once, on average."""
        return self.ms // self.times if self.times else 0

    def also(self, ms: int) -> Took:
        """Return it with once more."""
        return Took(self.times + 1, self.ms + ms)


@dataclass(frozen=True)
class TimesRow:
    """One step, or a sum of several (*whole*): for the table, and for each seat in order."""

    words: str
    table: Took
    seats: tuple[Took, ...]
    whole: bool = False


def times_of(spells: Iterable[Spell], colours: tuple[str, ...]) -> tuple[TimesRow, ...]:
    """Return a row for each step that was played, that of trading under its sum, and the sum of all at the end."""
    played = tuple(spells)
    rows: list[TimesRow] = []
    for name, words in STEPS.items():
        if name == TRADING[0] and any(each.step in TRADING[:-1] for each in played):
            rows.append(_row(STEPS["trading"], played, TRADING, colours, whole=True))
        if any(each.step == name for each in played):
            rows.append(_row(words, played, (name,), colours))
    return (*rows, _row(lazy("In all"), played, tuple(STEPS), colours, whole=True)) if rows else ()


def _row(
    words: str, spells: tuple[Spell, ...], steps: tuple[str, ...], colours: tuple[str, ...], whole: bool = False
) -> TimesRow:
    table, seats = Took(), dict.fromkeys(colours, Took())
    for spell in spells:
        if spell.step in steps:
            table = table.also(spell.ms)
            seats |= {seat: seats[seat].also(ms) for seat, ms in spell.by_seat.items() if seat in seats}
    return TimesRow(words, table, tuple(seats.values()), whole)

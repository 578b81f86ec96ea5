"""The page of the clock: its time limits, and how long each step of the game took."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, redirect, render_template
from werkzeug.wrappers import Response

from companion.kernel.said import said
from companion.kernel.values import dataclass, replace
from companion.model.clock import Strictness, TimeBank
from companion.session.time_report import Spell
from web.commands.time_control import BankSetting, bank_setting, flags, presets, settings
from web.http.formatting import initials
from web.request.context import services, snapshot, words
from web.request.game_pages import GameWords

# The durations of each step, for the table and for each player: sums and means, in the order of a round.


@dataclass(frozen=True)
class Took:
    """The number of times that a step was played, and the total duration in milliseconds."""

    times: int = 0
    ms: int = 0

    @property
    def mean_ms(self) -> int:
        """The mean duration in milliseconds."""
        return self.ms // self.times if self.times else 0

    def also(self, ms: int) -> Took:
        """Return a copy with the duration *ms* added."""
        return Took(self.times + 1, self.ms + ms)


@dataclass(frozen=True)
class TimesRow:
    """The durations of one step, or the sum of several steps (*whole*), for the table and for each seat.

    *part* marks a step that is included in the sum above it.
    """

    words: str
    table: Took
    seats: tuple[Took, ...]
    whole: bool = False
    part: bool = False


def times_of(spells: Iterable[Spell], colours: tuple[str, ...], words: GameWords) -> tuple[TimesRow, ...]:
    """Return a row for each step that was played, and the total at the end. The steps of a sum follow that sum.

    Steps without a word in *words* come last, under the name that they have in the code.
    """
    played = tuple(spells)
    names = dict.fromkeys((*words.steps, *(each.step for each in played)))
    rows: list[TimesRow] = []
    summed: set[str] = set()
    for name in names:
        for whole, parts in words.sums.items():
            if name == parts[0] and any(each.step in parts and each.step != whole for each in played):
                rows.append(_row(words.steps[whole], played, parts, colours, whole=True))
                summed.update(parts)
        if any(each.step == name for each in played):
            row = _row(words.steps.get(name, name), played, (name,), colours)
            rows.append(replace(row, part=name in summed))
    return (*rows, _row(said("Total"), played, tuple(names), colours, whole=True)) if rows else ()


def _row(
    words: str, spells: tuple[Spell, ...], steps: tuple[str, ...], colours: tuple[str, ...], whole: bool = False
) -> TimesRow:
    table, seats = Took(), dict.fromkeys(colours, Took())
    for spell in spells:
        if spell.step in steps:
            table = table.also(spell.ms)
            seats |= {seat: seats[seat].also(ms) for seat, ms in spell.by_seat.items() if seat in seats}
    return TimesRow(words, table, tuple(seats.values()), whole)


clock = Blueprint("clock", __name__)


@clock.get("/table/clock")
def pace() -> str | Response:
    """Show the time limits of all steps, and how much time each step has taken so far."""
    seen = snapshot()
    if seen.game is None:
        return redirect("/", 303)
    seats = seen.game.seats(seen.state)
    reveal, naming = flags(seen.pace) if seen.game.reveal is not None else ((), ())
    return render_template(
        "time_control.html",
        presets=presets(seen.pace, seen.game.pace),
        settings=settings(seen.pace, words().limits),
        reveal=reveal,
        naming=naming,
        penalty=seen.pace.penalty,
        bank=_bank(seen.pace.bank, seen.game.pace.bank),
        rows=times_of(services().table.archive.spells(), tuple(seat.colour for seat in seats), words()),
        seats=seats,
        letters=initials([seat.name for seat in seats]),
    )


def _bank(bank: TimeBank, suggested: TimeBank) -> BankSetting | None:
    """Return the rows of the time banks, or None for a game without time banks."""
    if not suggested.steps:
        return None
    return bank_setting(bank if bank.steps else replace(suggested, mode=Strictness.OFF))

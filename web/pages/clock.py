"""The pages of the clock: its time limits, and how long each step of the game took."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, redirect, render_template
from werkzeug.wrappers import Response

from companion.kernel.frozen import replace
from companion.kernel.values import dataclass
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank
from companion.session.time_report import Spell
from web.commands.time_control import BankSetting, bank_setting, flags, presets, settings
from web.http.formatting import initials
from web.http.i18n import lazy
from web.request.context import house, snapshot, words
from web.request.game_pages import GameWords

# How long each step of the game took, and which players: sums and means, in the order of a round.


@dataclass(frozen=True)
class Took:
    """A number of times, and their total duration in *ms*."""

    times: int = 0
    ms: int = 0

    @property
    def mean_ms(self) -> int:
        """The mean duration."""
        return self.ms // self.times if self.times else 0

    def also(self, ms: int) -> Took:
        """Return it with one more duration added."""
        return Took(self.times + 1, self.ms + ms)


@dataclass(frozen=True)
class TimesRow:
    """One step, or a sum of several (*whole*), for the table and for each seat; *part*: the sum above includes it."""

    words: str
    table: Took
    seats: tuple[Took, ...]
    whole: bool = False
    part: bool = False


def times_of(spells: Iterable[Spell], colours: tuple[str, ...], words: GameWords) -> tuple[TimesRow, ...]:
    """Return a row for each step that was played, with the steps of a sum below it, and the total at the end.

    Steps without a word in *words* come last, under their own name.
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
    return (*rows, _row(lazy("Total"), played, tuple(names), colours, whole=True)) if rows else ()


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
    """Show the time limits of all steps."""
    seen = snapshot()
    if seen.game is None:
        return redirect("/", 303)
    rows = settings(seen.pace, words().limits)
    reveal, naming = flags(seen.pace) if seen.game.reveal is not None else ((), ())
    return render_template(
        "time_control.html",
        presets=presets(seen.pace, seen.game.pace),
        settings=rows,
        reveal=reveal,
        naming=naming,
        penalty=seen.pace.penalty,
        bank=_bank(seen.pace.bank, seen.game.pace.bank),
    )


def _bank(bank: TimeBank, suggested: TimeBank) -> BankSetting | None:
    """Return the rows of the time banks, None for a game without any."""
    if not suggested.steps:
        return None
    return bank_setting(bank if bank.steps else replace(suggested, mode=Strictness.OFF))


@clock.get("/table/times")
def times() -> str | Response:
    """Show how long each step took so far, for the table and for each player."""
    seen = snapshot()
    if seen.game is None:
        return redirect("/", 303)
    seats = seen.game.seats(seen.state)
    rows = times_of(house().table.archive.spells(), tuple(seat.colour for seat in seats), words())
    return render_template("times.html", rows=rows, seats=seats, letters=initials([seat.name for seat in seats]))

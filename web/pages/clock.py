"""The pages of the clock: how the table wants it, and how long everything took."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template
from werkzeug.wrappers import Response

from companion.kernel.frozen import replace
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank
from web.commands.time_control import BankSetting, bank_setting, flags, presets, settings
from web.http.formatting import initials
from web.pages.times import times_of
from web.request.context import house, snapshot, words

clock = Blueprint("clock", __name__)


@clock.get("/table/clock")
def pace() -> str | Response:
    """How the table wants its clocks, step by step."""
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
    """Return the rows of the time banks, None for a game that has none."""
    if not suggested.steps:
        return None
    return bank_setting(bank if bank.steps else replace(suggested, mode=Strictness.OFF))


@clock.get("/table/times")
def times() -> str | Response:
    """How long each step of the evening took so far, for the table and for each player."""
    seen = snapshot()
    if seen.game is None:
        return redirect("/", 303)
    seats = seen.game.seats(seen.state)
    rows = times_of(house().table.archive.spells(), tuple(seat.colour for seat in seats), words())
    return render_template("times.html", rows=rows, seats=seats, letters=initials([seat.name for seat in seats]))

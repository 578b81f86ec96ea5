"""Format numbers and times in the reader's language, in the same way on every page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from string import ascii_uppercase
from typing import Any

from markupsafe import Markup

from companion.kernel.moments import in_utc as iso_in_utc
from companion.kernel.said import Said, said, series, word
from companion.kernel.said import percent as said_percent
from web.http.i18n import _, translated


def age(seconds: float) -> str:
    """Return an age as text: `12 s`, `4 min`, `3 h`, `2 d`.

    On a page, relative_times.js updates it in the same format.
    """
    whole = max(0, int(seconds))
    if whole < 60:
        return _("%(num)s s", num=whole)
    if whole < 3600:
        return _("%(num)s min", num=whole // 60)
    return _("%(num)s h", num=whole // 3600) if whole < 2 * 86400 else _("%(num)s d", num=whole // 86400)


def into_play(ms: int) -> str:
    """Return a duration since the start of the game: `0:07`, `12:30`, `1:02:05`."""
    seconds = max(0, ms) // 1000
    hours, rest = divmod(seconds, 3600)
    if hours:
        return f"{hours}:{rest // 60:02}:{rest % 60:02}"
    return f"{rest // 60}:{rest % 60:02}"


def lasting(ms: int) -> str:
    """Return how long something took, with its unit: `45 s`, `58 min`, `1 h 05 min`."""
    minutes = max(0, ms) // 60_000
    if minutes < 1:
        return age(ms / 1000)
    hours, rest = divmod(minutes, 60)
    return _("%(hours)s h %(minutes)s min", hours=hours, minutes=f"{rest:02}") if hours else age(60 * minutes)


def percent(share: float | Fraction) -> str:
    """Return a share from 0 to 1 in the language's format: `37%`, in German `37 %`, and `over 99%` for 494 of 495."""
    return str(translated(said_percent(share)))


def day(wall: float) -> Markup:
    """Return date and time for a page, in the device's time zone: `3 May 2025, 20:15`.

    The server doesn't know the device's time zone. It writes the time in UTC, and moments.js replaces it with local
    time.
    """
    return _moment(wall, "day", in_utc(wall))


def lately(wall: float) -> Markup:
    """Return a time like `day`, but `today, 20:15` if it is today on the device."""
    return _moment(wall, "lately", in_utc(wall))


def date(moment: float | str) -> Markup | str:
    """Return the date of *moment* (seconds or ISO 8601) in the device's time zone and language: `3 May 2025`."""
    if isinstance(moment, str):
        try:
            read = datetime.fromisoformat(moment)
        except ValueError:  # from an imported file: show it unchanged
            return moment[:10]
        moment = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    return _moment(moment, "date", _date(moment))


def in_utc(wall: float) -> str:
    """Return date and time in UTC, for places that no script updates, such as a picture: `3 May 2025, 19:15 UTC`."""
    return _("%(date)s, %(time)s UTC", date=_date(wall), time=f"{datetime.fromtimestamp(wall, UTC):%H:%M}")


def _moment(wall: float, shown: str, words: str) -> Markup:
    return Markup('<time datetime="{}" data-moment="{}">{}</time>').format(iso_in_utc(wall), shown, words)


def _date(wall: float) -> str:
    moment = datetime.fromtimestamp(wall, UTC)
    return _("%(day)s %(month)s %(year)s", day=moment.day, month=MONTHS[moment.month - 1], year=moment.year)


def listed(names: Iterable[str]) -> str:
    """Return names as a list in words: `Ana, Ben and Cem`."""
    return str(translated(series([*names])))


MONTHS: tuple[Said, ...] = (
    *(said("January"), said("February"), said("March"), said("April"), said("May"), said("June")),
    *(said("July"), said("August"), said("September"), said("October"), said("November"), said("December")),
)
COLOURS: tuple[Said, ...] = (
    *(said("red"), said("yellow"), said("green"), said("blue"), said("black")),
    *(said("orange"), said("purple"), said("white"), said("pink"), said("grey"), said("brown")),
    said("bare wood"),
)
"""Colours that have a translation. Any other colour is shown as it was typed."""
NOTED: tuple[Said, ...] = (
    *(said("misread"), said("knocked over"), said("not a draw"), said("whole attempt"), said("changed by hand")),
    *(said("It got late"), said("Somebody must leave"), said("Only trying out"), said("Something went wrong")),
    *(said("host"), said("script"), said("companion"), said("tablet"), said("phone"), said("button")),
)
"""Words that the companion writes into rows, with a translation: reasons, people, devices."""


def named(colour: str) -> str:
    """Return a colour, or another word of a record, in the reader's language; an unknown word stays unchanged."""
    return str(translated(word(colour)))


def initials(names: Sequence[str]) -> list[str]:
    """Return a different letter for each name: its first letter that isn't used yet, otherwise any unused letter."""
    taken: list[str] = []
    for name in names:
        own = [letter for letter in name.upper() if letter.isalnum()]
        taken.append(next((letter for letter in [*own, *ascii_uppercase] if letter not in taken), "?"))
    return taken


FILTERS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function for function in (age, date, day, in_utc, into_play, lasting, lately, listed, named)
}
"""The functions that every template may use, by their names."""

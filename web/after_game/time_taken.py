"""Durations: the time that each player took, by kind of step, and who waited for whom."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.values import dataclass
from companion.session.time_report import Spell, waits
from web.after_game.over import Over
from web.charts.bars import Bar, BarChart, BarPart, bar_chart
from web.components.players import Face
from web.http.formatting import into_play
from web.http.i18n import _, translated
from web.request.game_pages import GameWords

SORTS = 4
"""Number of kinds of steps in a bar, including one for all others."""
MINUTE_MS = 60_000
LEAST_MS = 1_000


@dataclass(frozen=True)
class Waited:
    """How long one player waited for another. *share* is that time divided by the longest wait, from 0 to 1."""

    words: str
    share: float


@dataclass(frozen=True)
class Waiter:
    """One player's row: the waits for each player in seat order (None for the player itself), and their total."""

    face: Face
    waited: tuple[Waited | None, ...]
    total: str


@dataclass(frozen=True)
class Waits:
    """Who waited for whom, and a sentence about the player whom the others waited for longest."""

    rows: tuple[Waiter, ...]
    faces: tuple[Face, ...]
    longest: str


def time_chart(over: Over) -> BarChart | None:
    """Return a chart of each player's time.

    The longest kinds of steps are separate parts of a bar. None without times.
    """
    words = GameWords() if over.cover is None else over.cover.words
    spent = _spent(over, words)
    if sum(map(sum, (each.values() for each in spent.values()))) < LEAST_MS:
        return None
    kinds = _kinds(spent)
    names = [_("Other") if kind == "" else str(translated(words.steps.get(kind, kind))) for kind in kinds]
    bars = []
    for colour, face in over.faces.items():
        ms = [_of_kind(spent[colour], kind, kinds) for kind in kinds]
        parts = tuple(
            BarPart(each / MINUTE_MS, f"{name} {into_play(each)}", sort)
            for sort, (name, each) in enumerate(zip(names, ms, strict=True))
        )
        bars.append(Bar(face.name, parts, into_play(sum(ms)), colour, face.letter))
    return bar_chart(_("Time each player took"), _("minutes"), bars, tuple(names))


def waiting(over: Over) -> Waits | None:
    """Return who waited for whom, or None if nobody waited."""
    found = waits(over.spells, over.colours)
    most = max((ms for row in found.values() for ms in row.values()), default=0.0)
    if most < LEAST_MS:
        return None
    rows = tuple(
        Waiter(
            face,
            tuple(None if other == colour else _waited(found[colour][other], most) for other in over.colours),
            into_play(round(sum(found[colour].values()))),
        )
        for colour, face in over.faces.items()
    )
    return Waits(rows, tuple(over.faces.values()), _longest(over, found))


def _longest(over: Over, found: Mapping[str, Mapping[str, float]]) -> str:
    """Return a sentence about the player whom the others waited for longest."""
    mean = {
        colour: sum(row.get(colour, 0.0) for row in found.values()) / max(len(found) - 1, 1) for colour in over.colours
    }
    slowest = max(mean, key=lambda colour: mean[colour])
    name, time = over.faces[slowest].name, into_play(round(mean[slowest]))
    return _("The others waited longest for %(name)s: %(time)s each.", name=name, time=time)


def _waited(ms: float, most: float) -> Waited:
    return Waited(into_play(round(ms)), round(ms / most, 2))


def _spent(over: Over, words: GameWords) -> dict[str, dict[str, int]]:
    """Return the milliseconds of each player by kind of step. Some steps have the same kind."""
    spent: dict[str, dict[str, int]] = {colour: {} for colour in over.colours}
    for spell in over.spells:
        kind = _kind(spell, words)
        for seat, ms in spell.by_seat.items():
            if seat in spent:
                spent[seat][kind] = spent[seat].get(kind, 0) + ms
    return spent


def _kind(spell: Spell, words: GameWords) -> str:
    return next((whole for whole, parts in words.sums.items() if spell.step in parts), spell.step)


def _kinds(spent: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """Return the kinds of steps that took the most time, longest first.

    If there are others, "" at the end represents them.
    """
    sums: dict[str, int] = {}
    for each in spent.values():
        for kind, ms in each.items():
            sums[kind] = sums.get(kind, 0) + ms
    order = sorted((kind for kind, ms in sums.items() if ms), key=lambda kind: -sums[kind])
    return tuple(order) if len(order) <= SORTS else (*order[: SORTS - 1], "")


def _of_kind(spent: Mapping[str, int], kind: str, kinds: tuple[str, ...]) -> int:
    if kind:
        return spent.get(kind, 0)
    return sum(ms for each, ms in spent.items() if each not in kinds)

"""The problems that a check of a whole ledger can find. Each finding has one sentence for the user."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.kernel.said import Said, said


class Harm(StrEnum):
    """The kind of a problem: of rows, or of the file as a whole (`DISORDER`)."""

    CHANGED = "changed"
    CUT_OUT = "cut out"
    CUT_OFF = "cut off"
    PUT_IN = "put in"
    UNREADABLE = "unreadable"
    DISORDER = "disorder"


@dataclass(frozen=True)
class Finding:
    """One problem. It concerns rows *first* to *last*; both are 0 for a problem of the whole file.

    *game* is None if the rows belong to no game or to several games, or if the game is unknown.
    """

    harm: Harm
    first: int
    last: int
    game: int | None
    sentence: Said


@dataclass(frozen=True)
class Verdict:
    """The result of `verify` for a ledger with *rows* rows.

    *end_unchecked* says why the check for missing rows at the end was impossible. It is empty if the end was checked,
    or if the ledger has no `.newest` file (a backup, for example). *missing* names the indexes and triggers that the
    file lacks.
    """

    rows: int
    findings: tuple[Finding, ...]
    end_unchecked: str
    missing: tuple[str, ...] = ()


def finding(harm: Harm, first: int, last: int, game: object, why: str = "") -> Finding:
    """Return a finding with its sentence. *why* is SQLite's message about rows that cannot be read."""
    known = game if isinstance(game, int) else None
    return Finding(harm, first, last, known, _sentence(harm, _rows(first, last, known), why))


def renamed(game: int) -> Finding:
    """Return the finding that another program changed a name in *game*; 0 means rows outside games."""
    if game:
        text = said("Something other than the companion changed a name in game %(game)s.", game=game)
    else:
        text = said("Something other than the companion changed a name that belongs to no game.")
    return Finding(Harm.CHANGED, game, game, game or None, text)


def _sentence(harm: Harm, rows: Said, why: str) -> Said:
    match harm:
        case Harm.CHANGED:
            return said("Something other than the companion changed %(rows)s.", rows=rows)
        case Harm.CUT_OUT:
            return said("Something other than the companion removed %(rows)s.", rows=rows)
        case Harm.CUT_OFF:
            return said("The end of the ledger is gone: %(rows)s.", rows=rows)
        case Harm.PUT_IN:
            return said("Something other than the companion added %(rows)s.", rows=rows)
        case Harm.UNREADABLE:
            return said("The ledger's file is damaged at %(rows)s: %(why)s.", rows=rows, why=why)
        case Harm.DISORDER:
            return said("The ledger's file isn't right: %(why)s.", why=why)


def _rows(first: int, last: int, game: int | None) -> Said:
    if game is None and first == last:
        return said("row %(row)s", row=first)
    if game is None:
        return said("rows %(first)s to %(last)s", first=first, last=last)
    if first == last:
        return said("row %(row)s of game %(game)s", row=first, game=game)
    return said("rows %(first)s to %(last)s of game %(game)s", first=first, last=last, game=game)

"""What can be wrong with a ledger as a whole. Each finding has one sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.kernel.i18n import Said, said


class Harm(StrEnum):
    """What happened to rows, or to the file as a whole (`DISORDER`)."""

    CHANGED = "changed"
    CUT_OUT = "cut out"
    CUT_OFF = "cut off"
    PUT_IN = "put in"
    UNREADABLE = "unreadable"
    DISORDER = "disorder"


@dataclass(frozen=True)
class Finding:
    """One problem with rows *first* to *last*. Both are 0 for a problem of the whole file.

    *game* has no value if the rows belong to no game or to several, or if the game is unknown.
    """

    harm: Harm
    first: int
    last: int
    game: int | None
    sentence: Said


@dataclass(frozen=True)
class Verdict:
    """What `verify` found in a ledger with *rows* rows.

    *end_unchecked* says why a missing end could not be detected. It is empty if the end was checked, or if the ledger
    has no `.newest` file, as for a backup. *missing* names the indexes and triggers that the file lacks.
    """

    rows: int
    findings: tuple[Finding, ...]
    end_unchecked: str
    missing: tuple[str, ...] = ()


def finding(harm: Harm, first: int, last: int, game: object, why: str = "") -> Finding:
    """Return the finding with its sentence. *why* is SQLite's message about rows that cannot be read."""
    known = game if isinstance(game, int) else None
    return Finding(harm, first, last, known, _sentence(harm, _rows(first, last, known), why))


def renamed(game: int) -> Finding:
    """Return the finding that a name in *game* was changed from outside; 0 means the rows of no game."""
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

"""A ledger or backup that somebody hands over: what it holds is said before anything is taken from it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from companion.app.arguments import agreed
from companion.app.exit_codes import BadUse, unreadable
from companion.kernel.moments import in_this_zone
from companion.ledger import Extent, LedgerFault, foreign_extent


def add_yes(parser: ArgumentParser) -> None:
    """Add `--yes`, for scripts that nobody watches."""
    parser.add_argument(
        "--yes", action="store_true", help="ask nothing: take a file without games, let names here change"
    )


def checked(file: Path) -> Extent:
    """Return what the ledger or backup *file* holds, or raise `BadUse` where it is no ledger of ours."""
    try:
        if not file.exists():
            raise BadUse(f"{file} isn't a file")
        return foreign_extent(file)
    except OSError as fault:
        raise unreadable(file, fault) from None
    except LedgerFault as fault:
        raise BadUse(str(fault)) from None


def ask(file: Path, found: Extent, yes: bool) -> None:
    """Have whoever sits here agree to a *file* without games, or raise `BadUse`; with *yes* it is agreed already."""
    if not found.games and not yes and not _agreed(file):
        raise BadUse(f"{file} holds no games, so nothing was done")


def in_words(found: Extent) -> str:
    """Return how much there is, and when it ends: `2 games in 80 rows, the newest of 2026-11-25 21:07 CET`."""
    games = "1 game" if found.games == 1 else f"{found.games or 'no'} games"
    rows = "1 row" if found.rows == 1 else f"{found.rows} rows"
    if not found.rows:
        return f"{games} and no rows"
    try:
        day = in_this_zone(found.newest_ms / 1000)
    except (ValueError, OverflowError, OSError):
        return f"{games} in {rows}"
    return f"{games} in {rows}, the newest of {day}"


def _agreed(file: Path) -> bool:
    if not sys.stdin.isatty():
        raise BadUse(f"{file} holds no games, and nobody can answer here: add --yes to take it all the same")
    return agreed("It holds no games. Go on all the same? [y/N] ")

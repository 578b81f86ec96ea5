"""`companion merge`: the games of other companions, laid into this ledger."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, agreed
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.app.progress import watching

if TYPE_CHECKING:
    from companion.ledger import Ledger, Merged


def add(parser: ArgumentParser) -> None:
    """Add the ledgers or backups."""
    from companion.app.cli.ledger_taking import add_yes

    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a ledger, or a backup of one")
    add_yes(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """Lay in what other ledgers hold and this one does not; all of them are looked through before anything is done."""
    from companion.app.data_folder import LEDGER, make_folder
    from companion.ledger import Ledger, LedgerFault, LedgerInUse

    for file in args.files:
        check_ledger(file, args.yes)
    try:
        ledger = Ledger.open(make_folder(args.data) / LEDGER)
    except LedgerInUse as fault:
        raise Failed(f"{fault} Stop the service before a merge.") from None
    except LedgerFault as fault:
        raise Failed(str(fault)) from None
    try:
        if not args.yes and not _may_change_names(ledger, args.files):
            print("Nothing changed.")
            return FINE
        for file in args.files:
            print(_told(file, _merged(ledger, file)))
    except LedgerFault as fault:
        raise Failed(f"{fault} What was merged before stays; the rest isn't.") from None
    finally:
        ledger.close()
    return FINE


def _may_change_names(ledger: Ledger, files: Sequence[Path]) -> bool:
    """Tell whether names here stay, or may change as a person at the terminal says; `BadUse` where nobody is there."""
    from companion.ledger import Ledger, wall_ms
    from companion.session.night import NamesAtStake

    asked = []
    for file in files:
        other = Ledger.read_only(file)
        try:
            names = ledger.names_changed_by(other, wall_ms())
        finally:
            other.close()
        if names:
            asked.append(f"{file}: {NamesAtStake(names).reason}.")
    if not asked:
        return True
    if not sys.stdin.isatty():
        raise BadUse(f"{' '.join(asked)} Nothing was merged. Add --yes if they may change.")
    print("\n".join(asked))
    return agreed("Change these names? (y/N) ")


def check_ledger(file: Path, yes: bool) -> None:
    """Refuse what is no sound ledger, or holds what our program can't have written, with the row at fault."""
    from companion.app.cli.ledger_taking import ask, checked
    from companion.games.registry import GAMES
    from companion.kernel.errors import Malformed
    from companion.ledger import LedgerFault, verify
    from companion.session.content_gate import check_content

    ask(file, checked(file), yes)
    try:
        verdict = verify(file, watching(f"Checking {file.name}", "rows"))
    except LedgerFault as fault:
        raise BadUse(str(fault)) from None
    if verdict.findings:
        raise BadUse(f"{file} is damaged, so nothing was merged: {verdict.findings[0].sentence}")
    if verdict.missing:
        raise BadUse(f"{file} is damaged, so nothing was merged: its {verdict.missing[0]} is missing.")
    try:
        check_content(file, GAMES, watching(f"Playing {file.name} through", "games"))
    except (LedgerFault, Malformed) as fault:
        raise BadUse(f"{file}: nothing was merged. {fault}") from None


def _merged(ledger: Ledger, file: Path) -> Merged:
    from companion.kernel.errors import Malformed
    from companion.ledger import Ledger, merge, wall_ms

    other = Ledger.read_only(file)
    try:
        return merge(ledger, other, other.last, now_ms=wall_ms(), watch=watching(f"Merging {file.name}", "games"))
    except Malformed as fault:
        raise BadUse(f"{file}: {fault.reason}") from None
    finally:
        other.close()


def _told(file: Path, merged: Merged) -> str:
    if not (merged.games or merged.longer or merged.asides):
        return f"{file}: nothing new."
    asides = f"rows of copies, calibrations and practice: {merged.asides}"
    return f"{file}: games that are new: {merged.games}; games that went on: {merged.longer}; {asides}"

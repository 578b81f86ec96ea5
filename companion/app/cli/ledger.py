"""`companion backup`, `restore` and `merge`: copy, replace and merge whole ledgers."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, agreed
from companion.app.exit_codes import FINE, BadUse, Failed, unreadable, unwritable
from companion.app.progress import watching
from companion.kernel.moments import in_this_zone

if TYPE_CHECKING:
    from companion.ledger import Extent, Ledger, Merged


def add_backup(parser: ArgumentParser) -> None:
    """Add the file to write."""
    parser.add_argument("file", metavar="FILE", help="the backup to write, a new file")
    add_data(parser)


def run_backup(args: Namespace) -> int:
    """Write a complete, consistent copy of the ledger to *args.file*, which must not exist yet."""
    from companion.app.ledger_access import ledger_in
    from companion.app.ledger_aside import note_backup
    from companion.app.ledger_copy import copy_ledger
    from companion.ledger import LedgerFault, extent

    source, target = ledger_in(args.data), Path(args.file)
    _check_target(target)
    try:
        found = extent(source)
    except LedgerFault as fault:
        raise Failed(str(fault)) from None
    if not found.rows:
        raise BadUse(f"the ledger in {args.data} is empty: there's nothing to copy yet")
    copy_ledger(source, target)
    note_backup(args.data, target)
    print(f"Ledger copied to {target}: {_in_words(found)}.")
    return FINE


def _check_target(target: Path) -> None:
    """Raise `BadUse` if *target* exists, or if SQLite would mistake the file for part of another database."""
    from companion.ledger import PARTS

    try:
        if target.is_symlink() or target.exists():
            raise BadUse(f"{target} already exists: name a new file")
    except OSError as fault:
        raise unwritable(target, fault) from None
    if target.name.endswith(("-journal", ".lock", *PARTS[1:])):
        raise BadUse(f"{target} has the ending of a file that belongs to another ledger: choose another name")
    if str(target) == "-":
        raise BadUse("a backup goes to a file, not to standard output: name one")


def add_restore(parser: ArgumentParser) -> None:
    """Add the argument for the backup."""
    parser.add_argument("file", metavar="FILE", help="the backup to use")
    _add_yes(parser)
    add_data(parser)


def run_restore(args: Namespace) -> int:
    """Replace the ledger by a copy. The old ledger is saved in the same folder.

    The checks use a temporary copy of *args.file*, because the file itself may change during the checks.
    """
    from companion.app.data_folder import LEDGER, POSITION, make_folder
    from companion.app.ledger_aside import restore_report
    from companion.app.ledger_copy import copy_ledger
    from companion.kernel.atomic_file import replacement

    source = Path(args.file)
    found = _checked(source)
    _ask(source, found, args.yes)
    target = make_folder(args.data) / LEDGER
    with _owned(target), replacement(target) as fresh:
        print(f"{source} contains {_in_words(found)}.", flush=True)
        copy_ledger(source, fresh, called=target)
        mended, amiss = _looked_over(fresh, source)
        _keep_names_removed(fresh, target)
        old = _set_aside(target)
        (args.data / POSITION).unlink(missing_ok=True)  # to a club, a restored ledger is a new source of rows
    print(restore_report(source, old))
    for sentence in mended:
        print(f"note  {sentence}")
    for why in amiss:
        print(f"CARE  {why} The rest can be played. Another backup may be complete.")
    return FINE


def _looked_over(fresh: Path, source: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Check *fresh*, a copy of *source*. Return messages about recreated parts, and about parts that cannot be read.

    Raises `BadUse` if it is not a ledger that the companion can use.
    """
    from companion.app.ledger_access import looked_through
    from companion.ledger import LedgerFault, foreign_extent, mend_copy

    try:
        foreign_extent(fresh)
        mended, amiss = mend_copy(fresh), looked_through(fresh)
        _check_content(fresh, source)
    except LedgerFault as fault:
        raise BadUse(str(fault).replace(str(fresh), str(source))) from None
    return mended, amiss


def _check_content(fresh: Path, source: Path) -> None:
    """Raise `BadUse` for contents that the companion cannot have written. Damaged games are accepted.

    The readable part of a damaged game is still shown.
    """
    from companion.games.registry import GAMES
    from companion.ledger import verify
    from companion.session.content_gate import unfit

    damaged = {each.game for each in verify(fresh, watching(f"Checking {source.name}", "rows")).findings}
    for each in unfit(fresh, GAMES, watching(f"Replaying {source.name}", "games")):
        if not each.bearable and (each.game is None or each.game not in damaged):
            raise BadUse(f"{source} wasn't restored. {each.why}")


def _keep_names_removed(fresh: Path, target: Path) -> None:
    """Apply the name changes of the ledger at *target* to its replacement *fresh*, unless they are unreadable."""
    from companion.ledger import LedgerFault, adopt_in_copy

    if target.exists():
        with suppress(LedgerFault):  # unreadable name changes are expected, because most restores are done after damage
            adopt_in_copy(fresh, target)


def _set_aside(target: Path) -> Path | None:
    """Save the present ledger under another name, and return that name.

    An intact ledger also stays at its old name until the copy replaces it, so that a crash cannot lose it.
    """
    from companion.app.ledger_aside import free_name, set_aside
    from companion.app.ledger_copy import copied_aside
    from companion.ledger import damage_mark

    damage_mark(target).unlink(missing_ok=True)  # the mark belongs to the ledger that is being replaced
    if not target.exists():
        return None
    old = free_name(target)
    return old if copied_aside(target, old) else set_aside(target)


@contextmanager
def _owned(target: Path) -> Iterator[None]:
    """Lock the file at *target*, which need not be a valid ledger, so that no service can open it."""
    from companion.ledger import LedgerFault, LedgerInUse, LedgerLock

    try:
        ownership = LedgerLock(target)
    except LedgerInUse as fault:
        raise Failed(f"{fault} Stop the service before a restore.") from None
    except LedgerFault as fault:
        raise Failed(str(fault)) from None
    try:
        yield
    except OSError as fault:
        raise Failed(f"{target} can't be replaced: {fault.strerror}") from None
    finally:
        ownership.release()


def add_merge(parser: ArgumentParser) -> None:
    """Add the argument for the ledgers or backups."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a ledger, or a backup of one")
    _add_yes(parser)
    add_data(parser)


def run_merge(args: Namespace) -> int:
    """Add rows of other ledgers that are missing in this ledger. All ledgers are checked before anything is changed."""
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
            print(_summary(file, _merged(ledger, file)))
    except LedgerFault as fault:
        raise Failed(f"{fault} The files before this one are merged; the rest isn't.") from None
    finally:
        ledger.close()
    return FINE


def _may_change_names(ledger: Ledger, files: Sequence[Path]) -> bool:
    """Return whether the merge may continue: either it changes no names here, or a person at the terminal agrees.

    Raises `BadUse` if names would change and there is no terminal for a question.
    """
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
        raise BadUse(f"{' '.join(asked)} Nothing was merged. Add --yes to change them.")
    print("\n".join(asked))
    return agreed("Change these names? (y/N) ")


def check_ledger(file: Path, yes: bool) -> None:
    """Raise `BadUse` for a damaged ledger, and for contents that the companion cannot have written.

    The message names the bad row.
    """
    from companion.games.registry import GAMES
    from companion.kernel.errors import Malformed
    from companion.ledger import LedgerFault, verify
    from companion.session.content_gate import check_content

    _ask(file, _checked(file), yes)
    try:
        verdict = verify(file, watching(f"Checking {file.name}", "rows"))
    except LedgerFault as fault:
        raise BadUse(str(fault)) from None
    if verdict.findings:
        raise BadUse(f"{file} is damaged, so nothing was merged: {verdict.findings[0].sentence}")
    if verdict.missing:
        raise BadUse(f"{file} is damaged, so nothing was merged: its {verdict.missing[0]} is missing.")
    try:
        check_content(file, GAMES, watching(f"Replaying {file.name}", "games"))
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


def _summary(file: Path, merged: Merged) -> str:
    if not (merged.games or merged.longer or merged.asides):
        return f"{file}: nothing new."
    asides = f"rows of copies, calibrations and practice: {merged.asides}"
    return f"{file}: new games: {merged.games}; continued games: {merged.longer}; {asides}"


def _add_yes(parser: ArgumentParser) -> None:
    """Add `--yes`, which answers questions in scripts."""
    parser.add_argument(
        "--yes", action="store_true", help="don't ask: accept a file without games, and changes of names here"
    )


def _checked(file: Path) -> Extent:
    """Return the extent of the ledger or backup *file*, or raise `BadUse` if it is not a ledger."""
    from companion.ledger import LedgerFault, foreign_extent

    try:
        if not file.exists():
            raise BadUse(f"{file} isn't a file")
        return foreign_extent(file)
    except OSError as fault:
        raise unreadable(file, fault) from None
    except LedgerFault as fault:
        raise BadUse(str(fault)) from None


def _ask(file: Path, found: Extent, yes: bool) -> None:
    """If *file* has no games, ask whether to accept it, unless *yes* is true. Raise `BadUse` if the answer is no."""
    if not found.games and not yes and not _agreed_to_empty(file):
        raise BadUse(f"{file} contains no games, so nothing was done")


def _in_words(found: Extent) -> str:
    """Return *found* as text: `2 games in 80 rows, the newest of 2026-11-25 21:07 CET`."""
    games = "1 game" if found.games == 1 else f"{found.games or 'no'} games"
    rows = "1 row" if found.rows == 1 else f"{found.rows} rows"
    if not found.rows:
        return f"{games} and no rows"
    try:
        day = in_this_zone(found.newest_ms / 1000)
    except (ValueError, OverflowError, OSError):
        return f"{games} in {rows}"
    return f"{games} in {rows}, the newest of {day}"


def _agreed_to_empty(file: Path) -> bool:
    if not sys.stdin.isatty():
        raise BadUse(f"{file} contains no games, and there's no terminal to ask at: add --yes to use it anyway")
    return agreed("It contains no games. Continue anyway? [y/N] ")

"""`companion restore`: a copy of the ledger, put in its place while nobody uses it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.app.progress import watching


def add(parser: ArgumentParser) -> None:
    """Add the copy."""
    from companion.app.cli.ledger_taking import add_yes

    parser.add_argument("file", metavar="FILE")
    add_yes(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """Put a copy in the ledger's place; the ledger that was there is kept beside it.

    The copy is looked at once more, and not the file that it was made from: that may have changed meanwhile.
    """
    from companion.app.cli.ledger_taking import ask, checked, in_words
    from companion.app.data_folder import LEDGER, make_folder
    from companion.app.ledger_copy import copy_ledger
    from companion.kernel.atomic_file import replacement

    source = Path(args.file)
    found = checked(source)
    ask(source, found, args.yes)
    target = make_folder(args.data) / LEDGER
    with _owned(target), replacement(target) as fresh:
        print(f"{source} holds {in_words(found)}.", flush=True)
        copy_ledger(source, fresh, called=target)
        mended, amiss = _looked_over(fresh, source)
        _keep_names_removed(fresh, target)
        kept = _put_aside(target)
    print(f"{source} is the ledger now." + (f" The old one is kept as {kept}." if kept else ""))
    for sentence in mended:
        print(f"note  {sentence}")
    for why in amiss:
        print(f"CARE  {why} The rest can be played. Another backup may have it whole.")
    return FINE


def _looked_over(fresh: Path, source: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what was made again in *fresh*, a copy of *source* that is a ledger, and what cannot be read there.

    Raises `BadUse`.
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
    """Refuse what our program can't have written; a game that is damaged is shown as far as it can be read."""
    from companion.games.registry import GAMES
    from companion.ledger import verify
    from companion.session.content_gate import unfit

    damaged = {each.game for each in verify(fresh, watching(f"Checking {source.name}", "rows")).findings}
    for each in unfit(fresh, GAMES, watching(f"Playing {source.name} through", "games")):
        if not each.bearable and (each.game is None or each.game not in damaged):
            raise BadUse(f"{source} wasn't restored. {each.why}")


def _keep_names_removed(fresh: Path, target: Path) -> None:
    """Change names in the copy as the ledger in whose place it comes has changed them, where that can be read."""
    from companion.ledger import LedgerFault, adopt_in_copy

    if target.exists():
        with suppress(LedgerFault):  # a damaged ledger is why most copies are put back
            adopt_in_copy(fresh, target)


def _put_aside(target: Path) -> Path | None:
    """Keep the ledger that is there: a sound one stays in its place until the other takes it, whatever happens."""
    from companion.app.ledger_aside import free_name, put_aside
    from companion.app.ledger_copy import copied_aside
    from companion.ledger import damage_mark

    damage_mark(target).unlink(missing_ok=True)  # it was about the one before
    if not target.exists():
        return None
    kept = free_name(target)
    return kept if copied_aside(target, kept) else put_aside(target)


@contextmanager
def _owned(target: Path) -> Iterator[None]:
    """Keep every service away from the ledger at *target*, whatever is in it."""
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

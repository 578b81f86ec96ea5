"""`companion restore`: a copy of the ledger, put in its place while nobody uses it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, BadUse, Failed


def add(parser: ArgumentParser) -> None:
    """Add the copy."""
    parser.add_argument("file", metavar="FILE")
    add_data(parser)


def run(args: Namespace) -> int:
    """Put a copy in the ledger's place; the ledger that was there is kept beside it."""
    from companion.app.data_folder import LEDGER, make_folder
    from companion.app.ledger_copy import copy_ledger
    from companion.kernel.atomic_file import replacement

    source = Path(args.file)
    amiss = _check(source)
    target = make_folder(args.data) / LEDGER
    with _owned(target), replacement(target) as fresh:
        copy_ledger(source, fresh)
        _keep_names_removed(fresh, target)
        kept = _put_aside(target)
    print(f"{source} is the ledger now." + (f" The old one is kept as {kept}." if kept else ""))
    for why in amiss:
        print(f"CARE  {why} The rest can be played. Another backup may have it whole.")
    return FINE


def _check(source: Path) -> tuple[str, ...]:
    """Return what cannot be read of a copy that is a ledger."""
    from companion.app.ledger_access import looked_through
    from companion.ledger import LedgerFault

    try:
        if not source.is_file():
            raise BadUse(f"{source} isn't a file")
    except OSError as fault:
        raise BadUse(f"{source} can't be read: {fault.strerror}") from None
    try:
        amiss = looked_through(source)
        _check_content(source)
    except LedgerFault as fault:
        raise BadUse(str(fault)) from None
    return amiss


def _check_content(source: Path) -> None:
    """Refuse what our program can't have written; a game that is damaged is shown as far as it can be read."""
    from companion.games.registry import GAMES
    from companion.ledger import verify
    from companion.session.content_gate import unfit

    damaged = {each.game for each in verify(source).findings}
    for each in unfit(source, GAMES):
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
    from companion.ledger import LedgerFault, LedgerInUse, Ownership

    try:
        ownership = Ownership(target)
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

"""Compare the end of a ledger with its `.newest` file, whenever the ledger is opened to be written."""

from __future__ import annotations

from pathlib import Path

from companion.ledger.findings import Finding, Harm, finding
from companion.ledger.newest import Torn, newest_beside
from companion.ledger.queries import Kept, Queries


def lost_end(reading: Queries, identity: str, path: Path) -> tuple[Finding, ...]:
    """Return what happened to the newest row recorded in the `.newest` file of *path*; empty if that row is intact.

    Return nothing if the `.newest` file is damaged or belongs to another ledger; the next row overwrites it. An empty
    ledger is compared even with the record of another ledger, because it may just have been created in place of a lost
    one.
    """
    try:
        known = newest_beside(path)
    except Torn:
        return ()
    end = reading.newest_kept()
    last = 0 if end is None else end[0]
    if known is None or (known.ledger != identity and last):
        return ()
    game = known.game or None
    if last < known.number:
        return (finding(Harm.CUT_OFF, last + 1, known.number, game if known.number == last + 1 else None),)
    there: Kept = (known.number, known.digest)
    return () if reading.kept(known.number) == there else (finding(Harm.CHANGED, known.number, known.number, game),)

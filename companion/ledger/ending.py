"""Where the ledger ends, compared with what lies beside it: looked at whenever a ledger is opened to be written."""

from __future__ import annotations

from pathlib import Path

from companion.ledger.findings import Finding, Harm, finding
from companion.ledger.newest import Torn, newest_beside
from companion.ledger.queries import Kept, Queries


def lost_end(reading: Queries, identity: str, path: Path) -> tuple[Finding, ...]:
    """Return what has become of the newest row that is known beside the ledger at *path*; empty where it is there.

    What lies beside may be damaged, or tell of another ledger: then nothing can be told, and the next row mends it. But
    a ledger without a row, where there was one with rows, has lost them all: it may have been made anew just now.
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

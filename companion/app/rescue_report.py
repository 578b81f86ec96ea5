"""The report about a damaged ledger: a file next to it, shown at every start until somebody deletes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.ledger_aside import DAMAGED, newest_backup
from companion.kernel.i18n import Said, from_json, said
from companion.kernel.moments import in_this_zone
from companion.kernel.private_file import write_private
from companion.ledger import extent

if TYPE_CHECKING:
    from companion.ledger.salvage import Saved

SUFFIX, EARLIER = ".told", ".told-before"
MOST_TOLD = 5


def report(kept: Path, why: str, saved: Saved) -> None:
    """Write why a ledger was set aside as *kept*, what was *saved* from it, and the newest backup."""
    for earlier in kept.parent.glob(f"{DAMAGED}-*{SUFFIX}"):
        earlier.replace(earlier.with_suffix(EARLIER))  # only one report is shown, whatever the clock says
    note = kept.with_suffix(SUFFIX)
    last = said("This message comes at each start until you remove %(name)s.", name=note.name)
    texts = (_set_aside(why, kept), _saved(saved.rows), *_lost(saved), _offer(kept.parent), last)
    write_private(note, "".join(json.dumps(each.to_json()) + "\n" for each in texts))


def newest_report(data: Path) -> tuple[Said, ...]:
    """Return the sentences of the newest report; nothing if no ledger was set aside."""
    return tuple(sentence for note in sorted(data.glob(f"{DAMAGED}-*{SUFFIX}")) for sentence in _sentences(note))


def _sentences(note: Path) -> tuple[Said, ...]:
    try:
        return tuple(from_json(json.loads(line)) for line in note.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        return ()  # a damaged report is ignored; the ledger that it describes is still there


def _set_aside(why: str, kept: Path) -> Said:
    return said("The ledger was damaged: %(why)s The damaged file is kept as %(name)s.", why=why, name=kept.name)


def _saved(rows: int) -> Said:
    if not rows:
        return said("Nothing in it was readable. This ledger is new, without earlier games.")
    return said("The readable part, %(rows)s rows, is in a new ledger. Incomplete games say so.", rows=rows)


def _lost(saved: Saved) -> Iterator[Said]:
    """Yield a sentence for each loss that no game reports itself."""
    for first, last in saved.lost[:MOST_TOLD]:
        yield said("Rows %(first)s to %(last)s are lost. Nobody knows which game they were in.", first=first, last=last)
    if saved.nameless:
        games = ", ".join(map(str, saved.nameless))
        yield said("These games lost their players' names and show colours: %(games)s.", games=games)


def _offer(data: Path) -> Said:
    """Return the newest backup and the command to use it."""
    backup = newest_backup(data)
    if backup is None:
        return said("No backup found here. If you have one: companion restore FILE")
    return said(
        "The newest backup is %(name)s, of %(day)s. To use it, stop the service and type: %(command)s",
        name=backup.name,
        day=in_this_zone(extent(backup).newest_ms / 1000),
        command=f"companion restore {backup} --data {data}",
    )

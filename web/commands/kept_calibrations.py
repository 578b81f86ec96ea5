"""How a calibration comes to be kept: finished on the ring, or brought as a file; with it the copy it was made for."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.moments import in_utc
from companion.kernel.text_file import without_mark
from companion.kernel.validation import Line
from companion.model.boxes import Copy
from companion.model.game import printed
from companion.model.snapshot import Who
from companion.ports.calibration import Instrument
from web.http.request_parsing import strict
from web.http.to_json import plain
from web.request.context import House
from web.server.gateway import CALIBRATION_MOST


def finish(house: House, instrument: Instrument, who: Who) -> None:
    """Keep what was measured, and let the ring go by it."""
    wizard = instrument.view.wizard
    made = in_utc(time.time())
    _keep(house, instrument.finish(made), wizard.colours if wizard else (), who)
    if instrument.view.wizard is not None:
        # Made for another copy than the one on the table: kept, but not handed back, and so it is over by our word.
        instrument.stop()


def bring(house: House, instrument: Instrument, brought: object, who: Who) -> None:
    """Take in a calibration that was kept elsewhere: checked whole before anything is kept."""
    line = instrument.check_line(_read(brought) if isinstance(brought, str | bytes) else brought)
    kept = house.table.archive.calibrations(str(line.get("copy", "")))
    own = [each for each in kept if each.get("device") == line.get("device")]
    if own and plain(own[-1]) == plain(line):
        raise Refused(said("it's already here, and there's no newer one for this copy and ring."))
    shown = line.get("passes", ())
    colours = (str(each.get("colour", "")) for each in shown if isinstance(each, Mapping))
    _keep(house, line, tuple(dict.fromkeys(colours)), who)


def _read(file: str | bytes) -> Line:
    if not file.strip():
        raise Malformed(said("the file is empty."))
    try:
        return strict(without_mark(file) if isinstance(file, bytes) else file, CALIBRATION_MOST)
    except Malformed as fault:
        raise Malformed(said("the file isn't a calibration (%(why)s).", why=fault.reason)) from None


def _keep(house: House, line: Line, colours: Sequence[str], who: Who) -> None:
    house.table.keep_calibration(line, who)
    name = str(line.get("copy", ""))
    if len(colours) > 1 and name not in {copy.name for copy in house.table.archive.copies()}:
        house.table.keep_copy(_copy_at_hand(house, name, colours), who)


def _game_with_ring(house: House) -> str:
    """Return the game that a copy with colours is of while none lies on the table."""
    shelf = house.table.archive.shelf
    return next((name for name, game in shelf.items() if game.ring is not None), next(iter(shelf), ""))


def _copy_at_hand(house: House, name: str, colours: Sequence[str]) -> Copy:
    """Return the copy as the game on the table shows it: the next game can be set out from it."""
    seen = house.table.snapshot
    header = seen.header or {}
    game = str(header.get("game") or _game_with_ring(house))
    board = None if seen.game is None else printed(seen.game, header)
    return Copy(name, game, board, {colour: colour for colour in colours})

"""What can be done with the ring's instrument, whoever asks and however: forms and scripts share this list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.snapshot import Who
from companion.ports.calibration import Instrument
from companion.session.boxes import Copy
from web.http.request_parsing import strict, words
from web.http.to_json import plain
from web.request.context import House
from web.server.gateway import CALIBRATION_MOST

LONGEST_WORD = 60
Fields = Mapping[str, Any]
Measure = Callable[[House, Instrument, Fields, Who], None]


def measure(house: House, name: str, fields: Fields, who: Who) -> None:
    """Do the deed called *name*, or raise `BadCalibration`, `Malformed` or `Refused` with nothing changed."""
    instrument = None if house.ring is None else house.ring.instrument
    if instrument is None:
        raise Refused(said("There is no ring here that measures anything."))
    MEASURES[name](house, instrument, fields, who)


def colours_in(value: object) -> tuple[str, ...]:
    """Return the colours that a list, or a text with commas, names; each once, in small letters."""
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, Sequence):
        raise Malformed(said("colours: a list of words is wanted"))
    return tuple(dict.fromkeys(words(each, "colours", LONGEST_WORD).lower() for each in value))


def _begin(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    copy = words(fields.get("copy"), "name of the copy", LONGEST_WORD)
    instrument.begin(copy, colours_in(fields.get("colours")))


def _check(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    wanted = fields.get("colours")
    made = instrument.view.calibration
    instrument.begin_check(colours_in(wanted) if wanted else made.colours if made else ())


def _look(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    instrument.look(words(fields.get("reference"), "reference", LONGEST_WORD))


def _turn(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    instrument.turn_to(words(fields.get("colour"), "colour", LONGEST_WORD))


def _leave(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    """Leave a colour out: forget all its passes, and look at what is left."""
    colour = words(fields.get("colour"), "colour", LONGEST_WORD)
    instrument.turn_to(colour)
    while (wizard := instrument.view.wizard) is not None and wizard.counts.get(colour, 0):
        instrument.forget_last()
    instrument.review()


def _finish(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    wizard = instrument.view.wizard
    made = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    _keep(house, instrument.finish(made), wizard.colours if wizard else (), who)
    if instrument.view.wizard is not None:
        # Made for another copy than the one on the table: kept, but not handed back, and so it is over by our word.
        instrument.stop()


def _bring(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    """Take in a calibration that was kept elsewhere: checked whole before anything is kept."""
    brought = fields.get("calibration")
    line = instrument.check_line(_read(brought) if isinstance(brought, str | bytes) else brought)
    kept = house.table.calibrations(str(line.get("copy", "")))
    own = [each for each in kept if each.get("device") == line.get("device")]
    if own and plain(own[-1]) == plain(line):
        raise Refused(said("that one is kept already, and there is no newer one of the same copy and ring."))
    shown = line.get("passes", ())
    colours = (str(each.get("colour", "")) for each in shown if isinstance(each, Mapping))
    _keep(house, line, tuple(dict.fromkeys(colours)), who)


def _read(file: str | bytes) -> Line:
    if not file.strip():
        raise Malformed(said("that file is empty."))
    try:
        return strict(file, CALIBRATION_MOST)
    except Malformed as fault:
        raise Malformed(said("that file is no calibration (%(why)s).", why=fault.reason)) from None


def _keep(house: House, line: Line, colours: Sequence[str], who: Who) -> None:
    house.table.keep_calibration(line, who)
    name = str(line.get("copy", ""))
    if len(colours) > 1 and name not in {copy.name for copy in house.table.copies()}:
        house.table.keep_copy(_copy_at_hand(house, name, colours), who)


def _copy_at_hand(house: House, name: str, colours: Sequence[str]) -> Copy:
    """Return the copy as the game on the table shows it: the next game can be set out from it."""
    seen = house.table.snapshot
    header = seen.header or {}
    game = str(header.get("game") or next(iter(house.pages), ""))
    return Copy(name, game, header.get("board"), {colour: colour for colour in colours})


def _slide(house: House, instrument: Instrument, fields: Fields, who: Who) -> None:
    if house.ring is None or not house.ring.view.simulated:
        raise Refused(said("Only a simulated ring can be asked to slide."))
    house.ring.slide()


MEASURES: Mapping[str, Measure] = {
    "begin": _begin,
    "bring": _bring,
    "check": _check,
    "finish": _finish,
    "forget": lambda house, instrument, fields, who: instrument.forget_last(),
    "leave": _leave,
    "look": _look,
    "review": lambda house, instrument, fields, who: instrument.review(),
    "slide": _slide,
    "stop": lambda house, instrument, fields, who: instrument.stop(),
    "turn": _turn,
}
"""Each deed by its name."""

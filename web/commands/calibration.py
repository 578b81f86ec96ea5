"""What can be done with the ring's instrument, each declared once: forms and scripts share this list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.values import dataclass
from companion.model.snapshot import Who
from companion.ports.calibration import Instrument
from web.commands import kept_calibrations
from web.commands.declaration import Declaration, Fields, Parameter, by_word, text
from web.commands.table import SlideOnce, slid
from web.http.request_parsing import words
from web.request.context import House

LONGEST_WORD = 60
TEACHING = "/ring/teach"


@dataclass(frozen=True)
class Begin:
    """Begin to calibrate for a copy: the references first, then so many cubes of each colour."""

    copy: str
    colours: tuple[str, ...]


@dataclass(frozen=True)
class TakeReference:
    """Take a reference."""

    reference: str


@dataclass(frozen=True)
class TurnTo:
    """Turn to a colour, for cubes of it to come."""

    colour: str


@dataclass(frozen=True)
class Forget:
    """Forget the last pass."""


@dataclass(frozen=True)
class LeaveOut:
    """Leave a colour out: forget all its passes, and look at what is left."""

    colour: str


@dataclass(frozen=True)
class Review:
    """Look at what was measured."""


@dataclass(frozen=True)
class FinishCalibration:
    """Keep the calibration and go by it."""


@dataclass(frozen=True)
class StopCalibration:
    """End it with nothing changed."""


@dataclass(frozen=True)
class Check:
    """Check one cube of each of *colours*, or of all that were taught."""

    colours: tuple[str, ...] | None


@dataclass(frozen=True)
class Bring:
    """Take in a calibration that was kept elsewhere, as JSON or as a file."""

    calibration: Any


WizardCommand = Begin | TakeReference | TurnTo | Forget | LeaveOut | Review | StopCalibration | Check
CalibrationCommand = WizardCommand | FinishCalibration | Bring | SlideOnce


def measure(house: House, word: str, fields: Fields, who: Who) -> None:
    """Do what *word* asks, or raise `BadCalibration`, `Malformed` or `Refused` with nothing changed."""
    instrument = None if house.ring is None else house.ring.instrument
    if instrument is None:
        raise Refused(said("There's no ring here that measures."))
    command = CALIBRATION_COMMANDS[word].read(fields)
    match command:
        case FinishCalibration():
            kept_calibrations.finish(house, instrument, who)
        case Bring(calibration):
            kept_calibrations.bring(house, instrument, calibration, who)
        case SlideOnce():
            slid(house)  # a wizard counts each passage: two taps are two cubes
        case Begin() | TakeReference() | TurnTo() | Forget() | LeaveOut() | Review() | StopCalibration() | Check():
            _go_on(instrument, command)
        case _:
            assert_never(command)


def colours_in(value: object) -> tuple[str, ...]:
    """Return the colours that a list, or a text with commas, names; each once, in small letters."""
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, Sequence):
        raise Malformed(said("colours must be a list of words"))
    return tuple(dict.fromkeys(words(each, "colours", LONGEST_WORD).lower() for each in value))


def _go_on(instrument: Instrument, command: WizardCommand) -> None:
    match command:
        case Begin(copy, colours):
            instrument.begin(copy, colours)
        case TakeReference(reference):
            instrument.look(reference)
        case TurnTo(colour):
            instrument.turn_to(colour)
        case Forget():
            instrument.forget_last()
        case LeaveOut(colour):
            _leave_out(instrument, colour)
        case Review():
            instrument.review()
        case StopCalibration():
            instrument.stop()
        case Check(colours):
            instrument.begin_check(_taught(instrument) if colours is None else colours)
        case _:
            assert_never(command)


def _leave_out(instrument: Instrument, colour: str) -> None:
    instrument.turn_to(colour)
    while (wizard := instrument.view.wizard) is not None and wizard.counts.get(colour, 0):
        instrument.forget_last()
    instrument.review()


def _taught(instrument: Instrument) -> tuple[str, ...]:
    made = instrument.view.calibration
    return () if made is None else made.colours


def _colours_or_all(fields: Fields) -> tuple[str, ...] | None:
    return colours_in(fields["colours"]) if fields.get("colours") else None


_WORDS = {"type": ["array", "string"], "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD}}
_COLOURS = Parameter("colours", lambda fields: colours_in(fields.get("colours")), _WORDS)
_CHECKED = Parameter("colours", _colours_or_all, _WORDS, says="colours, or all that were taught", needed=False)
_COLOUR = text("colour", LONGEST_WORD)
_OUT = text("colour", LONGEST_WORD, says="colour out")
_COPY = text("copy", LONGEST_WORD, called="name of the copy")
_FILE = Parameter("calibration", lambda fields: fields.get("calibration"), {"type": ["object", "string"]})

CALIBRATION_COMMANDS: Mapping[str, Declaration[CalibrationCommand]] = by_word(
    Declaration("begin", Begin, "Calibrate for a copy.", (_COPY, _COLOURS), under=TEACHING),
    Declaration("look", TakeReference, "Take a reference.", (text("reference", LONGEST_WORD),), under=TEACHING),
    Declaration("turn", TurnTo, "The next cubes are of this colour.", (_COLOUR,), under=TEACHING),
    Declaration("forget", Forget, "Forget the last pass.", under=TEACHING),
    Declaration("leave", LeaveOut, "Forget all passes of a colour.", (_OUT,), under=TEACHING),
    Declaration("review", Review, "Look at what was measured.", under=TEACHING),
    Declaration("finish", FinishCalibration, "Save the calibration and use it.", under=TEACHING),
    Declaration("stop", StopCalibration, "Stop, and change nothing.", under=TEACHING),
    Declaration("check", Check, "Check one cube of each colour.", (_CHECKED,), under=TEACHING),
    Declaration("slide", SlideOnce, "A simulated ring slides once.", only="a simulated ring", under=TEACHING),
    Declaration("bring", Bring, "Import a calibration.", (_FILE,), under="/ring/calibrations"),
)
"""Each command by its word, in the order in which they are wanted."""

"""The commands for the ring's instrument, each declared once for forms and the API."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.moments import in_utc
from companion.kernel.said import said
from companion.kernel.text_file import without_mark
from companion.kernel.values import dataclass
from companion.model.boxes import Copy
from companion.model.game import printed
from companion.model.snapshot import Who
from companion.ports.calibration import Instrument
from web.commands.declaration import Declaration, Fields, Parameter, by_word, text
from web.commands.table import SlideOnce, slid
from web.http.request_parsing import strict, words
from web.http.to_json import plain
from web.request.context import Services
from web.server.gateway import CALIBRATION_MOST

# Functions that store a calibration together with the copy of the game to which it belongs. The calibration was
# finished on the ring or uploaded as a file.


def finish(services: Services, instrument: Instrument, who: Who) -> None:
    """Store the finished calibration and use it."""
    wizard = instrument.view.wizard
    made = in_utc(time.time())
    _keep(services, instrument.finish(made), wizard.colours if wizard else (), who)
    if instrument.view.wizard is not None:
        # The calibration is for another copy than the one on the table, so it isn't sent back to the ring. End the
        # wizard here.
        instrument.stop()


def bring(services: Services, instrument: Instrument, brought: object, who: Who) -> None:
    """Import a calibration; it is checked completely before anything is stored."""
    line = instrument.check_line(_read(brought) if isinstance(brought, str | bytes) else brought)
    stored = services.table.archive.calibrations(str(line.get("copy", "")))
    own = [each for each in stored if each.get("device") == line.get("device")]
    if own and plain(own[-1]) == plain(line):
        raise Refused(said("it's already here, and there's no newer one for this copy and ring."))
    shown = line.get("passes", ())
    colours = (str(each.get("colour", "")) for each in shown if isinstance(each, Mapping))
    _keep(services, line, tuple(dict.fromkeys(colours)), who)


def _read(file: str | bytes) -> Line:
    if not file.strip():
        raise Malformed(said("the file is empty."))
    try:
        return strict(without_mark(file) if isinstance(file, bytes) else file, CALIBRATION_MOST)
    except Malformed as fault:
        raise Malformed(said("the file isn't a calibration (%(why)s).", why=fault.reason)) from None


def _keep(services: Services, line: Line, colours: Sequence[str], who: Who) -> None:
    services.table.save_calibration(line, who)
    name = str(line.get("copy", ""))
    if len(colours) > 1 and name not in {copy.name for copy in services.table.archive.copies()}:
        services.table.save_copy(_copy_of_live_game(services, name, colours), who)


def _game_with_ring(services: Services) -> str:
    """Return the name of the game for a new copy, for use while no game is on the table."""
    games = services.table.archive.known_games
    return next((name for name, game in games.items() if game.ring is not None), next(iter(games), ""))


def _copy_of_live_game(services: Services, name: str, colours: Sequence[str]) -> Copy:
    """Return a copy with the board of the live game, so that the next game can use it."""
    seen = services.table.snapshot
    header = seen.header or {}
    game = str(header.get("game") or _game_with_ring(services))
    board = None if seen.game is None else printed(seen.game, header)
    return Copy(name, game, board, {colour: colour for colour in colours})


LONGEST_WORD = 60
TEACHING = "/ring/teach"


@dataclass(frozen=True)
class Begin:
    """Begin to calibrate for a copy: first the references, then cubes of each colour."""

    copy: str
    colours: tuple[str, ...]


@dataclass(frozen=True)
class TakeReference:
    """Measure a reference."""

    reference: str


@dataclass(frozen=True)
class TurnTo:
    """Expect cubes of this colour from now on."""

    colour: str


@dataclass(frozen=True)
class Forget:
    """Remove the last pass."""


@dataclass(frozen=True)
class LeaveOut:
    """Leave a colour out: remove all its passes, and review the other colours."""

    colour: str


@dataclass(frozen=True)
class Review:
    """Review the measurements."""


@dataclass(frozen=True)
class FinishCalibration:
    """Store the calibration and use it."""


@dataclass(frozen=True)
class StopCalibration:
    """Stop without changing anything."""


@dataclass(frozen=True)
class Check:
    """Check one cube of each of *colours* (None means all calibrated colours)."""

    colours: tuple[str, ...] | None


@dataclass(frozen=True)
class Bring:
    """Import a calibration, as JSON or as a file."""

    calibration: Any


WizardCommand = Begin | TakeReference | TurnTo | Forget | LeaveOut | Review | StopCalibration | Check
CalibrationCommand = WizardCommand | FinishCalibration | Bring | SlideOnce


def measure(services: Services, word: str, fields: Fields, who: Who) -> None:
    """Execute the command *word*, or raise `BadCalibration`, `Malformed` or `Refused` with nothing changed."""
    instrument = None if services.ring is None else services.ring.instrument
    if instrument is None:
        raise Refused(said("There's no ring here that measures."))
    command = CALIBRATION_COMMANDS[word].read(fields)
    match command:
        case FinishCalibration():
            finish(services, instrument, who)
        case Bring(calibration):
            bring(services, instrument, calibration, who)
        case SlideOnce():
            slid(services)  # the wizard counts each passage, so two taps count as two cubes
        case Begin() | TakeReference() | TurnTo() | Forget() | LeaveOut() | Review() | StopCalibration() | Check():
            _go_on(instrument, command)
        case _:
            assert_never(command)


def colours_in(value: object) -> tuple[str, ...]:
    """Return the colours in a list or a comma-separated text, in lower case and without duplicates."""
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
"""Each command by its word, in the order of the wizard's steps."""

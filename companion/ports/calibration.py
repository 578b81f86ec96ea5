"""What the companion knows of a ring as an instrument: how it is calibrated, what it saw, and how sure it can be.

The companion owns this seam so that pages never meet a device; the bridge
implements it. A calibration itself is JSON that only the bridge reads: the
companion keeps it, whole, and hands it back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, Protocol

from companion.kernel.values import dataclass

Line = Mapping[str, Any]


class BadCalibration(Exception):
    """A calibration, or a step of making one, that cannot be; the reason is one sentence."""

    @property
    def reason(self) -> str:
        """The sentence, as it was said."""
        reason: str = self.args[0]
        return reason


class WizardStage(StrEnum):
    """How far a wizard has come: references, passes of each colour, a look at all; or a check before a game."""

    REFERENCES = "references"
    PASSES = "passes"
    REVIEW = "review"
    CHECK = "check"


@dataclass(frozen=True)
class Dot:
    """One reading in a picture of hues: *x* redder than green, *y* yellower than blue (-1 to 1), *light* 0 to 1.

    *colour* is None when the ring was not sure.
    """

    colour: str | None
    x: float
    y: float
    light: float


@dataclass(frozen=True)
class Reference:
    """One of the things the sensor compares with: `black`, `white` or `dark`; *counts* (R, G, B, C) once taken."""

    name: str
    counts: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Near:
    """Two colours and their Mahalanobis distance; *refused*: too close to finish with. *advice* says what to do."""

    one: str
    other: str
    distance: float
    refused: bool
    advice: str


@dataclass(frozen=True)
class Wizard:
    """A calibration being made, or (stage `CHECK`) the one in force being checked.

    *colour* is the one whose cubes are slid now, *counts* how often each has
    been seen, *read* (in a check) what each pass was read as, newest first.
    *last* is a sentence on the newest pass. *confusion* and *near* are filled
    in at the review: colour shown to colour read to count; pairs worth a
    warning, the closest first. *trouble* says why it cannot go on, empty when
    it can.
    """

    stage: WizardStage
    copy: str
    colours: tuple[str, ...]
    colour: str = ""
    references: tuple[Reference, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    wanted: int = 10
    least: int = 5
    dots: tuple[Dot, ...] = ()
    read: tuple[str | None, ...] = ()
    last: str = ""
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    near: tuple[Near, ...] = ()
    trouble: str = ""


@dataclass(frozen=True)
class CalibrationView:
    """The calibration in force: *id* names its content, *made* is ISO 8601 in UTC, *right* of *passes* judged right.

    *white_now* is the shutter's white as a share of that at calibration, None
    while unknown; *advice* says what to do about it, empty for nothing.
    """

    id: str
    device: str
    copy: str
    made: str
    colours: tuple[str, ...]
    dots: tuple[Dot, ...]
    closest: Near | None
    right: int
    passes: int
    white_now: float | None
    advice: str


@dataclass(frozen=True)
class LastPassage:
    """The newest passage as it was measured: lines of *frames* and references in counts, edges in microseconds."""

    kind: str
    colour: str | None
    why: str
    frames: tuple[tuple[int, ...], ...] = ()
    white: tuple[float, ...] = ()
    black: tuple[float, ...] = ()
    dark: tuple[float, ...] = ()
    edges: tuple[tuple[str, bool, int], ...] = ()
    length: float | None = None  # of a cube's edge


@dataclass(frozen=True)
class InstrumentView:
    """All that a page may show of the instrument.

    *draws* are the readings since the start, newest first; *passages* and
    *faults* count by kind and by name; *settings* and *swallowed* are the
    device's filters (with their unit in the name) and what they have taken
    away; *uncalibrated* says why there is no calibration, empty when there is.
    """

    calibration: CalibrationView | None = None
    wizard: Wizard | None = None
    uncalibrated: str = ""
    draws: tuple[Dot, ...] = ()
    last: LastPassage | None = None
    passages: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, int] = field(default_factory=dict)
    swallowed: Mapping[str, int] = field(default_factory=dict)


class Instrument(Protocol):
    """The measuring side of a ring, for any thread; what cannot be raises `BadCalibration` and changes nothing."""

    @property
    def view(self) -> InstrumentView:
        """How it stands now."""

    @property
    def order(self) -> tuple[int, Mapping[str, int]] | None:
        """What the ring must be armed for while a wizard runs: a token that no game ever has, and what to slide."""

    def offer(self, stored: Sequence[Line]) -> None:
        """Take over what is on record for the copy on the table, oldest first.

        The newest one that the connected device made is in force from then
        on, and again whenever another device is met.
        """

    def begin(self, copy: str, colours: Sequence[str], wanted: int = 10) -> None:
        """Begin a wizard for *copy* that goes on to the next colour after *wanted* passes of each."""

    def begin_check(self, colours: Sequence[str]) -> None:
        """Begin a check of the calibration in force: one cube of each colour."""

    def look(self, reference: str) -> None:
        """Take the reference: `black`, `white` or `dark`."""

    def turn_to(self, colour: str) -> None:
        """Go on with the passes of *colour*."""

    def forget_last(self) -> None:
        """Drop the newest pass of the colour in turn."""

    def review(self) -> None:
        """Look at it all: which passes the others would misread, which colours are too close."""

    def finish(self, made: str) -> Line:
        """Return the calibration, to be kept; it is in force when it is offered."""

    def stop(self) -> None:
        """Leave the wizard; what it held is gone, what was in force stays."""

    def check_line(self, line: object) -> Line:
        """Return *line* if it is a calibration that could be in force for some ring."""

    def judged_again(self, raw: Sequence[str], by: Line | None) -> Line | None:
        """Return what a passage's raw lines would be judged as by a stored calibration (None: the one in force).

        As JSON: `colour`, `ranking`, `why`, `unknown`, `calibration`. None for
        lines that hold nothing to judge.
        """

    def bundle(self) -> Mapping[str, bytes]:
        """Return the files of a diagnostics bundle by name: captures, calibration, counters, versions."""

    def subscribe(self, tell: Callable[[], None]) -> Callable[[], None]:
        """Have *tell* called when `order` or `view` changes; it must only take note. Returns its end."""

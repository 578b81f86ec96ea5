"""The interface to a ring as a measuring instrument: calibrate it, and see its readings and their probabilities.

The companion defines this interface, so that pages depend on no device; the bridge implements it. Only the bridge reads
the JSON of a calibration: the companion stores it and hands it back unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, Protocol

from companion.kernel.values import dataclass

Line = Mapping[str, Any]


class BadCalibration(Exception):
    """An invalid calibration, or an invalid step of making one. The reason is one sentence."""

    @property
    def reason(self) -> str:
        """The sentence, which may be a `Said`."""
        reason: str = self.args[0]
        return reason


class WizardStage(StrEnum):
    """The stage of a calibration wizard: references, passes of each colour, final review.

    `CHECK` is a check before a game.
    """

    REFERENCES = "references"
    PASSES = "passes"
    REVIEW = "review"
    CHECK = "check"


@dataclass(frozen=True)
class Dot:
    """One reading as a point in the colour plane.

    *x* goes from -1 (green) to 1 (red), *y* from -1 (blue) to 1 (yellow), and *light* from 0 to 1.

    *colour* is None if the ring was not sure.
    """

    colour: str | None
    x: float
    y: float
    light: float


@dataclass(frozen=True)
class Reference:
    """A reference of the sensor: `black`, `white` or `dark`. *counts* (R, G, B, C) are set once it is measured."""

    name: str
    counts: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Near:
    """Two similar colours and their Mahalanobis distance.

    *refused* means that they are so similar that the calibration cannot be finished. *advice* says what to do.
    """

    one: str
    other: str
    distance: float
    refused: bool
    advice: str


@dataclass(frozen=True)
class Wizard:
    """A calibration in progress, or (stage `CHECK`) a check of the active one.

    *colour* is the colour to slide now. *counts* are the passes so far of each colour. *read* lists the colours
    recognised in a check, newest first. *last* is a sentence about the newest pass. *confusion* (colour shown, colour
    recognised, count) and *near* (pairs that are too similar, closest first) are filled in at the review. *trouble*
    says why the wizard cannot continue; it is empty if it can.
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
    """The active calibration: *id* identifies its contents, *made* is ISO 8601 in UTC.

    *passes* is the number of passages in the calibration, and *right* is how many of them are recognised correctly.
    *white_now* is the shutter's present white as a fraction of the white at calibration, None while unknown. *advice*
    says what to do about it; it is empty if all is well.
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
    """The measurements of the newest passage: *frames* and references in counts, *edges* in microseconds."""

    kind: str
    colour: str | None
    why: str
    frames: tuple[tuple[int, ...], ...] = ()
    white: tuple[float, ...] = ()
    black: tuple[float, ...] = ()
    dark: tuple[float, ...] = ()
    edges: tuple[tuple[str, bool, int], ...] = ()
    length: float | None = None  # measured length of the cube's edge


@dataclass(frozen=True)
class InstrumentView:
    """Everything about the instrument that a page may show.

    *draws* are the readings since the start, newest first. *passages* counts passages by kind, *faults* counts faults
    by name. *settings* are the limits of the device's filters (with the unit in the name), and *swallowed* counts
    what each filter removed. The fields are names of /api/v1/ring. *uncalibrated* says why there is no calibration;
    it is empty if there is one.
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
    """The measuring side of a ring. It is thread-safe. An invalid call raises `BadCalibration` and changes nothing."""

    @property
    def view(self) -> InstrumentView:
        """The present state."""

    @property
    def order(self) -> tuple[int, Mapping[str, int]] | None:
        """The token and the counts with which to arm the ring while a wizard runs, otherwise None.

        No game uses this token. The counts are the stations of each colour that are to slide.
        """

    def offer(self, stored: Sequence[Line]) -> None:
        """Set the stored calibrations of the present copy, oldest first.

        The newest calibration made by the connected device becomes active. When another device connects later, its
        newest calibration becomes active.
        """

    def begin(self, copy: str, colours: Sequence[str], wanted: int = 10) -> None:
        """Start a wizard that calibrates *copy* and goes to the next colour after *wanted* passes."""

    def begin_check(self, colours: Sequence[str]) -> None:
        """Start a check of the active calibration: one cube of each colour."""

    def look(self, reference: str) -> None:
        """Measure the reference `black`, `white` or `dark`."""

    def turn_to(self, colour: str) -> None:
        """Count the next passes as passes of *colour*."""

    def forget_last(self) -> None:
        """Delete the newest pass of the present colour."""

    def review(self) -> None:
        """Compute which passes a calibration from the other passes would misread, and which colours are too similar."""

    def finish(self, made: str) -> Line:
        """Return the calibration as a line for the caller to save. It becomes active when it is passed to `offer`."""

    def stop(self) -> None:
        """Leave the wizard and delete its passes. The active calibration is not changed."""

    def check_line(self, line: object) -> Line:
        """Return *line* if it is a valid calibration; the ring need not be this one."""

    def judged_again(self, raw: Sequence[str], by: Line | None) -> Line | None:
        """Judge the *raw* lines of a passage again, by the stored calibration *by* (None means the active one).

        The result is a JSON object with `colour`, `ranking`, `why`, `unknown` and `calibration`, or None if the lines
        contain nothing to judge.
        """

    def bundle(self) -> Mapping[str, bytes]:
        """Return the files of a diagnostics bundle by name: captures, calibration, counters, versions."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call *callback* when `order` or `view` changes; it must not block. Returns a function that unsubscribes."""

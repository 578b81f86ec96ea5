"""An instrument for tests of pages: it shows given readings and records its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from companion.ports.calibration import (
    BadCalibration,
    CalibrationView,
    Dot,
    InstrumentView,
    LastPassage,
    Line,
    Near,
    Reference,
    Wizard,
    WizardStage,
)

HUES = {
    "red": (0.21, 0.11, 0.13),
    "yellow": (0.17, 0.37, 0.5),
    "green": (-0.11, 0.06, 0.18),
    "blue": (-0.03, -0.15, 0.1),
    "black": (0.0, 0.0, 0.03),
    "orange": (0.26, 0.22, 0.28),
    "purple": (0.02, -0.04, 0.08),
    "white": (0.0, 0.0, 0.88),
    "wood": (0.12, 0.13, 0.4),
}
TOKEN = 900_000_000
REFERENCES = ("black", "white", "dark")


def cloud(colours: Sequence[str], each: int = 10, seed: int = 3) -> tuple[Dot, ...]:
    """Return readings of *colours*, scattered as in the simulated world."""
    lots = Random(seed)
    return tuple(_near(colour, lots) for colour in colours for _ in range(each))


def _near(colour: str, lots: Random) -> Dot:
    x, y, light = HUES.get(colour, (0.1, 0.0, 0.3))
    pose = lots.gauss(1, 0.12)
    return Dot(colour, x * pose + lots.gauss(0, 0.006), y * pose + lots.gauss(0, 0.006), light * pose)


def calibrated(colours: Sequence[str], **more: Any) -> InstrumentView:
    """Return the view of an instrument that is calibrated for *colours*."""
    near = Near("red", colours[-1], 6.1, False, "Far enough apart, but not by much.")
    made = CalibrationView(
        "0a1b2c3d", "ring-7", "Our copy", "2026-05-03T18:20:00Z", tuple(colours), cloud(colours), near, 50, 50, 0.86, ""
    )
    return replace(InstrumentView(calibration=made), **more)


PASSAGE = LastPassage(
    "out",
    "red",
    "",
    frames=((88, 34, 31, 131), (101, 38, 34, 150), (104, 39, 35, 155), (97, 37, 33, 144)),
    white=(132.0, 146.0, 118.0, 391.0),
    black=(19.0, 20.5, 17.0, 56.0),
    dark=(1.0, 1.0, 0.0, 2.0),
    edges=(("a", True, 0), ("b", True, 40_000), ("a", False, 80_200), ("b", False, 120_100)),
    length=1.01,
)


@dataclass
class ToldInstrument:
    """An instrument without a ring; its wizard follows its commands, which are recorded in *told*."""

    view: InstrumentView = field(default_factory=InstrumentView)
    order: tuple[int, Mapping[str, int]] | None = None
    told: list[tuple[object, ...]] = field(default_factory=list)
    offered: list[Line] = field(default_factory=list)
    colours: tuple[str, ...] = ()

    def offer(self, stored: Sequence[Line]) -> None:
        self.offered = list(stored)

    def begin(self, copy: str, colours: Sequence[str]) -> None:
        self.told.append(("begin", copy, *colours))
        if len(colours) < 2:
            raise BadCalibration("Two colours at least are wanted.")
        references = tuple(Reference(name) for name in REFERENCES)
        self.show(Wizard(WizardStage.REFERENCES, copy, tuple(colours), references=references))

    def begin_check(self, colours: Sequence[str]) -> None:
        self.told.append(("check", *colours))
        self.show(Wizard(WizardStage.CHECK, "Our copy", tuple(colours)))

    def look(self, reference: str) -> None:
        self.told.append(("look", reference))
        wizard = self.wizard
        taken = tuple(
            replace(one, counts=(1.0, 1.0, 1.0, 3.0)) if one.name == reference else one for one in wizard.references
        )
        stage = WizardStage.PASSES if all(one.counts for one in taken) else wizard.stage
        self.show(replace(wizard, references=taken, stage=stage, colour=wizard.colours[0]))

    def turn_to(self, colour: str) -> None:
        self.told.append(("turn", colour))
        self.show(replace(self.wizard, stage=WizardStage.PASSES, colour=colour))

    def forget_last(self) -> None:
        self.told.append(("forget",))
        wizard = self.wizard
        if not wizard.counts.get(wizard.colour):
            raise BadCalibration(f"No slide of {wizard.colour} yet.")
        self.show(replace(wizard, counts={**wizard.counts, wizard.colour: wizard.counts[wizard.colour] - 1}))

    def review(self) -> None:
        self.told.append(("review",))
        wizard = self.wizard
        confusion = {colour: {colour: wizard.counts.get(colour, 0)} for colour in wizard.colours}
        self.show(replace(wizard, stage=WizardStage.REVIEW, confusion=confusion))

    def finish(self, made: str) -> Line:
        self.told.append(("finish", made))
        if self.wizard.trouble:
            raise BadCalibration(self.wizard.trouble)
        line = {"calibration": 1, "copy": self.wizard.copy, "device": "ring-7", "made": made, "passes": []}
        self.view = replace(self.view, wizard=None)
        return line

    def stop(self) -> None:
        self.told.append(("stop",))
        self.view = replace(self.view, wizard=None)

    def check_line(self, line: object) -> Line:
        if not isinstance(line, Mapping) or line.get("calibration") != 1:
            raise BadCalibration("not a calibration of version 1")
        return line

    def judged_again(self, raw: Sequence[str], by: Line | None) -> Line | None:
        return {"colour": raw[0], "ranking": [[raw[0], 1.0]], "why": "", "unknown": 0.0, "calibration": "x"}

    def bundle(self) -> Mapping[str, bytes]:
        return {"counters.json": b"{}", "capture/1.txt": b"lines\n"}

    def subscribe(self, tell: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    # for tests

    @property
    def wizard(self) -> Wizard:
        """The wizard in progress."""
        if self.view.wizard is None:
            raise BadCalibration("No colours are being taught.")
        return self.view.wizard

    def show(self, wizard: Wizard | None) -> None:
        """Set the view's wizard."""
        self.view = replace(self.view, wizard=wizard)

    def passed(self, colour: str, count: int = 1) -> None:
        """Let *count* cubes of *colour* pass."""
        wizard = self.wizard
        counts = {**wizard.counts, colour: wizard.counts.get(colour, 0) + count}
        self.show(replace(wizard, counts=counts, dots=cloud(list(counts)), last=f"Seen as {colour}."))

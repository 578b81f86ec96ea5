"""A calibration that is being made: an immutable value, and functions for references, passes and review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from companion.kernel.fields import is_label
from companion.kernel.said import all_of, joined, listed, said, word
from companion.kernel.values import dataclass
from companion.ports.calibration import BadCalibration, Dot, Near, Reference, Wizard, WizardStage
from companion.ports.ring import RingEventKind
from firmware_bridge.calibration import messages
from firmware_bridge.calibration.outliers import close_pairs, doubt
from firmware_bridge.colour import Calibration, Pass, calibration_of, dot, leave_one_out
from firmware_bridge.colour.calibration import LEAST_PASSES, LONGEST_WORD, MOST_COLOURS, MOST_PASSES, WANTED_PASSES
from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.frame_filter import dazzling
from firmware_bridge.device.sensor_chips import chip_like
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.passages.passage import NOTHING, MeasuredPassage

REFERENCES = ("black", "white", "dark")
LEAST_SPAN = 10.0  # counts of clear from black to white; with fewer, colours cannot be distinguished
BRIGHT_ROOM = 0.5  # relative to the white; in a brighter room, the lamp's part of the light is too small
TWO_FRAMES_US = 9_600


@dataclass(frozen=True)
class WizardState:
    """A calibration that is being made, for one *copy* of the game and one device.

    *passes* has the valid passes, oldest first.

    *blind* means that the device can't take references on request, but sends them with each passage.
    """

    device: str
    sensor: str
    copy: str
    colours: tuple[str, ...]
    wanted: int = WANTED_PASSES
    stage: WizardStage = WizardStage.REFERENCES
    colour: str = ""
    blind: bool = False
    references: Mapping[str, Channels] = field(default_factory=dict)
    passes: tuple[Pass, ...] = ()
    dots: tuple[Dot, ...] = ()
    last: str = ""
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    near: tuple[Near, ...] = ()
    trouble: str = ""

    @property
    def sliding(self) -> str:
        """The colour of the cubes that are being let out now, or an empty string."""
        return self.colour if self.stage is WizardStage.PASSES else ""

    def count(self, colour: str) -> int:
        """Return the number of passes of *colour*."""
        return sum(each.colour == colour for each in self.passes)


def begun(device: str, sensor: str, copy: str, colours: Sequence[str], wanted: int = WANTED_PASSES) -> WizardState:
    """Begin a calibration. Raise BadCalibration if a name or number is invalid."""
    named = tuple(colours)
    if not 2 <= len(named) <= MOST_COLOURS or len(set(named)) < len(named):
        raise BadCalibration(said("A calibration has 2 to %(most)s different colours.", most=MOST_COLOURS))
    for name in (copy, *named):
        if not is_label(name, LONGEST_WORD):
            raise BadCalibration(said("Names of copies and colours have 1 to %(most)s characters.", most=LONGEST_WORD))
    if not LEAST_PASSES <= wanted <= MOST_PASSES:
        raise BadCalibration(
            said(
                "Each colour takes %(least)s to %(most)s slides, not %(wanted)s.",
                least=LEAST_PASSES,
                most=MOST_PASSES,
                wanted=wanted,
            )
        )
    return WizardState(device, sensor, copy, named, wanted)


def looked(wizard: WizardState, what: str, counts: Channels) -> WizardState:
    """Add a reference, in counts of one frame.

    When all three references have been taken and are consistent, the passes begin.
    """
    wizard = _unreviewed(replace(wizard, references={**wizard.references, what: counts}))
    if any(name not in wizard.references for name in REFERENCES):
        return replace(wizard, last=messages.REFERENCE[what])
    trouble = _unfit(wizard)
    if trouble:
        return replace(wizard, trouble=trouble)
    if wizard.stage is not WizardStage.REFERENCES:
        return replace(wizard, last=messages.REFERENCE[what])
    return replace(wizard, stage=WizardStage.PASSES, colour=wizard.colours[0], last=messages.REFERENCES_TAKEN)


def blind(wizard: WizardState) -> WizardState:
    """Skip the references, because this device sends them with each passage."""
    if wizard.stage is not WizardStage.REFERENCES:
        return replace(wizard, blind=True)
    return replace(wizard, blind=True, stage=WizardStage.PASSES, colour=wizard.colours[0], last=messages.BLIND)


def turned(wizard: WizardState, colour: str) -> WizardState:
    """Continue with *colour*."""
    if colour not in wizard.colours:
        known = listed([word(each) for each in wizard.colours])
        raise BadCalibration(
            said("%(colour)s isn't one of the colours here: %(known)s.", colour=repr(colour), known=known)
        )
    missing = [name for name in REFERENCES if name not in wizard.references]
    if missing and not wizard.blind:
        names = all_of([word(name) for name in missing])
        raise BadCalibration(said("First the reference readings: %(names)s missing.", names=names))
    if wizard.stage is WizardStage.REFERENCES and wizard.trouble:
        raise BadCalibration(wizard.trouble)
    return _unreviewed(replace(wizard, stage=WizardStage.PASSES, colour=colour, last=""))


def passed(wizard: WizardState, colour: str, kind: RingEventKind, seen: MeasuredPassage) -> WizardState:
    """Handle an event at the gate while *colour* (empty means none) is expected.

    The sentence `last` says whether the event counts.
    """
    if wizard.stage is not WizardStage.PASSES or not colour:
        return replace(wizard, last=messages.NOT_WANTED)
    if kind is not RingEventKind.OUT:
        return replace(wizard, last=messages.NOT_COUNTED[kind])
    flaw = _flaw(wizard, colour, seen)
    if flaw:
        return replace(wizard, last=flaw)
    return _counted(_with_references(wizard, seen), colour, seen)


def saying(wizard: WizardState, last: str) -> WizardState:
    """Return *wizard* with *last* as its latest sentence."""
    return replace(wizard, last=last)


def forgotten(wizard: WizardState) -> WizardState:
    """Remove the newest pass of the present colour."""
    newest = max((n for n, each in enumerate(wizard.passes) if each.colour == wizard.colour), default=-1)
    if newest < 0:
        raise BadCalibration(messages.none_seen(wizard.colour))
    passes = wizard.passes[:newest] + wizard.passes[newest + 1 :]
    dots = wizard.dots[:newest] + wizard.dots[newest + 1 :]
    left = sum(each.colour == wizard.colour for each in passes)
    return _unreviewed(replace(wizard, passes=passes, dots=dots, last=messages.forgotten(wizard.colour, left)))


def reviewed(wizard: WizardState) -> WizardState:
    """Review all passes. If the calibration cannot be finished like this, `trouble` says why."""
    taught = [colour for colour in wizard.colours if wizard.count(colour)]
    few = [colour for colour in taught if wizard.count(colour) < LEAST_PASSES]
    if few:
        raise BadCalibration(messages.too_few(few[0], wizard.count(few[0]), LEAST_PASSES))
    if len(taught) < 2:
        raise BadCalibration(said("Slide at least two colours first."))
    calibration = _calibration(wizard, "-")
    near, confusion = close_pairs(calibration), leave_one_out(calibration)
    trouble = joined(*(each.advice for each in near if each.refused))
    skipped = [colour for colour in wizard.colours if colour not in taught]
    last = messages.review(confusion, skipped)
    return replace(wizard, stage=WizardStage.REVIEW, confusion=confusion, near=near, trouble=trouble, last=last)


def finished(wizard: WizardState, made: str) -> dict[str, Any]:
    """Return the calibration as a JSON object. Raise BadCalibration if there was no successful review."""
    if wizard.stage is not WizardStage.REVIEW:
        raise BadCalibration(said("Review it first."))
    if wizard.trouble:
        raise BadCalibration(wizard.trouble)
    line = _calibration(wizard, made).line()
    try:
        return calibration_of(line).line()
    except InputError as fault:
        raise BadCalibration(said("This can't be a calibration: %(why)s.", why=fault.reason)) from None


def wizard(wizard: WizardState) -> Wizard:
    """Return *wizard* as pages show it."""
    return Wizard(
        stage=wizard.stage,
        copy=wizard.copy,
        colours=wizard.colours,
        colour=wizard.colour,
        references=tuple(Reference(name, wizard.references.get(name)) for name in REFERENCES),
        counts={colour: wizard.count(colour) for colour in wizard.colours},
        wanted=wizard.wanted,
        least=LEAST_PASSES,
        dots=wizard.dots,
        last=wizard.last,
        confusion=wizard.confusion,
        near=wizard.near,
        trouble=wizard.trouble,
    )


def _unfit(wizard: WizardState) -> str:
    """Return a sentence that says why the references are inconsistent, or an empty string."""
    black, white, dark = (wizard.references[name] for name in REFERENCES)
    if max(white) >= dazzling(chip_like(wizard.sensor)):
        return messages.WHITE_DAZZLED
    if dark[3] > BRIGHT_ROOM * white[3]:
        return messages.ROOM_TOO_BRIGHT
    if white[3] - black[3] < LEAST_SPAN or any(bright - low < 1 for bright, low in zip(white, black, strict=True)):
        return messages.WHITE_LIKE_BLACK
    return ""


def _flaw(wizard: WizardState, colour: str, seen: MeasuredPassage) -> str:
    """Return a sentence that says why a cube that left does not count as a pass, or an empty string."""
    if wizard.count(colour) >= MOST_PASSES:
        return messages.enough(colour, MOST_PASSES)
    if seen.white is None:
        return messages.NO_REFERENCES
    if not seen.full:
        # If a slow cube has no frames, the sensor was saturated or not ready.
        return messages.TOO_FAST if seen.frames or seen.blocked_us < TWO_FRAMES_US else messages.UNSEEN
    lit = _less(seen.white, seen.dark or NOTHING)
    if lit[3] < LEAST_SPAN or min(lit) < 1:
        return messages.WHITE_TOO_DARK
    return ""


def _with_references(wizard: WizardState, seen: MeasuredPassage) -> WizardState:
    """Take missing references from the passage *seen*, for a device that can't take references on request."""
    references = {"black": seen.black, "white": seen.white, "dark": seen.dark or NOTHING}
    fresh = {name: counts for name, counts in references.items() if counts and name not in wizard.references}
    return replace(wizard, references={**wizard.references, **fresh})


def _counted(wizard: WizardState, colour: str, seen: MeasuredPassage) -> WizardState:
    new = Pass(colour, seen.full, seen.white or NOTHING, seen.dark or NOTHING)
    own = replace(seen, black=wizard.references.get("black", seen.black))
    before, passes = wizard.passes, (*wizard.passes, new)
    dots = (*wizard.dots, Dot(colour, *dot(own.reading())))
    wizard = replace(wizard, passes=passes, dots=dots)
    doubted = doubt(_calibration(replace(wizard, passes=before), "-"), new)
    counted = messages.counted(colour, wizard.count(colour), wizard.wanted)
    last = joined(counted, doubted) if doubted else counted
    wizard = _unreviewed(replace(wizard, last=last))
    return wizard if doubted or colour != wizard.colour else _onward(wizard)


def _onward(wizard: WizardState) -> WizardState:
    """If the present colour has enough passes, change to the next colour that needs some."""
    if wizard.count(wizard.colour) < wizard.wanted:
        return wizard
    after = wizard.colours[wizard.colours.index(wizard.colour) + 1 :]
    wanting = next((colour for colour in after if wizard.count(colour) < wizard.wanted), "")
    if wanting:
        return replace(wizard, colour=wanting, last=joined(wizard.last, messages.next_colour(wanting)))
    few = [colour for colour in wizard.colours if wizard.count(colour) < wizard.wanted]
    return replace(wizard, last=joined(wizard.last, messages.all_seen(few)))


def _unreviewed(wizard: WizardState) -> WizardState:
    """Discard the review after a change."""
    stage = WizardStage.PASSES if wizard.stage is WizardStage.REVIEW else wizard.stage
    return replace(wizard, stage=stage, confusion={}, near=(), trouble="")


def _calibration(wizard: WizardState, made: str) -> Calibration:
    """Return the calibration so far. Its white is the mean of the passes' whites.

    If a device reports no black reference, its window is assumed to be clean. The window's stray light then becomes a
    part of every colour.
    """
    dark = wizard.references.get("dark", NOTHING)
    black = _less(wizard.references.get("black", dark), dark)
    whites = [_less(each.white, each.dark) for each in wizard.passes]
    white = _mean(whites) if whites else NOTHING
    return Calibration(wizard.device, wizard.sensor, wizard.copy, made, black, white, wizard.passes)


def _less(counts: Channels, dark: Channels) -> Channels:
    r, g, b, c = (count - off for count, off in zip(counts, dark, strict=True))
    return r, g, b, c


def _mean(rows: Sequence[Channels]) -> Channels:
    r, g, b, c = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return r, g, b, c

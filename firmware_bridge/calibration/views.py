"""Builds the views of a ring's measurements that pages show."""

from __future__ import annotations

from companion.kernel.said import joined, said
from companion.ports.calibration import CalibrationView, Dot, LastPassage
from companion.ports.ring import Judgement
from firmware_bridge.calibration.active import ActiveCalibration, Offered
from firmware_bridge.colour import Calibration, dot
from firmware_bridge.colour.channels import Channels
from firmware_bridge.passages.passage import NOTHING, MeasuredPassage
from firmware_bridge.protocol.messages import Hello

DIMMER, BRIGHTER = 0.8, 1.25  # limits of the white, relative to the calibration's

REAL_UNCALIBRATED = said(
    "This ring isn't calibrated for this copy. It counts but asks for every colour. Teach it first."
)
SIMULATED_UNCALIBRATED = said("Not calibrated: this simulated ring knows its own colours.")
NO_DEVICE = said("No ring connected yet.")


def uncalibrated(hello: Hello | None, active: ActiveCalibration | None, of: Offered) -> str:
    """Return a sentence that says why no calibration is active and what to do, or "" if one is active."""
    if active is not None:
        return ""
    if hello is None:
        return joined(*of.bad, NO_DEVICE)
    return joined(*of.bad, SIMULATED_UNCALIBRATED if hello.simulated else REAL_UNCALIBRATED)


def calibration_view(active: ActiveCalibration, white_now: float | None, bad: tuple[str, ...]) -> CalibrationView:
    """Return the view of the active calibration, with advice about the white and about invalid stored calibrations."""
    of = active.calibration
    return CalibrationView(
        id=of.id,
        device=of.device,
        copy=of.copy,
        made=of.made,
        colours=of.colours,
        dots=active.dots,
        closest=active.closest,
        right=active.right,
        passes=len(of.passes),
        white_now=white_now,
        advice=joined(*filter(None, (white_advice(white_now), *bad))),
    )


def white_share(active: ActiveCalibration, seen: MeasuredPassage) -> float | None:
    """Return the white relative to the calibration's white. Both are the clear channel minus the room's light."""
    return None if seen.white is None else _share(active.calibration, seen.white, seen.dark or NOTHING)


def taught_white(of: Calibration) -> float:
    """Return the white of the newest pass relative to the calibration's: the value to show right after calibrating."""
    newest = of.passes[-1]
    return _share(of, newest.white, newest.dark)


def _share(of: Calibration, white: Channels, dark: Channels) -> float:
    return round((white[3] - dark[3]) / max(of.white[3], 1.0), 3)


def white_advice(share: float | None) -> str:
    """Return advice about the white, or "" if it is 0.8 to 1.25 times the calibration's.

    More light means that other light shines in or the hood is off. Less light means dust or, after a long time, a worn
    lamp.
    """
    if share is None or DIMMER <= share <= BRIGHTER:
        return ""
    if share > BRIGHTER:
        return said("The shutter's white is brighter than at calibration. Wipe the window and shade the ring.")
    return said("The shutter's white is darker than at calibration. Wipe the window and the white, or calibrate again.")


def drawn_dot(seen: MeasuredPassage, judgement: Judgement | None, active: ActiveCalibration | None) -> Dot | None:
    """Return the passage's position in the colour chart, or None if it has no usable frames."""
    reading = with_black(seen, active).reading()
    if not reading.frames:
        return None
    return Dot(judgement.colour if judgement else None, *dot(reading))


def last_passage(
    kind: str, seen: MeasuredPassage, judgement: Judgement | None, active: ActiveCalibration | None
) -> LastPassage:
    """Return the measured passage as pages show it. Each frame has its time and four counts."""
    shown = with_black(seen, active)
    return LastPassage(
        kind=kind,
        colour=judgement.colour if judgement else None,
        why=judgement.why if judgement else "",
        frames=tuple((at, *map(int, counts)) for at, counts in shown.frames),
        white=shown.white or (),
        black=shown.black or (),
        dark=shown.dark or (),
        edges=shown.edges,
        length=shown.length,
    )


def with_black(seen: MeasuredPassage, active: ActiveCalibration | None) -> MeasuredPassage:
    """Return *seen*. If the device reported no black reference, use the calibration's."""
    if seen.black is not None or active is None:
        return seen
    r, g, b, c = (low + off for low, off in zip(active.calibration.black, seen.dark or NOTHING, strict=True))
    black: Channels = (r, g, b, c)
    return MeasuredPassage(seen.kind, seen.edges, seen.frames, seen.white, black, seen.dark, seen.length)

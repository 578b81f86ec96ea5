"""Colours: what the sensor saw of a passage goes in, a judgement that knows how sure it is comes out."""

from firmware_bridge.colour.calibrated import Calibrated, Doubting, Nominal
from firmware_bridge.colour.calibration import Calibration, Pass, calibration_of
from firmware_bridge.colour.reading import Judge, Reading
from firmware_bridge.colour.review import closeness, dot, leave_one_out

__all__ = [
    "Calibrated",
    "Calibration",
    "Doubting",
    "Judge",
    "Nominal",
    "Pass",
    "Reading",
    "calibration_of",
    "closeness",
    "dot",
    "leave_one_out",
]

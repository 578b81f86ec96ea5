"""Colour recognition: a judge takes the sensor's reading of a passage, and returns a colour with its probability."""

from firmware_bridge.colour.calibration import Calibration, Pass, calibration_of
from firmware_bridge.colour.judges import CalibratedJudge, Doubting, Nominal
from firmware_bridge.colour.quality import closeness, dot, leave_one_out
from firmware_bridge.colour.sample import Judge, Reading

__all__ = [
    "CalibratedJudge",
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

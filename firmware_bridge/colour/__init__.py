"""Colour recognition: a judge takes the sensor's reading of a passage, and returns a colour with its probability."""

from firmware_bridge.colour.calibration import Calibration, Pass
from firmware_bridge.colour.judges import CalibratedJudge, Doubting, Nominal
from firmware_bridge.colour.methods import METHODS, calibration_of, judge_of
from firmware_bridge.colour.nearest import NearestJudge
from firmware_bridge.colour.quality import closeness, dot, leave_one_out
from firmware_bridge.colour.sample import Judge, Reading

__all__ = [
    "METHODS",
    "CalibratedJudge",
    "Calibration",
    "Doubting",
    "Judge",
    "NearestJudge",
    "Nominal",
    "Pass",
    "Reading",
    "calibration_of",
    "closeness",
    "dot",
    "judge_of",
    "leave_one_out",
]

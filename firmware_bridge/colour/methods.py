"""The methods that judge colours, by name. Each calibration names the method that judges with it.

To add a method, write a class that is constructed from a calibration and has `judge` (see `Judge`), and add a line to
`METHODS`. A name that was ever stored must stay in the table: without it, calibrations with that name cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.kernel.said import said
from firmware_bridge.colour.calibration import USUAL_METHOD, Calibration, parsed
from firmware_bridge.colour.judges import CalibratedJudge
from firmware_bridge.colour.nearest import NearestJudge
from firmware_bridge.colour.sample import Judge
from firmware_bridge.kernel.errors import InputError

METHODS: Mapping[str, Callable[[Calibration], Judge]] = MappingProxyType(
    {
        USUAL_METHOD: CalibratedJudge,
        "nearest": NearestJudge,
    }
)


def judge_of(calibration: Calibration) -> Judge:
    """Return a judge of the method that *calibration* names. `calibration_of` must have checked that name."""
    return METHODS[calibration.method](calibration)


def calibration_of(line: object) -> Calibration:
    """Parse the JSON object that `Calibration.line` returned. Raise InputError that names the invalid field."""
    calibration = parsed(line)
    if calibration.method not in METHODS:
        raise InputError(
            said(
                "`method` must be one of %(words)s, not `%(found)s`",
                words=", ".join(METHODS),
                found=calibration.method,
            )
        )
    return calibration

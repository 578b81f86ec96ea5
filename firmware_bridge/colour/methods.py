"""The methods that judge colours, by name. A calibration names its own.

To add one, write a class that is made from a calibration and has `judge` (see `Judge`), and add its
line to `METHODS`. A name that was ever stored must stay: without its method, calibrations that name
it can't be used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.kernel.i18n import said
from firmware_bridge.colour.calibration import USUAL_METHOD, Calibration, parsed
from firmware_bridge.colour.judges import CalibratedJudge
from firmware_bridge.colour.nearest import NearestJudge
from firmware_bridge.colour.sample import Judge
from firmware_bridge.kernel.errors import BadInput

METHODS: Mapping[str, Callable[[Calibration], Judge]] = MappingProxyType(
    {
        USUAL_METHOD: CalibratedJudge,
        "nearest": NearestJudge,
    }
)


def judge_of(calibration: Calibration) -> Judge:
    """Return the judge that *calibration* names. It must come from `calibration_of`, which checks the name."""
    return METHODS[calibration.method](calibration)


def calibration_of(line: object) -> Calibration:
    """Parse the JSON object that `Calibration.line` returned. Raise BadInput with the invalid field."""
    calibration = parsed(line)
    if calibration.method not in METHODS:
        raise BadInput(
            said(
                "`method` must be one of %(words)s, not `%(found)s`",
                words=", ".join(METHODS),
                found=calibration.method,
            )
        )
    return calibration

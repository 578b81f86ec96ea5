"""The judge that a calibration makes."""

from __future__ import annotations

from collections.abc import Mapping

from companion.ringport import Judgement
from firmware_bridge.colour.calibration import Calibration
from firmware_bridge.colour.nearest import Features, _sure, distance, features, ranked, reflectance
from firmware_bridge.colour.reading import Reading


class Calibrated:
    """Judges by a calibration."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self._centres = {colour: _centre(calibration, colour) for colour in calibration.colours}

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the colour, or none when the reading is like no colour or like two."""
        if not reading.frames:
            return Judgement(None)
        seen = features(reflectance(reading))
        distances = {name: distance(seen, centre) for name, centre in self._centres.items()}
        ranking = ranked(distances)
        return Judgement(ranking[0][0] if _sure(sorted(distances.values()), ranking[0][1]) else None, ranking)


def _centre(calibration: Calibration, colour: str) -> Features:
    mine = [features(reflectance(calibration.reading(each))) for each in calibration.passes if each.colour == colour]
    x, y, z = (sum(column) / len(mine) for column in zip(*mine, strict=True))
    return x, y, z

"""A calibration: one ring's readings of the cubes of one copy of the game.

It stores raw readings, so that better judges can use them later.
"""

from __future__ import annotations

import binascii
import json
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, shown
from companion.kernel.said import said, word
from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels, channels_in, channels_of
from firmware_bridge.colour.sample import Reading
from firmware_bridge.device.sensor_chips import chip_like
from firmware_bridge.kernel.errors import InputError

VERSION = 1
USUAL_METHOD = "likelihood"  # used if a calibration does not name its method
LEAST_PASSES = 5
WANTED_PASSES = 10
MOST_COLOURS = 12
MOST_PASSES = 100
LONGEST_WORD = 60
LEAST_COUNTS = -16.0


@dataclass(frozen=True)
class Pass:
    """One passage of a cube of known colour: its frames, and the white and dark references at that time, in counts."""

    colour: str
    frames: tuple[Channels, ...]
    white: Channels
    dark: Channels


@dataclass(frozen=True)
class Calibration:
    """The readings from which a judge is made.

    *device* and *sensor* identify the ring, *copy* names the copy of the game, *made* is the date
    and time (ISO 8601, UTC). *black* and *white* are the references of the black card and of the shutter, both minus
    the dark reference at that time. *method* is the name of the method that judges with this calibration
    (`methods.py`).
    """

    device: str
    sensor: str
    copy: str
    made: str
    black: Channels
    white: Channels
    passes: tuple[Pass, ...]
    method: str = USUAL_METHOD

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours, in the order in which they were first shown."""
        return tuple(dict.fromkeys(each.colour for each in self.passes))

    @property
    def id(self) -> str:
        """A checksum of the whole calibration, as eight hexadecimal digits. Equal calibrations have equal ids."""
        return f"{binascii.crc32(json.dumps(self.line(), sort_keys=True).encode()):08x}"

    def reading(self, seen: Pass) -> Reading:
        """Return *seen*, a pass of this calibration, as the reading that a judge gets."""
        r, g, b, c = (black + dark for black, dark in zip(self.black, seen.dark, strict=True))
        return Reading(seen.frames, (r, g, b, c), seen.white, seen.dark)

    def line(self) -> dict[str, Any]:
        """Return the whole calibration as a JSON object.

        The default method is omitted. So calibrations from the time before there were other methods keep their line and
        their id.
        """
        named = {} if self.method == USUAL_METHOD else {"method": self.method}
        return {
            "calibration": VERSION,
            "device": self.device,
            "sensor": self.sensor,
            "copy": self.copy,
            "made": self.made,
            "black": _rounded(self.black),
            "white": _rounded(self.white),
            "passes": [
                {
                    "colour": each.colour,
                    "frames": [_rounded(frame) for frame in each.frames],
                    "white": _rounded(each.white),
                    "dark": _rounded(each.dark),
                }
                for each in self.passes
            ],
            **named,
        }


def _rounded(counts: Channels) -> list[float]:
    return [round(count, 3) for count in counts]


def parsed(line: object) -> Calibration:
    """Parse the JSON object of a calibration. Its method is not checked.

    Raise InputError that names the invalid field.
    """
    try:
        found = _read(Fields(line, "calibration"))
    except Malformed as fault:
        raise InputError(fault.reason) from None
    _check_numbers(found)
    return found


def _read(fields: Fields) -> Calibration:
    version = fields.take("calibration", None)
    if version != VERSION:
        raise InputError(
            said(
                "not a calibration of version %(version)s (`calibration` says %(found)s)",
                version=VERSION,
                found=shown(version),
            )
        )
    fields.only("device", "sensor", "copy", "made", "black", "white", "passes", "method")
    device, sensor, copy, made = (fields.label(name, LONGEST_WORD) for name in ("device", "sensor", "copy", "made"))
    most = float(chip_like(sensor).FULL)
    black, white = (channels_in(fields, name, LEAST_COUNTS, most) for name in ("black", "white"))
    passes = (_pass(Fields(each, f"pass {n}"), most) for n, each in enumerate(fields.list("passes"), 1))
    method = fields.label("method", LONGEST_WORD) if fields.has("method") else USUAL_METHOD
    return Calibration(device, sensor, copy, made, black, white, tuple(passes), method)


def _check_numbers(found: Calibration) -> None:
    """Raise InputError if a judge cannot be made from the numbers in *found*."""
    if not 2 <= len(found.colours) <= MOST_COLOURS:
        raise InputError(
            said(
                "a calibration has 2 to %(most)s colours, this one %(count)s",
                most=MOST_COLOURS,
                count=len(found.colours),
            )
        )
    for colour in found.colours:
        count = sum(each.colour == colour for each in found.passes)
        if not LEAST_PASSES <= count <= MOST_PASSES:
            raise InputError(
                said(
                    "%(colour)s has %(count)s passes, not %(least)s to %(most)s",
                    colour=word(colour),
                    count=count,
                    least=LEAST_PASSES,
                    most=MOST_PASSES,
                )
            )
    if any(white - black < 1 for white, black in zip(found.white, found.black, strict=True)):
        raise InputError(said("`white` must be brighter than `black` in every channel"))
    for number, each in enumerate(found.passes, 1):
        if any(white - dark < 1 for white, dark in zip(each.white, each.dark, strict=True)):
            raise InputError(
                said("pass %(number)s: `white` must be brighter than `dark` in every channel", number=number)
            )


def _pass(fields: Fields, most: float) -> Pass:
    colour = fields.label("colour", LONGEST_WORD)
    white, dark = (channels_in(fields, name, LEAST_COUNTS, most) for name in ("white", "dark"))
    return Pass(colour, _frames(fields, most), white, dark)


def _frames(fields: Fields, most: float) -> tuple[Channels, ...]:
    wanted = said("a list of 1 to %(most)s frames", most=MOST_PASSES)
    frames = fields.wanted("frames", wanted, lambda value: isinstance(value, list) and 1 <= len(value) <= MOST_PASSES)
    return tuple(channels_of(each, fields.where(f"frames[{at}]"), LEAST_COUNTS, most) for at, each in enumerate(frames))

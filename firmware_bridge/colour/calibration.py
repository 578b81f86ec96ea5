"""A calibration: what one ring saw of one copy's cubes. It holds readings, not conclusions, for any better judge."""

from __future__ import annotations

import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.kernel.i18n import said, word
from firmware_bridge.colour.channels import Channels
from firmware_bridge.colour.sample import Reading
from firmware_bridge.kernel.errors import BadInput

VERSION = 1
LEAST_PASSES = 5
WANTED_PASSES = 10
MOST_COLOURS = 12
MOST_PASSES = 100
LONGEST_WORD = 60
MOST_COUNTS = 1024.0  # of one frame of one step


@dataclass(frozen=True)
class Pass:
    """One cube of a known colour, seen once: its frames (counts), white shutter and lamp-off room of that moment."""

    colour: str
    frames: tuple[Channels, ...]
    white: Channels
    dark: Channels


@dataclass(frozen=True)
class Calibration:
    """Everything that a judge is made from.

    *device* and *sensor* are those of the ring, *copy* names the copy of the
    game, *made* is the date and time (ISO 8601, UTC). *black* is the black
    card less the lamp-off room of that moment, *white* the shutter likewise.
    """

    device: str
    sensor: str
    copy: str
    made: str
    black: Channels
    white: Channels
    passes: tuple[Pass, ...]

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours, in the order in which they were first shown."""
        return tuple(dict.fromkeys(each.colour for each in self.passes))

    @property
    def id(self) -> str:
        """A short name made from everything it holds: two calibrations with one name are the same."""
        return f"{binascii.crc32(json.dumps(self.line(), sort_keys=True).encode()):08x}"

    def reading(self, seen: Pass) -> Reading:
        """Return one of its passes as a judge gets it."""
        r, g, b, c = (black + dark for black, dark in zip(self.black, seen.dark, strict=True))
        return Reading(seen.frames, (r, g, b, c), seen.white, seen.dark)

    def line(self) -> dict[str, Any]:
        """Return it as JSON, whole."""
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
        }


def _rounded(counts: Channels) -> list[float]:
    return [round(count, 3) for count in counts]


def calibration_of(line: object) -> Calibration:
    """Return the calibration that `Calibration.line` gave *line*; BadInput with what is wrong and where."""
    fields = _object(line, "the calibration")
    if fields.get("calibration") != VERSION:
        raise BadInput(
            said(
                "not a calibration of version %(version)s (`calibration` says %(found)s)",
                version=VERSION,
                found=repr(fields.get("calibration")),
            )
        )
    unknown = sorted(fields.keys() - {"calibration", "device", "sensor", "copy", "made", "black", "white", "passes"})
    if unknown:
        raise BadInput(said("unknown field `%(name)s`", name=unknown[0]))
    passes = fields.get("passes")
    if not isinstance(passes, list):
        raise BadInput(said("`passes` must be a list"))
    found = Calibration(
        device=_word(fields, "device", ""),
        sensor=_word(fields, "sensor", ""),
        copy=_word(fields, "copy", ""),
        made=_word(fields, "made", ""),
        black=_counts(fields, "black", ""),
        white=_counts(fields, "white", ""),
        passes=tuple(_pass(each, f"pass {n}: ") for n, each in enumerate(passes, 1)),
    )
    _check_numbers(found)
    return found


def _check_numbers(found: Calibration) -> None:
    """Refuse what no judge could be made from."""
    if not 2 <= len(found.colours) <= MOST_COLOURS:
        raise BadInput(
            said(
                "a calibration has 2 to %(most)s colours, this one %(count)s",
                most=MOST_COLOURS,
                count=len(found.colours),
            )
        )
    for colour in found.colours:
        count = sum(each.colour == colour for each in found.passes)
        if not LEAST_PASSES <= count <= MOST_PASSES:
            raise BadInput(
                said(
                    "%(colour)s: %(count)s passes; %(least)s to %(most)s are wanted",
                    colour=word(colour),
                    count=count,
                    least=LEAST_PASSES,
                    most=MOST_PASSES,
                )
            )
    if any(white - black < 1 for white, black in zip(found.white, found.black, strict=True)):
        raise BadInput(said("`white` must be brighter than `black` in every channel"))
    for number, each in enumerate(found.passes, 1):
        if any(white - dark < 1 for white, dark in zip(each.white, each.dark, strict=True)):
            raise BadInput(
                said("pass %(number)s: `white` must be brighter than `dark` in every channel", number=number)
            )


def _pass(value: object, where: str) -> Pass:
    fields = _object(value, f"{where}it")
    frames = fields.get("frames")
    if not isinstance(frames, list) or not 1 <= len(frames) <= MOST_PASSES:
        raise BadInput(said("%(where)s`frames` must be a list of 1 to %(most)s frames", where=where, most=MOST_PASSES))
    return Pass(
        _word(fields, "colour", where),
        tuple(_counts({"frames": each}, "frames", where) for each in frames),
        _counts(fields, "white", where),
        _counts(fields, "dark", where),
    )


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadInput(said("%(what)s must be an object", what=what))
    return value


def _word(fields: Mapping[str, object], name: str, where: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_WORD or not value.isprintable():
        raise BadInput(
            said(
                "%(where)s`%(name)s` must be a text of 1 to %(most)s characters",
                where=where,
                name=name,
                most=LONGEST_WORD,
            )
        )
    return value


def _counts(fields: Mapping[str, object], name: str, where: str) -> Channels:
    value = fields.get(name)
    if not isinstance(value, Sequence) or len(value) != 4:
        raise BadInput(said("%(where)s`%(name)s` must be four counts [R, G, B, C]", where=where, name=name))
    r, g, b, c = (_count(each, name, where) for each in value)
    return r, g, b, c


def _count(value: object, name: str, where: str) -> float:
    right = isinstance(value, int | float) and not isinstance(value, bool) and -16 <= value <= MOST_COUNTS
    if not right or not isinstance(value, int | float):
        raise BadInput(
            said("%(where)s`%(name)s` holds %(value)s, which is no count", where=where, name=name, value=repr(value))
        )
    return float(value)

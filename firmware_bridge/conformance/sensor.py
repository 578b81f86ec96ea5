"""Checks the colour sensor: the white, dark and black references, their noise, and whether they match a calibration."""

from __future__ import annotations

from functools import partial
from math import sqrt

from firmware_bridge.colour import Calibration
from firmware_bridge.colour.channels import Channels
from firmware_bridge.conformance.conversation import Ask, Conversation, RingLine
from firmware_bridge.conformance.orders import done
from firmware_bridge.conformance.result import AT_LEAST, ConformanceResult, Figures, Found, Skipped
from firmware_bridge.device.frame_filter import dazzling
from firmware_bridge.device.sensor_chips import chip_like
from firmware_bridge.passages.passage import mean as one_frame
from firmware_bridge.protocol.messages import Event

LOOKS = 8
LOOK_S = 2.0
SATURATED = 1000.0  # counts of a TCS34725, for the page about the first hour
DIM = 60.0  # counts of clear in a frame; with less light, rounding hides the differences between paints
NOISY_PERCENT = 3.0
BRIGHT_ROOM = 0.5  # relative to white; recognition was not tested in a brighter simulated room
LEAST_CONTRAST = 2.0  # ratio of white to black; a clean window reflects less than half
CLEAN, FADED = 1.25, 0.8
CLEAR = 3


def references(talk: Conversation, figures: Figures, calibration: Calibration | None, ask: Ask) -> Found:
    """Take white, dark and (if a card is available) black references, and check them."""
    if talk.hello is None or talk.hello.sensor == "none":
        yield Skipped("colour sensor", "this ring has none")
        return
    figures.white += _looks(talk, "white", LOOKS)
    if not figures.white:
        yield Skipped("references", "this ring took no reference reading: is its gate right?")
        return
    figures.dark += _looks(talk, "dark", LOOKS)
    if talk.hello.simulated or talk.asked(ask, "Put a black card under the ring's sensor."):
        figures.black += _looks(talk, "black", 1)
    yield from _plausible(figures, dazzling(chip_like(talk.hello.sensor)) - 1.0)
    yield from _followed(figures, calibration)


def _plausible(figures: Figures, most: float) -> Found:
    white, dark = mean(figures.white), mean(figures.dark or [(0.0, 0.0, 0.0, 0.0)])
    yield ConformanceResult(
        "white, dimmest frame mean (clear)", min(each[CLEAR] for each in figures.white), DIM, "counts", AT_LEAST
    )
    yield ConformanceResult("white, brightest channel", max(map(max, figures.white)), most, "counts")
    if len(figures.white) > 1:
        yield ConformanceResult(
            "noise of white (clear)", 100 * _spread(figures.white) / max(white[CLEAR], 1.0), NOISY_PERCENT, "%"
        )
    if figures.dark:
        yield ConformanceResult("light of the room, of white", dark[CLEAR] / max(white[CLEAR], 1.0), BRIGHT_ROOM)
    if not figures.black:
        yield Skipped("white against black", "no black card shown: use --ask")
        return
    black = mean(figures.black)
    ratios = [(w - d) / max(b - d, 0.1) for w, b, d in zip(white, black, dark, strict=True)]
    yield ConformanceResult("white against black, worst channel", min(ratios), LEAST_CONTRAST, "times", AT_LEAST)


def _followed(figures: Figures, calibration: Calibration | None) -> Found:
    """Compare the white reference with the calibration's."""
    if calibration is None:
        yield Skipped("white against the calibration's", "no calibration given: use --calibration FILE")
        return
    white, dark = mean(figures.white), mean(figures.dark or [(0.0, 0.0, 0.0, 0.0)])
    shares = [(now - off) / then for now, off, then in zip(white, dark, calibration.white, strict=True)]
    yield ConformanceResult("white, brightest channel against the calibration's", max(shares), CLEAN, "times")
    yield ConformanceResult("white, dimmest channel against the calibration's", min(shares), FADED, "times", AT_LEAST)


def _looks(talk: Conversation, what: str, times: int) -> list[Channels]:
    """Take the reference *what* several times.

    Return the counts of one frame for each, or nothing if the ring refuses.
    """
    found = []
    for _ in range(times):
        since, known = len(talk.lines), max([talk.before, *talk.events])
        if not done(talk.order("look", ("what", what))):
            break
        line = talk.wait(partial(_looked, what, known), LOOK_S, since)
        if line is None or not isinstance(line.message, Event):
            break
        talk.ack()
        try:
            found.append(one_frame(line.message.fields["counts"], line.message.fields.get("sum", "1")))
        except (KeyError, ValueError):
            break  # a ring that reports no counts cannot take references
    return found


def _looked(what: str, known: int, line: RingLine) -> bool:
    """Return whether *line* is a new event that reports the reference *what*."""
    event = line.message
    if not isinstance(event, Event) or event.word != "look" or event.number <= known:
        return False
    return event.fields.get("what", what) == what


def mean(rows: list[Channels]) -> Channels:
    """Return the mean of each channel over *rows*."""
    r, g, b, c = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return r, g, b, c


def _spread(rows: list[Channels]) -> float:
    clear = [row[CLEAR] for row in rows]
    middle = sum(clear) / len(clear)
    return sqrt(sum((each - middle) ** 2 for each in clear) / (len(clear) - 1))

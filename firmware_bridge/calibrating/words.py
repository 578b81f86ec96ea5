"""What a calibration says while it is made, in sentences for the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.ringport import Kind

REFERENCE = {
    "black": "The black card is seen.",
    "white": "The shutter's white is seen.",
    "dark": "The room alone, with the lamp off, is seen.",
}
REFERENCES_TAKEN = "All three looks are taken. Now the cubes: take four different ones of each colour at least."
BLIND = "This ring looks at its white by itself, with each cube. Take four different cubes of each colour at least."
WHITE_DAZZLED = "The white dazzles the sensor: have the lamp shine less brightly, then look at the white again."
ROOM_TOO_BRIGHT = (
    "The room shines in too brightly: put the hood on or draw the curtains, then look at the white and the dark again."
)
WHITE_LIKE_BLACK = (
    "White and black look alike: for black a black card lies under the sensor, for white the shutter is closed. "
    "Look at both again."
)

OTHER_RING = "Another ring is connected than the one that is being taught: put that one back, or stop."

NOT_WANTED = "Not counted: no colour is in turn."
ODD = "Not counted: something happened at the gate."
NOT_COUNTED: Mapping[Kind, str] = {
    Kind.PAIR: "Not counted: two cubes left at once. Let them out one at a time.",
    Kind.BACK: "Not counted: the cube went back. Slide it all the way out.",
    Kind.POKE: "Not counted: something touched the gate, but no cube left.",
    Kind.GLITCH: "Not counted: the beams saw nothing that moves like a cube.",
    Kind.STUCK: "Not counted: a cube sat in the gate. Take it out and slide it again.",
}
NO_REFERENCES = "Not counted: the ring told no white with it. Close the gate before each cube."
TOO_FAST = "Not counted: too fast to be seen as a whole. Slide a little more slowly."
UNSEEN = "Not counted: the sensor saw nothing of it. Is it dazzled by a lamp or by the sun?"
WHITE_TOO_DARK = "Not counted: the white is dark. Is the ring's lamp on, and the window clean?"

CHECK = "Slide one cube of each colour, in any order."
CHECKED = "Each colour was read: the calibration fits."
CHECK_REMEDY = "wipe the window and the shutter's white; if that does not help, calibrate again"

REMEDY = (
    "move the lamp or put the hood on and slide both again; mark or swap the cubes of one of them; "
    "or play without one of them, and leave it out here"
)


def not_looked(why: str) -> str:
    """Say that the device did not look."""
    return f"The ring could not look ({why}). Try again."


def counted(colour: str, count: int, wanted: int) -> str:
    """Say that a pass counts."""
    return f"{_start(colour)}: {count} of {wanted}."


def forgotten(colour: str, left: int) -> str:
    """Say that a pass was dropped."""
    return f"Forgotten: {left} of {_named(colour)} left." if left else f"Forgotten: none of {_named(colour)} left."


def next_colour(colour: str) -> str:
    """Say which colour is in turn now."""
    return f"Next: {_named(colour)}."


def all_seen(few: Sequence[str]) -> str:
    """Say that the last colour is done, and which have had fewer passes than wanted."""
    return f"Still short: {_listed(few)}." if few else "All colours have been seen: now have a look at it all."


def enough(colour: str, most: int) -> str:
    """Say that no more passes are kept."""
    return f"Not counted: {most} passes of {_named(colour)} are enough."


def looks_like(colour: str) -> str:
    """Say that the newest pass looks like another colour."""
    return f"This one looks like {_named(colour)}. Forget it?"


def unlike(colour: str) -> str:
    """Say that the newest pass is unlike those before it."""
    return f"This one looks unlike the others of {_named(colour)}. Forget it?"


def too_few(colour: str, count: int, least: int) -> str:
    """Say that a colour was begun and not done."""
    passes = "1 pass" if count == 1 else f"{count} passes"
    return f"{_start(colour)} has {passes}; {least} at least are wanted. Slide more, or forget them to leave it out."


def too_close(one: str, other: str, distance: float, wanted: float) -> str:
    """Say that two colours cannot be told apart well enough, and what to do."""
    return (
        f"{_start(one)} and {_named(other)} look too much alike ({distance:.1f}; {wanted:.0f} is the least): {REMEDY}."
    )


def close(one: str, other: str) -> str:
    """Say that two colours are told apart, but not by much."""
    return f"{_start(one)} and {_named(other)} look alike: the tablet will ask now and then. A better light would help."


def review(confusion: Mapping[str, Mapping[str, int]], left_out: Sequence[str]) -> str:
    """Say how many passes the others would read right, and what is left out."""
    right = sum(read.get(colour, 0) for colour, read in confusion.items())
    passes = sum(sum(read.values()) for read in confusion.values())
    said = f"Judged by the others, {right} of {passes} passes are read right."
    return f"{said} Left out: {_listed(left_out)}; the tablet will ask about such cubes." if left_out else said


def read_as(colour: str, missing: Sequence[str]) -> str:
    """Say what a cube was read as in a check, and what is still to come."""
    return f"Read as {_named(colour)}. Still to come: {_listed(missing)}."


def read_again(colour: str) -> str:
    """Say that a colour was read once more in a check."""
    return f"Read as {_named(colour)} once more. Was it another cube of that colour?"


def foreign(colour: str) -> str:
    """Say that a cube in a check was read as a colour that is not played with."""
    return f"Read as {_named(colour)}, which is not among the colours in play."


def unsure(likeliest: str) -> str:
    """Say that a cube in a check could not be read for sure."""
    return f"Not read for sure; most like {_named(likeliest)}." if likeliest else "Not read at all."


def not_sure(count: int) -> str:
    """Say that cubes were not read for sure in a check, and what to do."""
    cubes = "One cube was" if count == 1 else f"{count} cubes were"
    return f"{cubes} not read for sure: {CHECK_REMEDY}."


def misread(colour: str) -> str:
    """Say that a cube was read as a colour that is not played with, and what to do."""
    return f"A cube was read as {_named(colour)}, which is not in play: {CHECK_REMEDY}."


def twice(colour: str) -> str:
    """Say that a colour was read more than once, and what to do unless that is right."""
    return f"{_start(colour)} was read more than once. If it was not slid twice: {CHECK_REMEDY}."


def _listed(colours: Sequence[str]) -> str:
    return ", ".join(map(_named, colours))


def _start(colour: str) -> str:
    named = _named(colour)
    return named[:1].upper() + named[1:]


def _named(colour: str) -> str:
    return "bare wood" if colour == "wood" else colour

"""What a calibration says while it is made, in sentences for the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kernel.i18n import Said, joined, listed, said, said_n, word
from companion.ports.ring import Kind

REFERENCE = {
    "black": said("The black card is seen."),
    "white": said("The shutter's white is seen."),
    "dark": said("The room alone, with the lamp off, is seen."),
}
REFERENCES_TAKEN = said("All three looks are taken. Now the cubes: take four different ones of each colour at least.")
BLIND = said(
    "This ring looks at its white by itself, with each cube. Take four different cubes of each colour at least."
)
WHITE_DAZZLED = said("The white dazzles the sensor: have the lamp shine less brightly, then look at the white again.")
ROOM_TOO_BRIGHT = said(
    "The room shines in too brightly: put the hood on or draw the curtains, then look at the white and the dark again."
)
WHITE_LIKE_BLACK = said(
    "White and black look alike: for black a black card lies under the sensor, for white the shutter is closed. "
    "Look at both again."
)

AT_THE_START = (
    *(said("Red"), said("Yellow"), said("Green"), said("Blue"), said("Black"), said("White")),
    *(said("Orange"), said("Purple"), said("Pink"), said("Grey"), said("Brown")),
)
LOOKS = (said("black"), said("white"), said("dark"))
"""Words for catalogues, which `word` finds by their English: colours where a sentence begins, things looked at."""

OTHER_RING = said("Another ring is connected than the one that is being taught: put that one back, or stop.")

NOT_WANTED = said("Not counted: no colour is in turn.")
ODD = said("Not counted: something happened at the gate.")
NOT_COUNTED: Mapping[Kind, Said] = {
    Kind.PAIR: said("Not counted: two cubes left at once. Let them out one at a time."),
    Kind.BACK: said("Not counted: the cube went back. Slide it all the way out."),
    Kind.POKE: said("Not counted: something touched the gate, but no cube left."),
    Kind.GLITCH: said("Not counted: the beams saw nothing that moves like a cube."),
    Kind.STUCK: said("Not counted: a cube sat in the gate. Take it out and slide it again."),
}
NO_REFERENCES = said("Not counted: the ring told no white with it. Close the gate before each cube.")
TOO_FAST = said("Not counted: too fast to be seen as a whole. Slide a little more slowly.")
UNSEEN = said("Not counted: the sensor saw nothing of it. Is it dazzled by a lamp or by the sun?")
WHITE_TOO_DARK = said("Not counted: the white is dark. Is the ring's lamp on, and the window clean?")

CHECK = said("Slide one cube of each colour, in any order.")
CHECKED = said("Each colour was read: the calibration fits.")
CHECK_REMEDY = said("wipe the window and the shutter's white; if that does not help, calibrate again")

REMEDY = said(
    "move the lamp or put the hood on and slide both again; mark or swap the cubes of one of them; "
    "or play without one of them, and leave it out here"
)


def not_looked(why: str) -> Said:
    """Say that the device did not look."""
    return said("The ring could not look (%(why)s). Try again.", why=why)


def counted(colour: str, count: int, wanted: int) -> Said:
    """Say that a pass counts."""
    return said("%(colour)s: %(count)s of %(wanted)s.", colour=_start(colour), count=count, wanted=wanted)


def forgotten(colour: str, left: int) -> Said:
    """Say that a pass was dropped."""
    if left:
        return said("Forgotten: %(left)s of %(colour)s left.", left=left, colour=_named(colour))
    return said("Forgotten: none of %(colour)s left.", colour=_named(colour))


def none_seen(colour: str) -> Said:
    """Say that there is no pass to forget."""
    if colour:
        return said("No pass of %(colour)s has been seen yet.", colour=word(colour))
    return said("No pass of any colour has been seen yet.")


def next_colour(colour: str) -> Said:
    """Say which colour is in turn now."""
    return said("Next: %(colour)s.", colour=_named(colour))


def all_seen(few: Sequence[str]) -> Said:
    """Say that the last colour is done, and which have had fewer passes than wanted."""
    if few:
        return said("Still short: %(colours)s.", colours=_listed(few))
    return said("All colours have been seen: now have a look at it all.")


def enough(colour: str, most: int) -> Said:
    """Say that no more passes are kept."""
    return said("Not counted: %(most)s passes of %(colour)s are enough.", most=most, colour=_named(colour))


def looks_like(colour: str) -> Said:
    """Say that the newest pass looks like another colour."""
    return said("This one looks like %(colour)s. Forget it?", colour=_named(colour))


def unlike(colour: str) -> Said:
    """Say that the newest pass is unlike those before it."""
    return said("This one looks unlike the others of %(colour)s. Forget it?", colour=_named(colour))


def too_few(colour: str, count: int, least: int) -> Said:
    """Say that a colour was begun and not done."""
    return said_n(
        "%(colour)s has %(num)s pass; %(least)s at least are wanted. Slide more, or forget them to leave it out.",
        "%(colour)s has %(num)s passes; %(least)s at least are wanted. Slide more, or forget them to leave it out.",
        count,
        colour=_start(colour),
        least=least,
    )


def too_close(one: str, other: str, distance: float, wanted: float) -> Said:
    """Say that two colours cannot be told apart well enough, and what to do."""
    return said(
        "%(colour)s and %(other)s look too much alike (%(distance)s; %(wanted)s is the least): %(remedy)s.",
        colour=_start(one),
        other=_named(other),
        distance=f"{distance:.1f}",
        wanted=f"{wanted:.0f}",
        remedy=REMEDY,
    )


def close(one: str, other: str) -> Said:
    """Say that two colours are told apart, but not by much."""
    return said(
        "%(colour)s and %(other)s look alike: the tablet will ask now and then. A better light would help.",
        colour=_start(one),
        other=_named(other),
    )


def review(confusion: Mapping[str, Mapping[str, int]], left_out: Sequence[str]) -> Said:
    """Say how many passes the others would read right, and what is left out."""
    right = sum(read.get(colour, 0) for colour, read in confusion.items())
    passes = sum(sum(read.values()) for read in confusion.values())
    read = said("Judged by the others, %(right)s of %(passes)s passes are read right.", right=right, passes=passes)
    if not left_out:
        return read
    out = said("Left out: %(colours)s; the tablet will ask about such cubes.", colours=_listed(left_out))
    return joined(read, out)


def strange(colours: Sequence[str]) -> Said:
    """Say that a calibration does not know some colours that are to be checked."""
    names = word(colours[0])
    for colour in colours[1:]:
        names = said("%(names)s and no %(name)s", names=names, name=word(colour))
    return said("The calibration knows no %(colours)s: calibrate this copy anew.", colours=names)


def read_as(colour: str, missing: Sequence[str]) -> Said:
    """Say what a cube was read as in a check, and what is still to come."""
    return said("Read as %(colour)s. Still to come: %(missing)s.", colour=_named(colour), missing=_listed(missing))


def read_again(colour: str) -> Said:
    """Say that a colour was read once more in a check."""
    return said("Read as %(colour)s once more. Was it another cube of that colour?", colour=_named(colour))


def foreign(colour: str) -> Said:
    """Say that a cube in a check was read as a colour that is not played with."""
    return said("Read as %(colour)s, which is not among the colours in play.", colour=_named(colour))


def unsure(likeliest: str) -> Said:
    """Say that a cube in a check could not be read for sure."""
    if likeliest:
        return said("Not read for sure; most like %(colour)s.", colour=_named(likeliest))
    return said("Not read at all.")


def not_sure(count: int) -> Said:
    """Say that cubes were not read for sure in a check, and what to do."""
    return said_n(
        "One cube was not read for sure: %(remedy)s.",
        "%(num)s cubes were not read for sure: %(remedy)s.",
        count,
        remedy=CHECK_REMEDY,
    )


def misread(colour: str) -> Said:
    """Say that a cube was read as a colour that is not played with, and what to do."""
    return said(
        "A cube was read as %(colour)s, which is not in play: %(remedy)s.", colour=_named(colour), remedy=CHECK_REMEDY
    )


def twice(colour: str) -> Said:
    """Say that a colour was read more than once, and what to do unless that is right."""
    return said(
        "%(colour)s was read more than once. If it was not slid twice: %(remedy)s.",
        colour=_start(colour),
        remedy=CHECK_REMEDY,
    )


def no_reference(name: str, known: Sequence[str]) -> Said:
    """Say that a thing to look at is none of those that are *known*."""
    return said(
        "%(name)s is no reference: %(known)s are.", name=repr(name), known=listed([word(each) for each in known])
    )


def _listed(colours: Sequence[str]) -> Said:
    return listed([_named(colour) for colour in colours])


def _start(colour: str) -> Said:
    """Name a colour where a sentence begins."""
    return said("Bare wood") if colour == "wood" else word(colour[:1].upper() + colour[1:])


def _named(colour: str) -> Said:
    return said("bare wood") if colour == "wood" else word(colour)

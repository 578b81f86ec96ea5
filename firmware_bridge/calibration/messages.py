"""The sentences that players see while a calibration is made or checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kernel.said import Said, joined, listed, said, said_n, word
from companion.ports.ring import RingEventKind

REFERENCE = {
    "black": said("Black card read."),
    "white": said("Shutter white read."),
    "dark": said("Room light read, lamp off."),
}
REFERENCES_TAKEN = said("All three readings done. Now the cubes: at least four different ones of each colour.")
BLIND = said("This ring reads its white by itself. Use at least four different cubes of each colour.")
WHITE_DAZZLED = said("The white dazzles the sensor. Dim the lamp, then read the white again.")
ROOM_TOO_BRIGHT = said("The room is too bright. Put the hood on or draw the curtains, then read white and dark again.")
WHITE_LIKE_BLACK = said(
    "White and black look alike. Black: card under the sensor. White: shutter closed. Read both again."
)

AT_THE_START = (
    *(said("Red"), said("Yellow"), said("Green"), said("Blue"), said("Black"), said("White")),
    *(said("Orange"), said("Purple"), said("Pink"), said("Grey"), said("Brown")),
)
LOOKS = (said("black"), said("white"), said("dark"))
"""Entries for the translation catalogues: capitalised colours, and references. `word` looks them up by their English
text.
"""

OTHER_RING = said("A different ring is connected. Reconnect the first one, or stop.")

NOT_WANTED = said("Not counted: no colour chosen.")
ODD = said("Not counted: something happened at the gate.")
NOT_COUNTED: Mapping[RingEventKind, Said] = {
    RingEventKind.PAIR: said("Not counted: two cubes at once. One at a time."),
    RingEventKind.BACK: said("Not counted: the cube went back. Slide it all the way out."),
    RingEventKind.POKE: said("Not counted: something touched the gate."),
    RingEventKind.GLITCH: said("Not counted: that didn't move like a cube."),
    RingEventKind.STUCK: said("Not counted: a cube was stuck in the gate. Slide it again."),
    **dict.fromkeys((RingEventKind.GATE, RingEventKind.LIFT, RingEventKind.FAULT), ODD),
    **dict.fromkeys((RingEventKind.BOOT, RingEventKind.LOOK), ODD),
}
"""Why an event at the gate does not count, for each kind of event except a cube that left."""
NO_REFERENCES = said("Not counted: no white reading. Close the gate before each cube.")
TOO_FAST = said("Not counted: too fast. Slide a little slower.")
UNSEEN = said("Not counted: the sensor was blind. Is a lamp or the sun dazzling it?")
WHITE_TOO_DARK = said("Not counted: the white is dark. Is the lamp on and the window clean?")

CHECK = said("Slide one cube of each colour, in any order.")
CHECKED = said("All colours read: the calibration fits.")
CHECK_REMEDY = said("wipe the window and the shutter's white; if that doesn't help, calibrate again")

REMEDY = said(
    "move the lamp or put the hood on and slide both again; or replace one colour's cubes; or leave one colour out"
)


def not_looked(why: str) -> Said:
    """Return the sentence for a reference that the device could not take."""
    return said("The ring couldn't read (%(why)s). Try again.", why=why)


def counted(colour: str, count: int, wanted: int) -> Said:
    """Return the sentence for a pass that counts.

    It includes the number wanted, unless that number is already exceeded.
    """
    if count > wanted:
        return said_n("%(colour)s: %(num)s slide.", "%(colour)s: %(num)s slides.", count, colour=_start(colour))
    return said("%(colour)s: %(count)s of %(wanted)s.", colour=_start(colour), count=count, wanted=wanted)


def forgotten(colour: str, left: int) -> Said:
    """Return the sentence after a pass of *colour* was removed. *left* is the number of its remaining passes."""
    if left:
        return said("Forgotten: %(left)s of %(colour)s left.", left=left, colour=_named(colour))
    return said("Forgotten: none of %(colour)s left.", colour=_named(colour))


def none_seen(colour: str) -> Said:
    """Return the sentence for a colour that has no passes, so none can be removed."""
    if colour:
        return said("No slide of %(colour)s yet.", colour=word(colour))
    return said("No slides yet.")


def next_colour(colour: str) -> Said:
    """Return the sentence for a change to the next colour."""
    return said("Next: %(colour)s.", colour=_named(colour))


def all_seen(few: Sequence[str]) -> Said:
    """Return the sentence after the last colour. *few* are the colours with fewer passes than wanted."""
    if few:
        return said("Still needed: %(colours)s.", colours=_listed(few))
    return said("All colours are in. Review them now.")


def enough(colour: str, most: int) -> Said:
    """Return the sentence for a colour that already has the largest number of passes that can be stored (*most*)."""
    return said("Not counted: %(most)s slides of %(colour)s are enough.", most=most, colour=_named(colour))


def looks_like(colour: str) -> Said:
    """Return the sentence for a pass that looks like *colour*, which is not the expected colour."""
    return said("This one looks like %(colour)s. Forget it?", colour=_named(colour))


def unlike(colour: str) -> Said:
    """Return the sentence for a pass unlike the earlier ones of its colour."""
    return said("This one is unlike other %(colour)s ones. Forget it?", colour=_named(colour))


def too_few(colour: str, count: int, least: int) -> Said:
    """Return the sentence for a colour with too few passes."""
    return said_n(
        "%(colour)s has %(num)s slide and needs %(least)s. Slide more, or forget it to leave the colour out.",
        "%(colour)s has %(num)s slides and needs %(least)s. Slide more, or forget them to leave the colour out.",
        count,
        colour=_start(colour),
        least=least,
    )


def too_close(one: str, other: str, distance: float, wanted: float) -> Said:
    """Return the sentence for two colours that are too similar, with advice."""
    return said(
        "%(colour)s and %(other)s look too much alike (%(distance)s of %(wanted)s): %(remedy)s.",
        colour=_start(one),
        other=_named(other),
        distance=round(distance, 1),
        wanted=f"{wanted:.0f}",
        remedy=REMEDY,
    )


def close(one: str, other: str) -> Said:
    """Return the sentence for two colours that are similar but distinguishable."""
    return said(
        "%(colour)s and %(other)s look alike, so expect a few questions. Better light helps.",
        colour=_start(one),
        other=_named(other),
    )


def review(confusion: Mapping[str, Mapping[str, int]], skipped: Sequence[str]) -> Said:
    """Return the sentence after a review: how many passes would be read correctly, and which colours were left out."""
    right = sum(read.get(colour, 0) for colour, read in confusion.items())
    passes = sum(sum(read.values()) for read in confusion.values())
    read = said("Checked against each other, %(right)s of %(passes)s slides are right.", right=right, passes=passes)
    if not skipped:
        return read
    out = said("Left out: %(colours)s. The tablet will ask about them.", colours=_listed(skipped))
    return joined(read, out)


def strange(colours: Sequence[str]) -> Said:
    """Return the sentence for colours of a check that the calibration does not have."""
    names = word(colours[0])
    for colour in colours[1:]:
        names = said("%(names)s and no %(name)s", names=names, name=word(colour))
    return said("The calibration lacks %(colours)s: calibrate this copy again.", colours=names)


def read_as(colour: str, missing: Sequence[str]) -> Said:
    """Return the sentence for a cube read in a check. *missing* are the colours still to come."""
    return said("Read as %(colour)s. Still to come: %(missing)s.", colour=_named(colour), missing=_listed(missing))


def read_again(colour: str) -> Said:
    """Return the sentence for a colour that was read again in a check."""
    return said("Read as %(colour)s once more. Was it another cube of that colour?", colour=_named(colour))


def foreign(colour: str) -> Said:
    """Return the sentence for a cube in a check whose colour is not in the game."""
    return said("Read as %(colour)s, which isn't in play.", colour=_named(colour))


def unsure(likeliest: str) -> Said:
    """Return the sentence for a cube in a check that was not read with certainty."""
    if likeliest:
        return said("Not sure; most like %(colour)s.", colour=_named(likeliest))
    return said("Not read at all.")


def not_sure(count: int) -> Said:
    """Return the sentence for a check with unsure readings, with advice."""
    return said_n(
        "The ring wasn't sure of one cube: %(remedy)s.",
        "The ring wasn't sure of %(num)s cubes: %(remedy)s.",
        count,
        remedy=CHECK_REMEDY,
    )


def misread(colour: str) -> Said:
    """Return the sentence for a check that read a colour that is not in the game, with advice."""
    return said(
        "A cube was read as %(colour)s, which isn't in play: %(remedy)s.", colour=_named(colour), remedy=CHECK_REMEDY
    )


def twice(colour: str) -> Said:
    """Return the sentence for a check that read a colour more than once, with advice."""
    return said(
        "%(colour)s was read more than once. If you didn't slide it twice: %(remedy)s.",
        colour=_start(colour),
        remedy=CHECK_REMEDY,
    )


def no_reference(name: str, known: Sequence[str]) -> Said:
    """Return the sentence for an unknown reference *name*."""
    return said(
        "%(name)s isn't a reference. Choose from: %(known)s.",
        name=repr(name),
        known=listed([word(each) for each in known]),
    )


def _listed(colours: Sequence[str]) -> Said:
    return listed([_named(colour) for colour in colours])


def _start(colour: str) -> Said:
    """Return the name of *colour* as the first word of a sentence."""
    return said("Bare wood") if colour == "wood" else word(colour[:1].upper() + colour[1:])


def _named(colour: str) -> Said:
    return said("bare wood") if colour == "wood" else word(colour)

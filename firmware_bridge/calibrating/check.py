"""The check before a game: one cube of each colour, in any order, read by the calibration in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.instrument import BadCalibration, Stage, Wizard
from companion.ringport import Judgement, Kind
from companion.saying import said
from firmware_bridge.calibrating import words

NEWEST = 60


@dataclass(frozen=True)
class Checking:
    """A check under way; *read* holds what each pass was read as, newest first, None for unsure."""

    copy: str
    colours: tuple[str, ...]
    read: tuple[str | None, ...] = ()
    last: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The colours that have not been read yet."""
        return tuple(colour for colour in self.colours if colour not in self.read)


def check_begun(copy: str, known: Sequence[str], colours: Sequence[str]) -> Checking:
    """Begin to check *colours* by a calibration that knows so many; BadCalibration when it lacks one."""
    wanted = tuple(dict.fromkeys(colours))
    if not wanted:
        raise BadCalibration(said("A check needs one colour at least."))
    strange = [colour for colour in wanted if colour not in known]
    if strange:
        raise BadCalibration(words.strange(strange))
    return Checking(copy, wanted, last=words.CHECK)


def checked(checking: Checking, kind: Kind, seen: Judgement) -> Checking:
    """Take what happened at the gate."""
    if kind is not Kind.OUT:
        return replace(checking, last=words.NOT_COUNTED.get(kind, words.ODD))
    again = seen.colour in checking.read
    new = replace(checking, read=(seen.colour, *checking.read)[:NEWEST])
    if seen.colour is None:
        likeliest = seen.ranking[0][0] if seen.ranking else ""
        return replace(new, last=words.unsure(likeliest))
    if seen.colour not in checking.colours:
        return replace(new, last=words.foreign(seen.colour))
    if again:
        return replace(new, last=words.read_again(seen.colour))
    return replace(new, last=words.CHECKED if not new.missing else words.read_as(seen.colour, new.missing))


def check_wizard(checking: Checking) -> Wizard:
    """Return *checking* as pages show it."""
    counts = {colour: checking.read.count(colour) for colour in checking.colours}
    return Wizard(
        stage=Stage.CHECK,
        copy=checking.copy,
        colours=checking.colours,
        counts=counts,
        wanted=1,
        least=1,
        read=checking.read,
        last=checking.last,
        trouble=_trouble(checking),
    )


def _trouble(checking: Checking) -> str:
    """Say what did not go well so far."""
    unsure = checking.read.count(None)
    foreign = next((read for read in checking.read if read is not None and read not in checking.colours), None)
    twice = next((colour for colour in checking.colours if checking.read.count(colour) > 1), None)
    if unsure:
        return words.not_sure(unsure)
    if foreign:
        return words.misread(foreign)
    return words.twice(twice) if twice else ""

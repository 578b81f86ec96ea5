"""The check before a game: one cube of each colour, in any order, read with the active calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.kernel.i18n import said
from companion.kernel.values import dataclass
from companion.ports.calibration import BadCalibration, Wizard, WizardStage
from companion.ports.ring import Judgement, RingEventKind
from firmware_bridge.calibration import messages

NEWEST = 60


@dataclass(frozen=True)
class Checking:
    """A check in progress. *read* holds the colour of each passage, newest first, None if unsure."""

    copy: str
    colours: tuple[str, ...]
    read: tuple[str | None, ...] = ()
    last: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The colours that have not been read yet."""
        return tuple(colour for colour in self.colours if colour not in self.read)


def check_begun(copy: str, known: Sequence[str], colours: Sequence[str]) -> Checking:
    """Begin a check of *colours*. Raise BadCalibration if the calibration does not have (*known*) one of them."""
    wanted = tuple(dict.fromkeys(colours))
    if not wanted:
        raise BadCalibration(said("A check needs at least one colour."))
    strange = [colour for colour in wanted if colour not in known]
    if strange:
        raise BadCalibration(messages.strange(strange))
    return Checking(copy, wanted, last=messages.CHECK)


def checked(checking: Checking, kind: RingEventKind, seen: Judgement) -> Checking:
    """Return *checking* after one more event at the gate."""
    if kind is not RingEventKind.OUT:
        return replace(checking, last=messages.NOT_COUNTED[kind])
    again = seen.colour in checking.read
    new = replace(checking, read=(seen.colour, *checking.read)[:NEWEST])
    if seen.colour is None:
        likeliest = seen.ranking[0][0] if seen.ranking else ""
        return replace(new, last=messages.unsure(likeliest))
    if seen.colour not in checking.colours:
        return replace(new, last=messages.foreign(seen.colour))
    if again:
        return replace(new, last=messages.read_again(seen.colour))
    return replace(new, last=messages.CHECKED if not new.missing else messages.read_as(seen.colour, new.missing))


def check_wizard(checking: Checking) -> Wizard:
    """Return *checking* as pages show it."""
    counts = {colour: checking.read.count(colour) for colour in checking.colours}
    return Wizard(
        stage=WizardStage.CHECK,
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
    """Return a sentence about what went wrong so far, or an empty string."""
    unsure = checking.read.count(None)
    foreign = next((read for read in checking.read if read is not None and read not in checking.colours), None)
    twice = next((colour for colour in checking.colours if checking.read.count(colour) > 1), None)
    if unsure:
        return messages.not_sure(unsure)
    if foreign:
        return messages.misread(foreign)
    return messages.twice(twice) if twice else ""

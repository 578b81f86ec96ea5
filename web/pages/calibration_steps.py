"""The wizard's state in words, for its pages: the next step, the progress by colour, and the result of the review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.ports.calibration import Near, Wizard
from web.http.formatting import listed, named
from web.http.i18n import _, ngettext

UNKNOWN = "unknown"
OTHERS = ("orange", "purple", "white", "wood")
FEW = 2  # colours that are named one by one in a sentence
ENOUGH = 6.0  # distance above which two colours need no warning

REFERENCES = {
    "black": (said("Black card"), said("Hold the black card still under the gate, where a cube would be.")),
    "white": (said("Closed shutter"), said("Take the card away and close the gate: its inside is the white.")),
    "dark": (said("Lamp off"), said("Keep the gate closed. The lamp goes off for a moment.")),
}


@dataclass(frozen=True)
class Tab:
    """A colour in the wizard: the number of its passes, and whether that is enough."""

    colour: str
    count: int
    enough: bool
    now: bool


@dataclass(frozen=True)
class StepVerdict:
    """The result of the review for one colour: how its passes are read with a calibration from all other passes."""

    colour: str
    right: int
    shown: int
    words: str


@dataclass(frozen=True)
class Pair:
    """Two similar colours. *share* is their distance in percent of `ENOUGH`, as the length of a bar."""

    near: Near
    share: float


def tabs(wizard: Wizard) -> tuple[Tab, ...]:
    """Return the colours, in order, with their counts."""
    return tuple(
        Tab(colour, count, count >= wizard.least, colour == wizard.colour)
        for colour in wizard.colours
        for count in (wizard.counts.get(colour, 0),)
    )


def missing(wizard: Wizard) -> str:
    """Return in words what is still needed before the review, or an empty text."""
    lacking = [(colour, wizard.least - wizard.counts.get(colour, 0)) for colour in wizard.colours]
    words = [_("%(num)s more %(colour)s", num=count, colour=named(colour)) for colour, count in lacking if count > 0]
    if len(words) > FEW:
        return _("at least %(least)s of each colour: %(num)s colours to go", least=wizard.least, num=len(words))
    return _("%(what)s to go", what=listed(words)) if words else ""


def following(wizard: Wizard) -> str:
    """Return the next colour that needs passes if the present colour has enough, otherwise an empty text."""
    if wizard.counts.get(wizard.colour, 0) < wizard.wanted:
        return ""
    return next((each for each in wizard.colours if wizard.counts.get(each, 0) < wizard.wanted), "")


def verdicts(wizard: Wizard) -> tuple[StepVerdict, ...]:
    """Return the result of the review for each colour, in words and numbers."""
    return tuple(_verdict(colour, wizard.confusion.get(colour, {})) for colour in wizard.colours)


def _verdict(colour: str, read: Mapping[str, int]) -> StepVerdict:
    shown, right = sum(read.values()), read.get(colour, 0)
    others = {each: count for each, count in read.items() if each != colour and count}
    said = [_read_as(each, count) for each, count in others.items()]
    words = listed(said) if said else _("all %(num)s right", num=shown) if shown else _("left out")
    return StepVerdict(colour, right, shown, words)


def _read_as(colour: str, count: int) -> str:
    if colour == UNKNOWN:
        return _("%(num)s unsure", num=count)
    return _("%(num)s as %(colour)s", num=count, colour=named(colour))


def pairs(near: Sequence[Near]) -> tuple[Pair, ...]:
    """Return the pairs of similar colours with their bars."""
    return tuple(Pair(each, round(100 * min(each.distance / ENOUGH, 1.0), 1)) for each in near)


def hindrance(wizard: Wizard) -> str:
    """Return why the calibration can't be finished, or "" if it can. The page adds advice for similar colours."""
    close = [listed((named(each.one), named(each.other))) for each in wizard.near if each.refused]
    return _("%(colours)s look too much alike.", colours=listed(close)) if close else wizard.trouble


def ticked(wizard: Wizard) -> tuple[tuple[str, bool], ...]:
    """Return each colour of a check, and whether a cube was read as that colour."""
    return tuple((colour, colour in wizard.read) for colour in wizard.colours)


def checked(wizard: Wizard) -> str:
    """Return the progress of a check in a sentence."""
    left = [colour for colour, seen in ticked(wizard) if not seen]
    unsure = sum(colour is None for colour in wizard.read)
    come = _("Still to come: %(colours)s.", colours=listed(map(named, left))) if left else _("All colours read.")
    lost = ngettext("%(num)s cube wasn't recognised.", "%(num)s cubes weren't recognised.", unsure) if unsure else ""
    return f"{come} {lost}".rstrip()

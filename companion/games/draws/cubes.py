"""Counts of cubes by colour: as a field of a line, added, summed, drawn by lot and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Annotated, Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, is_label, shown, whole
from companion.kernel.said import Said, said, series, word
from companion.model.parser import Form, Known
from companion.model.tellings import Occurrence

Cubes = tuple[tuple[str, int], ...]
"""The number of cubes of each colour. Each colour occurs once. In a line, this is a JSON object."""
Counts = Mapping[str, int]

MOST = 999
MOST_COLOURS = 12
LONGEST_COLOUR = 20


def counts_from(value: object, where: str, least: int = 0) -> dict[str, int]:
    """Parse *value* as counts by colour, each from *least* to 999. The order of colours is preserved.

    Raises `Malformed` for anything else, or for more than twelve colours.

    >>> counts_from({"red": 2, "blue": 0}, "contents")
    {'red': 2, 'blue': 0}
    """
    left = Fields(value, where).rest()
    if len(left) > MOST_COLOURS:
        raise Malformed(
            said(
                "%(where)s may have up to %(most)s colours, not %(count)s",
                where=where,
                most=MOST_COLOURS,
                count=len(left),
            )
        )
    return {colour_from(name, where): whole(count, f"{where}.{name}", least, MOST) for name, count in left.items()}


def colour_from(value: object, where: str) -> str:
    """Return *value* if it can be the name of a colour, or raise `Malformed`."""
    if not is_label(value, LONGEST_COLOUR):
        raise Malformed(
            said("%(where)s: a colour must be text of 1 to %(most)s characters", where=where, most=LONGEST_COLOUR)
        )
    return value


def some(fields: Fields, name: str) -> Cubes:
    """Read at least one cube from field *name*, or raise `Malformed`."""
    cubes = tuple(counts_from(fields.take(name), fields.where(name), 1).items())
    if not cubes:
        raise Malformed(said("%(where)s must have at least one cube, not %(given)s", where=name, given=shown({})))
    return cubes


class Handful(Form):
    """The field form for at least one cube, by colour. Example: ``{"red": 2, "blue": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Read the cubes from field *name*."""
        return some(fields, name)

    def write(self, line: dict[str, Any], name: str, value: Cubes) -> None:
        """Write the cubes to field *name*."""
        line[name] = dict(value)


class OneCubeOrMore(Handful):
    """Cubes that came out together: one cube as ``"colour": "red"``, several as ``"cubes": {"red": 2}``."""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Read the cubes from field *name* if the line has it, otherwise one cube from `colour`."""
        return some(fields, name) if fields.has(name) else ((colour_from(fields.take("colour"), "colour"), 1),)

    def write(self, line: dict[str, Any], name: str, value: Cubes) -> None:
        """Write a single cube to `colour`, and several to field *name*."""
        if len(value) == 1 and value[0][1] == 1:
            line["colour"] = value[0][0]
        else:
            super().write(line, name, value)


Cubed = Annotated[Cubes, Handful()]


def total(cubes: Cubes) -> int:
    """Return the number of cubes of all colours."""
    return sum([count for _, count in cubes])


def added(counts: Counts, cubes: Cubes, sign: int = 1) -> dict[str, int]:
    """Return *counts* plus *cubes*, or *counts* minus *cubes* if *sign* is -1.

    >>> added({"red": 2}, (("red", 1), ("blue", 1)))
    {'red': 3, 'blue': 1}
    """
    after = dict(counts)
    for colour, count in cubes:
        after[colour] = after.get(colour, 0) + sign * count
    return after


def has(there: Counts, cubes: Cubes) -> bool:
    """Return whether *cubes* are among those *there*."""
    return all(there.get(colour, 0) >= count for colour, count in cubes)


def not_none(counts: Counts) -> Cubes:
    """Return the colours that have at least one cube, with their counts."""
    return tuple([(colour, count) for colour, count in counts.items() if count])


def joint(parts: Iterable[Counts], colours: Iterable[str]) -> dict[str, int]:
    """Return the sum of all *parts* for each of *colours*."""
    known = tuple(parts)
    return {colour: sum(part.get(colour, 0) for part in known) for colour in colours}


def by_lot(there: Counts, lots: Random, most: int) -> Cubes:
    """Choose up to *most* cubes at random. Return none if nothing is *there*."""
    bag = [colour for colour, count in not_none(there) for _ in range(count)]
    out = lots.sample(bag, min(len(bag), lots.randint(1, most)))
    return tuple((colour, out.count(colour)) for colour in dict.fromkeys(out))


def named(cubes: Cubes) -> Said:
    """Return *cubes* in words: "2 red and 1 blue"."""
    return series([said("%(num)s %(colour)s", num=count, colour=word(colour)) for colour, count in cubes])


def cubes_of(what: Occurrence) -> Said:
    """Return the cubes of an event or line in words. A line without cubes means all of them."""
    if "colour" in what.fields:
        return word(what.fields["colour"])
    return named(not_none(dict(what.fields["cubes"]))) if "cubes" in what.fields else said("all")


def by_whom(name: Said, nobody: Said) -> Callable[[Occurrence], Said]:
    """Return a sentence about *cubes* that a player moved: the pattern with a *name*, or the one for *nobody*."""

    def sentence(what: Occurrence) -> Said:
        who, cubes = whose(what), cubes_of(what)
        return Said(name.pattern, {"name": who, "cubes": cubes}) if who else Said(nobody.pattern, {"cubes": cubes})

    return sentence


def whose(what: Occurrence, otherwise: str = "") -> str:
    """Return the name of the player of an event or line, or else of the seat *otherwise*; "" for no player."""
    return what.names.get(what.fields.get("player", otherwise), "")

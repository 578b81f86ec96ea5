"""Counts of cubes by colour: parsing, adding and summing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, is_label, shown, whole
from companion.kernel.said import said

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


def not_none(counts: Counts) -> Cubes:
    """Return the colours that have at least one cube, with their counts."""
    return tuple([(colour, count) for colour, count in counts.items() if count])


def joint(parts: Iterable[Counts], colours: Iterable[str]) -> dict[str, int]:
    """Return the sum of all *parts* for each of *colours*."""
    known = tuple(parts)
    return {colour: sum(part.get(colour, 0) for part in known) for colour in colours}

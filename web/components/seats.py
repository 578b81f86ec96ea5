"""Who sits at a new game: the rows of its form, and the seats of its header; games with more to ask add to both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said, word
from companion.kernel.names import LONGEST_TYPED, name_from, same_person
from companion.kernel.validation import Line
from web.http.formatting import named


@dataclass(frozen=True)
class SeatField:
    """One row of the form: a place at the table, as it was typed."""

    number: int
    name: str
    colour: str
    first: bool


def seat_field(form: Mapping[str, str], at: int, colours: Sequence[str], first: int) -> SeatField:
    """Return the row of seat *at*; seat *first* begins."""
    return SeatField(at, form.get(f"name{at}", ""), colour_of(form, at, colours), at == first)


def seat(form: Mapping[str, str], at: int, colour: str, colours: Collection[str]) -> dict[str, str]:
    """Return seat *at* as a header writes it, or raise `Malformed`; a name left blank becomes the colour's."""
    typed = form.get(f"name{at}", "").strip() or named(colour).capitalize()
    if colour not in colours:
        raise Malformed(
            said("Seat %(at)s: choose %(colours)s.", at=at, colours=", ".join(map(named, colours))), f"colour{at}"
        )
    try:
        return {"colour": colour, "name": name_from(typed, LONGEST_TYPED)}
    except Malformed as fault:
        raise Malformed(said("Seat %(at)s: %(why)s", at=at, why=fault.reason), f"name{at}") from None


def colour_of(form: Mapping[str, str], at: int, colours: Sequence[str]) -> str:
    """Return the colour that was chosen for seat *at*, else the one that stands there."""
    return form.get(f"colour{at}", colours[at - 1])


def check_seats(seats: Sequence[Mapping[str, str]]) -> None:
    """Raise `Malformed` where two seats have one colour, or one name."""
    for at, seat in enumerate(seats):
        for other in seats[:at]:
            _check_apart(other, seat, at + 1)


def players_in(form: Mapping[str, str], counts: Collection[int], usual: int) -> int:
    """Return how many of *counts* play."""
    return int(form["players"]) if form.get("players") in {str(count) for count in counts} else usual


def first_of(form: Mapping[str, str], players: int, usual: int = 1) -> int:
    """Return the seat that begins, by its number."""
    wanted = form.get("first", "")
    return int(wanted) if wanted in {str(at) for at in range(1, players + 1)} else usual


def seated(players: Sequence[Line], first: str, colours: Sequence[str], most: int) -> dict[str, str]:
    """Return the fields that give *players*, *first* the colour that begins; free places get colours of their own."""
    form = {"players": str(len(players))}
    for at, player in enumerate(players, 1):
        form |= {f"name{at}": player["name"], f"colour{at}": player["colour"]}
        if player["colour"] == first:
            form["first"] = str(at)
    unused = [colour for colour in colours if colour not in form.values()]
    return form | {f"colour{at}": colour for at, colour in enumerate(unused, len(players) + 1) if at <= most}


def _check_apart(one: Mapping[str, str], other: Mapping[str, str], at: int) -> None:
    if one["colour"] == other["colour"]:
        colour = word(one["colour"])
        raise Malformed(
            said(
                "%(one)s and %(other)s both have %(colour)s. Change one.",
                one=one["name"],
                other=other["name"],
                colour=colour,
            ),
            f"colour{at}",
        )
    if same_person(one["name"]) == same_person(other["name"]):
        raise Malformed(said("Two players are called %(name)s. Change one name.", name=one["name"]), f"name{at}")

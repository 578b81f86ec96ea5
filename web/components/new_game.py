"""The new-game page for every game: seats, first player, house rules ("rulings"), and the game's own fields.

All values are in the URL, so they aren't lost if one of them is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.names import LONGEST_TYPED, TYPED_UNITS, name_from, same_person
from companion.kernel.said import said, word
from companion.model.header import HeaderFields, Ruling, word_of
from companion.records import RECORD, VERSION
from web.http.formatting import named
from web.request.game_pages import Form, Scene

A_NEW_GAME, START = said("A new game"), said("Start game")
AS_IT_IS, BLANK = said("You can leave all this as it is."), said("Blank names use the colour.")
IN_A_ROW = 5
"""Largest number of colours that are shown next to a name.

If there are more, a tap on the seat's token chooses the next colour.
"""


@dataclass(frozen=True)
class SeatField:
    """One row of the form: a seat with its name and colour as entered."""

    number: int
    name: str
    colour: str
    first: bool


def _nothing(*_: object) -> Line:
    return {}


@dataclass(frozen=True)
class OwnFields:
    """A game's own fields besides seats and rulings.

    - *template*: has macros for places on the page: `top` comes first, `in_row` is in the row of a seat, `below` is
      under all rows, `folds` come before the house rules.
    - *facts*: returns the context of these macros; it may also set *aside*, *foot* and *ready* (whether the form is
      complete).
    - *header*: returns the fields that the form adds to a header; *player*: returns those that it adds to a seat with a
      player. Both raise `Malformed` for wrong values.
    - *form*: returns the form fields for the game's own part of a header.
    """

    template: str = ""
    facts: Callable[[Form, int], Mapping[str, Any]] = _nothing
    header: Callable[[Form, int], Line] = _nothing
    player: Callable[[Form, int, str], Line] = _nothing
    form: Callable[[Line], Mapping[str, str]] = _nothing


@dataclass(frozen=True)
class NewGame:
    """The new-game page of a game: its declared *fields*, the texts on the page, and the game's own fields.

    - *colours*: the possible colours of seats; *usual*: the default number of players; *usual_first*: the default first
      player.
    - *aside*: the text about the game in the bar; *heading*: the question above the seats; *order*: the meaning of
      their order.
    - *begins*: the label of the first player; *begin*: the text of the button.
    - *note*: a remark below the seats; if the game can have no players, it is shown only then. *foot*: a remark next to
      the button.
    - *copy_of*: the part that differs between copies of the game, `board` or `cards`. If it is empty, the page has no
      list of copies.
    - *layout* and *styles*: a class of the page, and its style sheets.
    """

    fields: HeaderFields
    colours: tuple[str, ...]
    usual: int
    aside: str = ""
    heading: str = ""
    order: str = ""
    begins: str = ""
    usual_first: int = 1
    title: str = A_NEW_GAME
    begin: str = START
    foot: str = AS_IT_IS
    note: str = BLANK
    copy_of: str = ""
    layout: str = "new"
    styles: tuple[str, ...] = ()
    own: OwnFields = OwnFields()

    def scene(self, form: Form) -> Scene:
        """Return the page with the values entered so far."""
        players = self._players(form)
        first, colours = self._first(form, players), self._colours(form, players)
        chosen = tuple((ruling, _chosen(form, ruling)) for ruling in self.fields.rulings)
        facts = {
            "setting": self,
            "players": players,
            "seats": tuple(
                SeatField(at, form.get(f"name{at}", ""), colour, at == first) for at, colour in enumerate(colours, 1)
            ),
            "rulings": chosen,
            "changed": sum(word != ruling.usual for ruling, word in chosen),
            "longest_name": TYPED_UNITS,
            "aside": self.aside,
            "foot": self.foot,
            "ready": True,
        }
        return Scene("new_game.html", {**facts, **self.own.facts(form, players)})

    def header(self, form: Form) -> Line:
        """Return the record header for *form*, or raise `Malformed`."""
        players = self._players(form)
        colours = self._colours(form, players)[:players]
        seats = [self._seat(form, at, colour) for at, colour in enumerate(colours, 1)]
        check_seats(seats)
        header: dict[str, Any] = {"record": RECORD, "version": VERSION, "game": self.fields.game, "players": seats}
        if self.fields.first:
            header[self.fields.first] = seats[self._first(form, players) - 1]["colour"]
        chosen = ((ruling, _chosen(form, ruling)) for ruling in self.fields.rulings)
        if options := {ruling.name: ruling.written(word) for ruling, word in chosen if word != ruling.usual}:
            header["options"] = options
        return {**header, **self.own.header(form, players)}

    def filled(self, header: Line) -> dict[str, str]:
        """Return the form fields for *header*. A game that is begun with them has the same players and rules."""
        players = header["players"]
        form = {"game": self.fields.game, "players": str(len(players))}
        for at, player in enumerate(players, 1):
            form |= {f"name{at}": player["name"], f"colour{at}": player["colour"]}
            if player["colour"] == header.get(self.fields.first):
                form["first"] = str(at)
        free = [colour for colour in self.colours if colour not in form.values()][: self.most - len(players)]
        form |= {f"colour{at}": colour for at, colour in enumerate(free, len(players) + 1)}
        form |= {name: word_of(value) for name, value in header.get("options", {}).items()}
        return {**form, **self.own.form(header)}

    @property
    def most(self) -> int:
        """The number of seats in the form."""
        return max(self.fields.counts)

    @property
    def taps_colours(self) -> bool:
        """Whether a tap on a seat's token chooses the next colour."""
        return len(self.colours) > IN_A_ROW

    def _players(self, form: Form) -> int:
        known = {str(count): count for count in self.fields.counts}
        return known.get(form.get("players", ""), self.usual)

    def _first(self, form: Form, players: int) -> int:
        wanted = form.get("first", "")
        return int(wanted) if wanted in {str(at) for at in range(1, players + 1)} else self.usual_first

    def _seat(self, form: Form, at: int, colour: str) -> Line:
        player = seat(form, at, colour, self.colours)
        return {**player, **self.own.player(form, at, player["name"])}

    def _colours(self, form: Form, players: int) -> tuple[str, ...]:
        """Return the colour of each seat: the chosen colour, or the default if none was chosen."""
        if self.taps_colours:
            return painted(form, self.colours, self.most, players)
        return tuple(form.get(f"colour{at}", self.colours[at - 1]) for at in range(1, self.most + 1))


def _chosen(form: Form, ruling: Ruling) -> str:
    word = form.get(ruling.name, ruling.usual)
    return word if word in ruling.words else ruling.usual


def seat(form: Form, at: int, colour: str, colours: Collection[str]) -> dict[str, str]:
    """Return seat number *at* as a header has it, or raise `Malformed`.

    A blank name is replaced by the colour's name.
    """
    typed = form.get(f"name{at}", "").strip() or named(colour).capitalize()
    if colour not in colours:
        raise Malformed(
            said("Seat %(at)s: choose %(colours)s.", at=at, colours=", ".join(map(named, colours))), f"colour{at}"
        )
    try:
        return {"colour": colour, "name": name_from(typed, LONGEST_TYPED)}
    except Malformed as fault:
        raise Malformed(said("Seat %(at)s: %(why)s", at=at, why=fault.reason), f"name{at}") from None


def check_seats(seats: Sequence[Line]) -> None:
    """Raise `Malformed` if two seats have the same colour or the same name."""
    for at, seat in enumerate(seats):
        for other in seats[:at]:
            _check_apart(other, seat, at + 1)


def _check_apart(one: Line, other: Line, at: int) -> None:
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


def painted(form: Form, colours: Sequence[str], most: int, players: int) -> tuple[str, ...]:
    """Return different colours for *most* seats, after the tap in *form* if there is one."""
    paints = _all_different([form.get(f"colour{at}", "") for at in range(1, most + 1)], colours)
    tapped = form.get("paint", "")
    if tapped not in {str(at) for at in range(1, most + 1)}:
        return paints
    own = paints[int(tapped) - 1]
    after, seated = colours.index(own) + 1, paints[:players]
    new = next(each for each in (*colours[after:], *colours[:after]) if each not in seated)
    # An unused seat may lose its colour.
    return _all_different([new if each == own else "" if each == new else each for each in paints], colours)


def _all_different(wanted: Sequence[str], colours: Sequence[str]) -> tuple[str, ...]:
    """Return *wanted*, with repeated or unknown colours replaced by unused ones."""
    free = [colour for colour in colours if colour not in wanted]
    taken: list[str] = []
    for colour in wanted:
        taken.append(colour if colour in colours and colour not in taken else free.pop(0))
    return tuple(taken)

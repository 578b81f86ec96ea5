"""The page for corrections of every game: its players, the fields that it declares, and its own section."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.kernel.fields import Line
from companion.model.corrections import Choice, Count, Group, Path, Way, line_for
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, Status
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.legality import JudgedLine, taken
from web.components.players import faces
from web.request.game_pages import Look, Scene

FIVE = 5
Judge = Callable[[Snapshot, Viewer, Line], JudgedLine]
Part = Callable[[Look, str], Scene]
"""Returns the game's own section for a player's colour: a template to include, and its context."""


@dataclass(frozen=True)
class Tap:
    """The effect of a tap: it sends *line*, or opens the page at *address*, where the rules check the line.

    *reason* says why the line is refused.
    """

    line: Line | None = None
    address: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Dial:
    """A count with a button for each possible step. *reason* says why the requested step is refused."""

    count: Count
    value: int
    steps: Mapping[int, Tap]
    reason: str

    @property
    def shows(self) -> bool:
        """Whether the count is above its minimum or can be raised."""
        return self.value > self.count.least or not self.steps.get(1, Tap(reason="full")).reason

    @property
    def printed(self) -> int:
        """The number that the board prints for this count."""
        return self.count.printed[self.value] if self.count.printed else self.value


@dataclass(frozen=True)
class Pick:
    """A choice.

    While it is *open*, it shows its *ways*: the values, each with its tap and whether it is the present one.
    """

    choice: Choice
    address: str
    open: bool
    ways: tuple[tuple[Way, Tap, bool], ...]


@dataclass(frozen=True)
class Section:
    """A group of declared fields with their present values, or without a group the game's own section."""

    group: Group | None = None
    held: int | None = None
    dials: tuple[Dial, ...] = ()
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True)
class CorrectionPage:
    """A game's page for corrections.

    - *frame*: the template that every page of the game extends; *styles*: more style sheets, for the game's own part.
    - *sections*: groups of declared fields, and the game's own section. That section is shown alone if its context says
      so.
    - *judge*: returns what a viewer may know about a line.
    """

    frame: str
    sections: tuple[Group | Part, ...]
    judge: Judge
    styles: tuple[str, ...] = ()

    def scene(self, look: Look, usual: str, bar: PlayBar) -> Scene:
        """Return the page for the player in the query, or for *usual* if there is none.

        If no group belongs to a player, the page asks for none, and *usual* is "".
        """
        look = look.of_the_table
        assert look.snapshot.game is not None, "corrections belong to a game"
        known = faces(look.snapshot.game.seats(look.state))
        seat = look.query.get("seat", "") if look.query.get("seat") in known else usual
        asks_whose = any(not isinstance(each, Group) or not each.shared for each in self.sections)
        parts = tuple(each for each in self.sections if not isinstance(each, Group))
        own = parts[0](look, seat) if parts else Scene("")
        wanted = parts if own.context.get("alone") else self.sections
        sections = (self._section(look, seat, each) if isinstance(each, Group) else Section() for each in wanted)
        context = {
            "own_page": self,
            "own_part": own.template,
            "may_play": look.may_act and look.snapshot.status in (Status.LIVE, Status.FINISHED),
            "face": known[seat] if asks_whose else None,
            "tabs": tuple(
                (face, to("correct", seat=face.colour, at=look.query.get("at")))
                for face in known.values()
                if asks_whose
            ),
            "start_over": to("correct", seat=seat),
            "sections": (Section(),)
            if own.context.get("alone")
            else tuple(each for each in sections if each.held != 0),
        }
        return Scene("correct.html", {**context, **own.context}, bar)

    def _section(self, look: Look, seat: str, group: Group) -> Section:
        seat = "" if group.shared else seat
        held = None if group.held is None else group.held(look.state, seat)
        dials = (self._dial(look, seat, each) for each in group.fields if isinstance(each, Count))
        choices = tuple(each for each in group.fields if isinstance(each, Choice))
        picks = tuple(self._pick(look, seat, each, len(choices) == 1) for each in choices)
        return Section(group, held, tuple(dial for dial in dials if held is None or dial.shows), picks)

    def _dial(self, look: Look, seat: str, count: Count) -> Dial:
        value = count.now(look.state, seat)
        values = {step: value + step for step in ((-FIVE, -1, 1, FIVE) if count.by_fives else (-1, 1))}
        steps = {
            step: self._tap(look, seat, count, wanted)
            for step, wanted in values.items()
            if count.least <= wanted <= count.most
        }
        asked = (tap.reason for step, tap in steps.items() if _asked(look, count.path, values[step]))
        return Dial(count, value, steps, next(asked, ""))

    def _pick(self, look: Look, seat: str, choice: Choice, alone: bool) -> Pick:
        name = choice.path[-1]
        opened = alone or look.query.get("kind") == name
        now = None if choice.now is None else choice.now(look.state, seat)
        ways = ((way, self._tap(look, seat, choice, way.value), way.value == now) for way in choice.ways)
        return Pick(choice, to("correct", seat=seat, kind=name), opened, tuple(ways) if opened else ())

    def _tap(self, look: Look, seat: str, field: Count | Choice, value: object) -> Tap:
        line, path = line_for(field, look.state, seat, value), field.path
        known = self.judge(look.snapshot, look.viewer, line)
        if known.sure:
            return Tap(line, reason=known.reason)
        if _asked(look, path, value):
            return Tap(line, reason=taken(look.snapshot, line))
        return Tap(address=to("correct", seat=seat, kind=look.query.get("kind"), **{path[-1]: value}))


def _asked(look: Look, path: Path, value: object) -> bool:
    return look.query.get(path[-1]) == str(value)

"""What a game may ask of the house beside being played: a ring, boards, a console, a voice, answers, simulation.

A game says which of them it wants by its fields (`Game.ring`, `Game.reveal`
and so on): None for what it knows nothing of. Nothing here is asked of a game
that has said so.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol, TypeVar

from companion.kernel.i18n import Said, said
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.facts import Fact, FactRow
from companion.model.speech import Utterance
from companion.ports.console import Shape

State = TypeVar("State", contravariant=True)
Draw = TypeVar("Draw", covariant=True)
Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Wanted:
    """A draw from the ring that the game waits for.

    *seat* ("": whoever likes) holds the ring over *place*; *under* counts the stations beneath it
    by colour; *left* is how many may still come out.
    """

    seat: str
    place: str
    under: Mapping[str, int]
    left: int


@dataclass(frozen=True)
class RingWords:
    """How a table speaks of a passage that is no draw: what came out, and what becomes of it.

    The first three fill the gap `%(station)s` of the sentences below them.
    """

    one: Said = said("A station")
    coloured: Said = said("One %(colour)s station", colour="")
    pair: Said = said("A pair of stations")
    practice: Said = said("%(station)s left the ring outside an attempt: practice.", station="")
    surplus: Said = said("%(station)s came out after the last draw. Put it back under the ring.", station="")
    late: Said = said("%(station)s came in late, after you typed draws in. Is it one of those?", station="")
    changed: Said = said("%(station)s left the ring, but the attempt has changed. What was it?", station="")


class RingDraws(Protocol[State, Draw]):
    """A game whose stations are drawn from a ring that counts them, and lie there as a closed set."""

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the stations in most boxes of the game."""

    @property
    def arrived(self) -> str:
        """The table's words for yes, a station came to such a place from where stations come from."""

    @property
    def words(self) -> RingWords:
        """How it speaks of what leaves the ring and is no draw."""

    def out(self, line: Line) -> tuple[str, ...]:
        """Return the colours of the stations that left the ring by *line*, none for one that is no draw."""

    def may_draw(self, state: State) -> bool:
        """Tell whether the companion itself may draw at this table, where there is no ring."""

    def went_back(self, line: Line) -> bool:
        """Tell whether a station of the draw *line* is under the ring again, which only the table saw."""

    def in_play(self, state: State) -> tuple[str, ...]:
        """Return the colours that may leave the ring in this game: those that it should have learnt."""

    def wanted(self, state: State) -> Wanted | None:
        """Return the draw that is wanted from the ring, or None."""

    def draw(self, colour: str) -> Draw:
        """Return the command by which one station of *colour* left the ring: nothing is left to chance in it."""

    def two_out(self, state: State, colours: tuple[str, str]) -> Line:
        """Return the line by which two stations left the ring at once (lots still to be cast)."""

    def label(self, state: State, place: str) -> str:
        """Return the table's word for a *place* that draws are made from."""

    def stations(self, state: State, place: str) -> Mapping[str, int]:
        """Count what must lie at a *place* that draws are made from, by colour in seat order, noughts included.

        Nothing at all where the table is not asked to agree to what is left once no draw is wanted any more.
        """

    def redrawn(self, state: State, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        """Return the lines that repair a draw of an attempt of *seat* at *place* which is over.

        *drawn* lies there after all (empty: nothing was drawn), and *really*
        has left instead (empty: nothing has).
        """


@dataclass(frozen=True)
class Fallen:
    """What lay in a tower, by colour, once cubes were thrown into it, and what has come out since, cube by cube."""

    under: Mapping[str, int]
    out: tuple[str, ...]


class OpenDraws(Protocol[State]):
    """A game that draws from bags and through towers too: what came out there by hand belongs to no ring."""

    def fallen(self, before: State, line: Line) -> Fallen | None:
        """Return the throw that *line* puts an end to, None where it ends none."""

    def falling(self, state: State) -> Fallen | None:
        """Return the throw that nothing has put an end to yet."""


class SimultaneousReveal(Protocol[State]):
    """A game in which several lay something face down, and all turn over together."""

    def together(self, state: State) -> tuple[str, ...]:
        """Return the seats that still lay something face down, to be turned over by all at once."""

    def face_down(self, state: State, seat: str) -> Line:
        """Return the line by which *seat* lays something that nobody names."""

    def turning(self, state: State) -> tuple[str, ...]:
        """Return the seats that turn over together, in seat order, while three, two, one is counted."""

    def turned_over(self, before: State, after: State) -> bool:
        """Tell whether what lay face down *before* lies open *after*."""


@dataclass(frozen=True)
class Viewer:
    """Who looks: a seat, everybody at once (*seat* is None), or the owner of the file.

    *owner* sees everything; it is for records, exports and the end of a game,
    never for a page on the table.
    """

    seat: str | None = None
    owner: bool = False


class Secrets(Protocol[Seen]):
    """A game in which something is hidden from some viewers, and what each of them may see.

    *step* is the step that the table's clock shows (`Countdown.step`), empty where no clock tells. Both functions are
    asked by `companion.session.hidden` alone, and every output goes through that.
    """

    def state(self, state: Seen, viewer: Viewer, step: str) -> Seen:
        """Return *state* with everything that *viewer* may not see replaced by what the whole table knows."""

    def line(self, state: Seen, line: Line, viewer: Viewer, step: str, undone: bool) -> Line:
        """Return *line* of a game that is now in *state*, without what *viewer* may not see; *undone*: taken back."""


class PrintedBoard(Protocol):
    """A game whose copies differ in what is printed on their boards, or in what lies in their boxes."""

    def of(self, header: Line) -> Line | None:
        """Return what *header* says of its copy, None for the usual one."""

    def checked(self, value: object) -> Line:
        """Return *value* as a header writes the board of a copy, or raise `Malformed`."""

    def invented(self, header: Line) -> bool:
        """Tell whether the points of a game with this *header* come from values that we made up as an example."""

    def learnt(self, board: Line | None, line: Line) -> Line | None:
        """Return *board* with what a header or a line of a game with this copy tells of it; most tell nothing."""


class ConsoleUse(Protocol[State]):
    """A game that can be played by the buttons and lamps of a console."""

    @property
    def lamps(self) -> Mapping[str, Shape]:
        """How the lamp shines in each step, by the step's name; in all others steadily."""

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line that the button before *seat* means now, or the next button (None); None for nothing.

        The line may still be refused; what is easily regretted takes a button
        that is *held*.
        """


class Speech(Protocol[State]):
    """A game that says aloud what happens in it; what lies face down it never names, whoever hears."""

    def turn(self, state: State) -> Utterance | None:
        """Return whose turn it is, None where nobody in particular is waited for."""

    def uttered(self, before: State, event: Any) -> tuple[Utterance, ...]:
        """Return what is said of *event*, which happened in *before*."""


class Facts(Protocol[State]):
    """A game that answers questions in words, and nobody about what they may not see.

    Who asks is a *seat*, or everybody at once (None).
    """

    def known(self, state: State) -> tuple[Fact, ...]:
        """Return what can be asked beside turn and score: the same throughout a game, since each has its own key."""

    def points(self, state: State, seat: str | None) -> Mapping[str, int]:
        """Return everybody's points by colour in seat order, as far as *seat* may know them."""

    def answer(self, state: State, word: str, seat: str | None) -> tuple[Said, ...]:
        """Return what is to be said of the fact called *word*.

        Of `turn`, what is asked of whom while the game goes on; of `score`,
        what has to be said beside the points.
        """

    def sides(self, state: State) -> tuple[FactRow, ...]:
        """Return the rows of the small table of what everybody has, as anybody may know it; none for no table."""


class LuckModel(Protocol[State]):
    """A game in which chance decides on record, and a static evaluator of it: pure, fast, the same for everybody.

    It sees what everybody at the table may see, and nothing that is hidden from one of them.
    """

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return each line that chance might have given instead of *line*, that one too, with its probability.

        Nothing where chance decides nothing. Each can be played in *state*, and the probabilities add up to one.
        """

    def worth(self, state: State) -> Mapping[str, float]:
        """Return the result that each seat may expect, by colour in seat order; once it is over, the result itself."""


class RandomPlay(Protocol):
    """A game that can be played at random, and what must hold after every event of it."""

    @property
    def players(self) -> tuple[int, ...]:
        """How many may play."""

    def header(self, players: int, lots: Random, any_rulings: bool) -> Line:
        """Return the game's part of a record header."""

    def command(self, state: Any, lots: Random) -> Any:
        """Return a legal command."""

    def broken(self, state: Any) -> tuple[str, ...]:
        """Return a sentence for every invariant that *state* breaks."""

    def rounds(self, state: Any) -> int:
        """Return in which round *state* is, from 1 on."""

"""Optional capabilities of a game: ring, hidden cards, boards, console, speech, questions, luck, simulation.

A game provides them by its fields (`Game.ring`, `Game.reveal` and so on). A field is None for a capability that the
game doesn't have; its methods are then never called.
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

    *seat* (empty: any) holds the ring over *place*; *under* counts the stations beneath it by colour; *left* is how
    many may still come out.
    """

    seat: str
    place: str
    under: Mapping[str, int]
    left: int


@dataclass(frozen=True)
class RingWords:
    """Sentences about a passage that wasn't a draw: what came out, and what happens with it.

    One of the first three fields fills the gap `%(station)s` in the others.
    """

    one: Said = said("A station")
    coloured: Said = said("One %(colour)s station", colour="")
    pair: Said = said("A pair of stations")
    practice: Said = said("%(station)s left the ring outside an attempt: practice.", station="")
    surplus: Said = said("%(station)s came out after the last draw. Put it back under the ring.", station="")
    late: Said = said("%(station)s came in late, after you typed draws in. Is it one of those?", station="")
    changed: Said = said("%(station)s left the ring, but the attempt has changed. What was it?", station="")


class RingDraws(Protocol[State, Draw]):
    """A game with stations that are drawn from a ring, which counts them; the stations under it are a closed set."""

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the stations in most boxes of the game."""

    @property
    def arrived(self) -> str:
        """The button text for: yes, a station arrived at that place from elsewhere."""

    @property
    def words(self) -> RingWords:
        """The game's sentences about a passage that wasn't a draw."""

    def out(self, line: Line) -> tuple[str, ...]:
        """Return the colours of the stations that left the ring by *line*; empty if it isn't a draw."""

    def may_draw(self, state: State) -> bool:
        """Tell whether the companion may draw instead of a ring at this table."""

    def went_back(self, line: Line) -> bool:
        """Tell whether the station of the draw *line* went back under the ring; the ring itself can't see that."""

    def in_play(self, state: State) -> tuple[str, ...]:
        """Return the colours that may leave the ring in this game: the ring should be calibrated for them."""

    def wanted(self, state: State) -> Wanted | None:
        """Return the draw that is wanted from the ring, or None."""

    def draw(self, colour: str) -> Draw:
        """Return the command for a draw of one station of *colour*, without open lots."""

    def two_out(self, state: State, colours: tuple[str, str]) -> Line:
        """Return the line for two stations that left the ring at once; its lots are still to be drawn."""

    def label(self, state: State, place: str) -> str:
        """Return the table's word for a *place* of draws."""

    def stations(self, state: State, place: str) -> Mapping[str, int]:
        """Return the expected stations at a *place* of draws, by colour in seat order, including zeros.

        Empty if the game doesn't ask the table to confirm what an attempt leaves.
        """

    def redrawn(self, state: State, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        """Return the lines that correct one draw of a finished attempt of *seat* at *place*.

        *drawn* is the colour that was recorded by mistake, *really* the colour that left. Each may be empty, for
        nothing.
        """


@dataclass(frozen=True)
class Fallen:
    """One throw into a tower: its contents by colour, and the cubes that have come out since, in order."""

    under: Mapping[str, int]
    out: tuple[str, ...]


class OpenDraws(Protocol[State]):
    """A game with draws from bags and through towers; these are made by hand, not by a ring."""

    def fallen(self, before: State, line: Line) -> Fallen | None:
        """Return the throw that is complete with *line*, or None."""

    def falling(self, state: State) -> Fallen | None:
        """Return the throw that isn't complete yet, or None."""


class SimultaneousReveal(Protocol[State]):
    """A game in which several players lay cards face down and turn them over together."""

    def together(self, state: State) -> tuple[str, ...]:
        """Return the seats that must still lay a card face down."""

    def face_down(self, state: State, seat: str) -> Line:
        """Return the line for a card of *seat* that nobody names."""

    def turning(self, state: State) -> tuple[str, ...]:
        """Return the seats that turn their cards over together, in seat order, during the countdown."""

    def turned_over(self, before: State, after: State) -> bool:
        """Tell whether cards that were face down in *before* are face up in *after*."""


@dataclass(frozen=True)
class Viewer:
    """A viewer of a game: a seat, everybody at once (*seat* is None), or the owner of the file.

    *owner* sees everything; it is for records, exports and finished games, never for a page.
    """

    seat: str | None = None
    owner: bool = False


class Secrets(Protocol[Seen]):
    """A game with hidden information, and what each viewer may see of it.

    *step* is the step that the table's clock shows (`Countdown.step`), empty without a clock. Only
    `companion.session.hidden` calls these methods, and every output uses that module.
    """

    def state(self, state: Seen, viewer: Viewer, step: str) -> Seen:
        """Return *state* with everything hidden from *viewer* replaced by what the whole table knows."""

    def line(self, state: Seen, line: Line, viewer: Viewer, step: str, undone: bool) -> Line:
        """Return *line* without what is hidden from *viewer* in the present *state*; *undone*: it was taken back."""


class PrintedBoard(Protocol):
    """A game with copies that differ in what is printed on their boards or in the contents of their boxes."""

    def of(self, header: Line) -> Line | None:
        """Return the copy's board in *header*, None for the usual one."""

    def checked(self, value: object) -> Line:
        """Return *value* as the board in a header, or raise `Malformed`."""

    def invented(self, header: Line) -> bool:
        """Tell whether the points of a game with this *header* come from example values that we invented."""

    def learnt(self, board: Line | None, line: Line) -> Line | None:
        """Return *board* with what a header or a *line* shows about this copy; most lines show nothing."""


class ConsoleUse(Protocol[State]):
    """A game that can be played with the buttons and lamps of a console."""

    @property
    def lamps(self) -> Mapping[str, Shape]:
        """How the lamp shines in each step, by the step's name; steadily in all others."""

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line that a press of the button of *seat*, or of the next button (None), means now, or None.

        The line may still be refused. A line that players may easily regret needs a long press (*held*).
        """


class Speech(Protocol[State]):
    """A game that announces what happens in it. It never names hidden cards."""

    def turn(self, state: State) -> Utterance | None:
        """Return the announcement of whose turn it is, or None if no seat in particular must act."""

    def uttered(self, before: State, event: Any) -> tuple[Utterance, ...]:
        """Return the announcements for *event*, which happened in state *before*."""


class Facts(Protocol[State]):
    """A game that answers questions in words, without giving hidden information away.

    A question comes from a *seat*, or from everybody at once (None).
    """

    def known(self, state: State) -> tuple[Fact, ...]:
        """Return the questions besides turn and score. They stay the same during a game, since each has its own key."""

    def points(self, state: State, seat: str | None) -> Mapping[str, int]:
        """Return everybody's points by colour in seat order, as far as *seat* may know them."""

    def answer(self, state: State, word: str, seat: str | None) -> tuple[Said, ...]:
        """Return the answer to the fact called *word*.

        For `turn`: what each seat must do. For `score`: what to add to the points.
        """

    def sides(self, state: State) -> tuple[FactRow, ...]:
        """Return the rows of a small table of what everybody has, with public information only; empty for no table."""


class LuckModel(Protocol[State]):
    """A game in which chance is recorded, with a static evaluator: pure, fast, and with public information only."""

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return every line that chance could have given instead of *line*, itself included, with its probability.

        Empty if *line* involves no chance. Each line is legal in *state*, and the probabilities add up to 1.
        """

    def worth(self, state: State) -> Mapping[str, float]:
        """Return the expected result of each seat, by colour in seat order; after the game, the result itself."""


class RandomPlay(Protocol):
    """A game that can be played at random, with invariants to check after every event."""

    @property
    def players(self) -> tuple[int, ...]:
        """The possible numbers of players."""

    def header(self, players: int, lots: Random, any_rulings: bool) -> Line:
        """Return the game's part of a record header."""

    def command(self, state: Any, lots: Random) -> Any:
        """Return a random legal command."""

    def broken(self, state: Any) -> tuple[str, ...]:
        """Return a sentence for every invariant that *state* breaks."""

    def rounds(self, state: Any) -> int:
        """Return the number of the round, from 1."""

"""Optional capabilities of a game: ring, hidden cards, boards, console, speech, questions, luck, simulation.

A game provides each capability as an attribute (`Game.ring`, `Game.reveal` and so on). The attribute is None if the
game doesn't have the capability.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol, TypeVar

from companion.kernel.fields import Line
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.model.facts import Fact
from companion.model.speech import Utterance
from companion.ports.console import Shape

State = TypeVar("State", contravariant=True)
Draw = TypeVar("Draw", covariant=True)
Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Wanted:
    """A draw that the game expects from the ring.

    *seat* holds the ring over *place*; an empty *seat* means anybody. *under* counts the stations under the ring by
    colour. *left* is how many stations may still come out.
    """

    seat: str
    place: str
    under: Mapping[str, int]
    left: int


@dataclass(frozen=True)
class RingWords:
    """Sentences about a passage that wasn't a draw: which station came out, and where it goes.

    The first three fields are phrases for the placeholder `%(station)s` in the other sentences.
    """

    one: Said = said("A station")
    coloured: Said = said("One %(colour)s station", colour="")
    pair: Said = said("A pair of stations")
    practice: Said = said("%(station)s left the ring outside an attempt: practice.", station="")
    surplus: Said = said("%(station)s came out after the last draw. Put it back under the ring.", station="")
    late: Said = said("%(station)s came in late, after you typed draws in. Is it one of those?", station="")
    changed: Said = said("%(station)s left the ring, but the attempt has changed. What was it?", station="")


class RingDraws(Protocol[State, Draw]):
    """A game in which stations are drawn from a ring.

    The stations under the ring are known, so they limit what can come out.
    """

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the stations in most boxes of the game."""

    @property
    def arrived(self) -> str:
        """The text of the button that records that a station has come to the place of the draws from elsewhere."""

    @property
    def in_attempts(self) -> bool:
        """Whether a player's move begins an attempt with a limited number of draws. Otherwise every cube is a draw."""

    @property
    def words(self) -> RingWords:
        """The game's sentences about a passage that wasn't a draw."""

    def out(self, line: Line) -> tuple[str, ...]:
        """Return the colours of the stations that left the ring in *line*, or () if *line* isn't a draw."""

    def may_draw(self, state: State) -> bool:
        """Return whether the companion itself may draw at this table, without a ring."""

    def went_back(self, line: Line) -> bool:
        """Return whether the station drawn in *line* went back under the ring. The ring itself can't see that."""

    def in_play(self, state: State) -> tuple[str, ...]:
        """Return the colours that may leave the ring in this game. The ring should be calibrated for these colours."""

    def wanted(self, state: State) -> Wanted | None:
        """Return the draw that the game expects from the ring now, or None."""

    def draw(self, colour: str) -> Draw:
        """Return the command for a draw of one station of *colour*, with all random values already chosen."""

    def two_out(self, state: State, colours: tuple[str, str]) -> Line:
        """Return the line for two stations that left the ring at once.

        Its random values are not chosen yet (`Game.cast_lots`).
        """

    def label(self, state: State, place: str) -> str:
        """Return the players' name for *place*, a place where draws are made."""

    def stations(self, state: State, place: str) -> Mapping[str, int]:
        """Return how many stations of each colour should be at *place*, in seat order, including zeros.

        The result is empty if the game doesn't ask the table to confirm the stations that an attempt leaves.
        """

    def redrawn(self, state: State, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        """Return the lines that correct one draw of a finished attempt of *seat* at *place*.

        *drawn* is the colour that was recorded by mistake, and *really* the colour that left. An empty string means
        that no station left.
        """


@dataclass(frozen=True)
class Fallen:
    """One throw of cubes into a tower.

    *under* counts the cubes in the tower by colour. *out* lists the cubes that came out of it, in order.
    """

    under: Mapping[str, int]
    out: tuple[str, ...]


class OpenDraws(Protocol[State]):
    """A game with draws from bags and through towers. These draws are typed in by hand."""

    def fallen(self, before: State, line: Line) -> Fallen | None:
        """Return the throw that *line* completes, or None."""

    def falling(self, state: State) -> Fallen | None:
        """Return the throw that isn't complete yet, or None."""


class SimultaneousReveal(Protocol[State]):
    """A game in which several players lay cards face down and turn them over together."""

    def together(self, state: State) -> tuple[str, ...]:
        """Return the seats that must still lay a card face down."""

    def face_down(self, state: State, seat: str) -> Line:
        """Return the line by which *seat* lays a card face down without naming it."""

    def turning(self, state: State) -> tuple[str, ...]:
        """Return the seats that turn their cards over together, in seat order, during the countdown."""

    def turned_over(self, before: State, after: State) -> bool:
        """Return whether cards that were face down in *before* are face up in *after*."""


@dataclass(frozen=True)
class Viewer:
    """A viewer of a game: a seat, everybody at once (*seat* is None), or the owner of the file.

    *owner* sees everything; it is for records, exports and finished games, never for a page.
    """

    seat: str | None = None
    owner: bool = False


class Secrets(Protocol[Seen]):
    """A game with hidden information. Its methods remove the information that a viewer must not see.

    *step* is the step that the table's clock shows (`Countdown.step`), empty without a clock. Only
    `companion.session.hidden` calls these methods; all output goes through that module.
    """

    def state(self, state: Seen, viewer: Viewer, step: str) -> Seen:
        """Return a copy of *state* without the values that *viewer* must not see.

        Each of these values is replaced by the part of it that the whole table knows.
        """

    def line(self, state: Seen, line: Line, viewer: Viewer, step: str, undone: bool) -> Line:
        """Return *line* without the fields that *viewer* must not see in the present *state*.

        *undone* means that the line was undone.
        """


class PrintedBoard(Protocol):
    """A game with several editions: copies have different boards, or boxes with different contents."""

    def of(self, header: Line) -> Line | None:
        """Return the board that *header* describes, or None for the usual board."""

    def checked(self, value: object) -> Line:
        """Return *value* if it is a valid board for a header, or raise `Malformed`."""

    def invented(self, header: Line) -> bool:
        """Return whether the points of a game with this *header* come from invented example values."""

    def learnt(self, board: Line | None, line: Line) -> Line | None:
        """Return *board* extended by the values that *line* reveals about this copy, or None if there are none."""


class ConsoleUse(Protocol[State]):
    """A game that can be played with the buttons and lamps of a console."""

    @property
    def lamps(self) -> Mapping[str, Shape]:
        """The shape of the lamp for each step, by the step's name. In other steps it shines steadily."""

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line that a press of the button of *seat* means now, or None if it means nothing.

        If *seat* is None, the "next" button was pressed. The rules may still refuse the line. A line that players may
        easily regret needs a long press (*held*).
        """


class Speech(Protocol[State]):
    """A game with spoken announcements. They never name hidden cards."""

    def turn(self, state: State) -> Utterance | None:
        """Return the announcement that names the seat that must act, or None if there is no such seat."""

    def uttered(self, before: State, event: Any) -> tuple[Utterance, ...]:
        """Return the announcements for *event*; *before* is the state before it."""


class Facts(Protocol[State]):
    """A game that answers questions about itself in sentences, without giving hidden information away.

    A question comes from a *seat*, or from everybody at once (None).
    """

    def known(self, state: State) -> tuple[Fact, ...]:
        """Return the questions other than turn and score.

        They don't change during a game, because each has a key on the keyboard.
        """

    def points(self, state: State, seat: str | None) -> Mapping[str, int]:
        """Return the points of each colour in seat order. Points that *seat* may not know are left out."""

    def answer(self, state: State, word: str, seat: str | None) -> tuple[Said, ...]:
        """Return the answer to the fact called *word*.

        The answer to `turn` says what each seat must do. The answer to `score` is added to the points.
        """


class LuckModel(Protocol[State]):
    """A game that records its chance events and can evaluate a position. The evaluator is pure and fast.

    It uses public information only.
    """

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return all lines that could have resulted from the same chance event as *line*, with their probabilities.

        *line* itself is one of them. The result is empty if *line* involves no chance. Each line is legal in *state*,
        and the probabilities add up to 1.
        """

    def worth(self, state: State) -> Mapping[str, float]:
        """Return the expected result of each seat, by colour in seat order.

        After the end of the game it is the actual result.
        """


class RandomPlay(Protocol):
    """A game that can be played with random moves, with invariants to check after every event."""

    @property
    def players(self) -> tuple[int, ...]:
        """The possible numbers of players."""

    def header(self, players: int, lots: Random, any_rulings: bool) -> Line:
        """Return a random header, without the fields that the record adds."""

    def command(self, state: Any, lots: Random) -> Any:
        """Return a random legal command."""

    def broken(self, state: Any) -> tuple[str, ...]:
        """Return a sentence for every invariant that *state* breaks."""

    def rounds(self, state: Any) -> int:
        """Return the number of the round, from 1."""

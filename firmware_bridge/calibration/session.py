"""A calibration wizard or a check in progress, and the tokens that its passages carry."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ports.calibration import BadCalibration, Line, Wizard, WizardStage
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from firmware_bridge.calibration import messages
from firmware_bridge.calibration.history import RecordedPassage
from firmware_bridge.calibration.wizard import (
    REFERENCES,
    WizardState,
    begun,
    blind,
    finished,
    forgotten,
    looked,
    passed,
    saying,
    turned,
    wizard,
)
from firmware_bridge.colour import Calibration, calibration_of
from firmware_bridge.protocol.messages import Hello

# The check before a game: one cube of each colour, in any order, read with the active calibration.

NEWEST = 60


@dataclass(frozen=True)
class Checking:
    """A check in progress. *read* has the colour of each passage, newest first. None means an unsure passage."""

    copy: str
    colours: tuple[str, ...]
    read: tuple[str | None, ...] = ()
    last: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The colours that have not been read yet."""
        return tuple(colour for colour in self.colours if colour not in self.read)


def check_begun(copy: str, known: Sequence[str], colours: Sequence[str]) -> Checking:
    """Begin a check of *colours*. Raise BadCalibration if one of them is not in *known*, the calibration's colours."""
    wanted = tuple(dict.fromkeys(colours))
    if not wanted:
        raise BadCalibration(said("A check needs at least one colour."))
    strange = [colour for colour in wanted if colour not in known]
    if strange:
        raise BadCalibration(messages.strange(strange))
    return Checking(copy, wanted, last=messages.CHECK)


def checked(checking: Checking, kind: RingEventKind, seen: Judgement) -> Checking:
    """Return *checking* updated with one more event at the gate."""
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


AT_ONCE = 10  # cubes that a simulated ring gets at a time
FEW = 2  # a simulated ring gets new cubes when only this many are left, because a pair may use up two

CUBES = {RingEventKind.OUT: 1, RingEventKind.PAIR: 2}


@shows("_work", "finished")
class Session:
    """At most one wizard or check in progress. Not thread-safe. Raises `BadCalibration` for a call out of turn."""

    def __init__(self, tokens: Iterator[int]) -> None:
        self._turns = Tokens(tokens)
        self._work: WizardState | Checking | None = None
        self.finished = ""  # the id of the finished calibration, until it is stored

    @property
    def order(self) -> tuple[int, Mapping[str, int]] | None:
        """The order with which the ring must be armed, or None while nothing is in progress."""
        return self._turns.order

    @property
    def wizard(self) -> Wizard | None:
        """The wizard or check as pages show it."""
        if self._work is None:
            return None
        return wizard(self._work) if isinstance(self._work, WizardState) else check_wizard(self._work)

    @property
    def work(self) -> WizardState | Checking | None:
        """The wizard or check itself."""
        return self._work

    @property
    def wizard_state(self) -> WizardState:
        """The wizard. Raises BadCalibration if there is no wizard."""
        if not isinstance(self._work, WizardState):
            raise BadCalibration(said("The ring isn't learning colours now."))
        return self._work

    def begin(self, hello: Hello | None, copy: str, colours: Sequence[str], wanted: int) -> None:
        """Begin a wizard. A wizard that already has passes must be stopped first."""
        self._check_free()
        if hello is None:
            raise BadCalibration(said("No ring is connected."))
        self._work = begun(hello.device, hello.sensor, copy, colours, wanted)
        self.finished = ""
        self._turns.turn("", {})

    def begin_check(self, calibration: Calibration | None, colours: Sequence[str]) -> None:
        """Begin a check of *calibration*."""
        self._check_free()
        if calibration is None:
            raise BadCalibration(said("There's no calibration to check yet."))
        self._work = check_begun(calibration.copy, calibration.colours, colours)
        self._turns.turn("", dict.fromkeys(self._work.missing, 1))

    def turn_to(self, colour: str) -> None:
        """Continue with *colour*."""
        self._go_on(turned(self.wizard_state, colour))

    def forget_last(self) -> None:
        """Remove the newest pass of the present colour."""
        self._go_on(forgotten(self.wizard_state))

    def reviewed(self, before: WizardState, after: WizardState) -> None:
        """Set the wizard to *after*, the result of a review of *before*.

        Raise BadCalibration if the wizard has changed meanwhile.
        """
        if self._work is not before:
            raise BadCalibration(said("Something changed. Review again."))
        self._work = after
        self._turns.turn_to("")

    def finish(self, made: str) -> Line:
        """Return the calibration as a JSON object. The wizard continues until the calibration is stored."""
        line = finished(self.wizard_state, made)
        self.finished = calibration_of(line).id
        return line

    def stored(self, ids: Collection[str]) -> None:
        """End the wizard if its calibration is among the stored *ids*."""
        if self.finished and self.finished in ids:
            self.leave()

    def leave(self) -> None:
        """End the wizard or check."""
        self._work = None
        self.finished = ""
        self._turns.end()

    def met(self, device: str) -> None:
        """Set the connected *device*."""
        if isinstance(self._work, WizardState) and self._work.device != device:
            self._work = saying(self._work, messages.OTHER_RING)

    def look_refused(self, why: str) -> None:
        """Record why the device has not taken a reference: it cannot take references (`unknown`), or it could not do so
        now.
        """
        if isinstance(self._work, WizardState):
            wizard = self._work
            self._go_on(blind(wizard) if why == "unknown" else saying(wizard, messages.not_looked(why)))

    def looked(self, event: RingEvent) -> None:
        """Store a reference."""
        what, counts = str(event.detail["what"]), event.detail["counts"]
        if isinstance(self._work, WizardState) and self._work.device == event.device and what in REFERENCES:
            assert isinstance(counts, list)
            r, g, b, c = counts
            self._go_on(looked(self._work, what, (r, g, b, c)))

    def passed(self, event: RingEvent, seen: RecordedPassage) -> None:
        """Handle an event at the gate. Events that do not carry one of the tokens given out here are ignored."""
        colour = self._turns.colour(event.token)
        if colour is None or self._work is None:
            return
        self._turns.slid(event.token, CUBES.get(event.kind, 0))
        if isinstance(self._work, Checking):
            self._check(self._work, event)
        elif event.device != self._work.device:
            self._work = saying(self._work, messages.OTHER_RING)
        else:
            self._go_on(passed(self._work, colour, event.kind, seen.measured))

    def _check(self, checking: Checking, event: RingEvent) -> None:
        self._work = new = checked(checking, event.kind, event.judgement or Judgement(None))
        if new.missing and self._turns.empty:
            self._turns.turn("", dict.fromkeys(new.missing, 1))

    def _go_on(self, wizard: WizardState) -> None:
        self._work = wizard
        self._turns.turn_to(wizard.sliding)

    def _check_free(self) -> None:
        if isinstance(self._work, WizardState) and self._work.passes:
            raise BadCalibration(said("The ring is already learning colours. Finish or stop that first."))


@shows("order", "_left", "_colours")
class Tokens:
    """Assigns a new token to each turn of a colour, and remembers the colour of each token."""

    def __init__(self, tokens: Iterator[int]) -> None:
        self.order: tuple[int, Mapping[str, int]] | None = None
        self._tokens = tokens
        self._colours: dict[int, str] = {}
        self._left = 0

    @property
    def empty(self) -> bool:
        """True if all cubes that were put below a simulated ring have left it."""
        return self._left <= 0

    def turn(self, colour: str, under: Mapping[str, int]) -> None:
        """Begin a turn of *colour*. *under* are the cubes to put below a simulated ring."""
        token = next(self._tokens)
        self._colours[token] = colour
        self._left = sum(under.values())
        self.order = (token, dict(under))

    def turn_to(self, colour: str) -> None:
        """Begin a turn of *colour* ("" for none), unless that colour already has its turn and enough cubes."""
        if self.order is None or self._colours[self.order[0]] != colour or (colour and self._left <= FEW):
            self.turn(colour, {colour: AT_ONCE} if colour else {})

    def slid(self, token: int, cubes: int) -> None:
        """Record that *cubes* cubes came out in a passage with this *token*."""
        if self.order is not None and token == self.order[0]:
            self._left -= cubes

    def colour(self, token: int) -> str | None:
        """Return the colour of *token*.

        It is empty for a turn without a colour, and None for another wizard's token.
        """
        return self._colours.get(token)

    def end(self) -> None:
        """End all turns."""
        self.order = None
        self._colours = {}

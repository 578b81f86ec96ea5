"""A calibration wizard or a check in progress, and the tokens under which its cubes are slid."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.ports.calibration import BadCalibration, Line, Wizard
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from firmware_bridge.calibration import messages
from firmware_bridge.calibration.check import Checking, check_begun, check_wizard, checked
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

AT_ONCE = 10  # cubes that a simulated ring gets at a time
FEW = 2  # with this many left it gets new ones, because a pair may use them up

CUBES = {RingEventKind.OUT: 1, RingEventKind.PAIR: 2}


@shows("_work", "finished")
class Session:
    """At most one wizard or check in progress. Not thread-safe. Raises `BadCalibration` for a call out of turn."""

    def __init__(self, tokens: Iterator[int]) -> None:
        self._turns = Tokens(tokens)
        self._work: WizardState | Checking | None = None
        self.finished = ""  # the id of the calibration that is to be stored

    @property
    def order(self) -> tuple[int, Mapping[str, int]] | None:
        """What the ring must be armed for, None while nothing is in progress."""
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
        """Store the result *after* of a review. Raise BadCalibration if the wizard has changed since *before*."""
        if self._work is not before:
            raise BadCalibration(said("Something changed. Review again."))
        self._work = after
        self._turns.turn_to("")

    def finish(self, made: str) -> Line:
        """Return the calibration as a JSON object. The wizard continues until it is stored."""
        line = finished(self.wizard_state, made)
        self.finished = calibration_of(line).id
        return line

    def kept(self, ids: Collection[str]) -> None:
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
        """Record that the device never takes references (`unknown`), or could not now."""
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
        """Handle an event at the gate under one of this session's tokens. Other events are ignored."""
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
        """True if all cubes that a simulated ring got have left it."""
        return self._left <= 0

    def turn(self, colour: str, under: Mapping[str, int]) -> None:
        """Begin a turn of *colour*, with *under* below a simulated ring."""
        token = next(self._tokens)
        self._colours[token] = colour
        self._left = sum(under.values())
        self.order = (token, dict(under))

    def turn_to(self, colour: str) -> None:
        """Begin a turn of *colour* (empty: none), unless it is the present one and has enough cubes."""
        if self.order is None or self._colours[self.order[0]] != colour or (colour and self._left <= FEW):
            self.turn(colour, {colour: AT_ONCE} if colour else {})

    def slid(self, token: int, cubes: int) -> None:
        """Record that *cubes* cubes left under *token*."""
        if self.order is not None and token == self.order[0]:
            self._left -= cubes

    def colour(self, token: int) -> str | None:
        """Return the colour of *token*: empty for a turn without a colour, None for another wizard's token."""
        return self._colours.get(token)

    def end(self) -> None:
        """End all turns."""
        self.order = None
        self._colours = {}

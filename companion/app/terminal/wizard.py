"""The calibration wizard at a terminal: ask for references and cubes, and report each result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.app.terminal.inbox import Inbox
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.ports.calibration import BadCalibration, Dot, Instrument, Line, Wizard, WizardStage
from companion.ports.ring import RingPort, RingState

ANSWER_S = 10.0  # seconds in which a ring must measure, or a simulated ring must release a cube

PREPARE = {
    "black": "Put the black card under the sensor.",
    "white": "Take the card away and close the gate: the sensor sees the shutter's white.",
    "dark": "Keep the gate closed: the ring turns its lamp off and sees only the room.",
}
KEYS = "Enter: continue. f: forget the last one. s: skip the rest of this colour. p: picture. q: quit, nothing changes."

Say = Callable[[str], None]


class Quit(Exception):
    """Raised when the person at the keyboard wants to stop."""


@shows("_trouble", "_looked_at")
class TerminalWizard:
    """Guides a person at a keyboard through one calibration. It saves nothing."""

    def __init__(self, ring: RingPort, instrument: Instrument, inbox: Inbox, say: Say, wanted: int) -> None:
        """Prepare to calibrate *ring* through its *instrument*, with *wanted* passes of each colour.

        Sentences are printed with *say*; typed lines are read from *inbox*.
        """
        self._ring = ring
        self._instrument = instrument
        self._inbox = inbox
        self._say = say
        self._wanted = wanted
        self._said = self._trouble = ""
        self._looked_at = False

    def run(self, copy: str, colours: Sequence[str], made: Callable[[], str]) -> Line | None:
        """Return the calibration, or None if the person quits.

        The caller must then save the calibration, or stop the instrument's wizard.
        """
        try:
            self._wait_for_ring()
            self._instrument.begin(copy, colours, self._wanted)
            while self._wizard.stage is WizardStage.REFERENCES:
                self._take_references()
            self._say(KEYS)
            self._slide_on()
            while not self._reviewed():
                self._slide_on()
            return self._instrument.finish(made())
        except Quit:
            return None

    @property
    def _wizard(self) -> Wizard:
        wizard = self._instrument.view.wizard
        if wizard is None:
            raise BadCalibration(said("Somebody else stopped it."))
        return wizard

    def _wait_for_ring(self) -> None:
        if not self._met():
            self._say("Waiting for the ring (Ctrl-C stops) ...")
        while not self._met():
            self._inbox.until(lambda: self._met() or self._ring.view.trouble not in ("", self._said), None)
            self._print(self._ring.view.trouble)
        if self._ring.view.state is RingState.REFUSED:
            raise BadCalibration(self._ring.view.trouble)

    def _met(self) -> bool:
        return self._ring.view.state in (RingState.LIVE, RingState.REFUSED)

    def _take_references(self) -> None:
        for name, prepare in PREPARE.items():
            if self._wizard.stage is not WizardStage.REFERENCES:
                return
            self._answer(f"{prepare} Then Enter.")
            before = self._wizard
            self._instrument.look(name)
            if not self._inbox.until(lambda before=before: self._wizard != before, ANSWER_S):  # type: ignore[misc]
                raise BadCalibration(said("The ring didn't look."))
            self._said = ""  # print the result of each measurement, even if it equals the result before it
            self._print(self._wizard.trouble or self._wizard.last)

    def _slide_on(self) -> None:
        """Record passes until every colour has enough passes, or the person skips the rest."""
        while (wizard := self._wizard).stage is WizardStage.PASSES and not self._done(wizard):
            count = wizard.counts.get(wizard.colour, 0)
            typed = self._answer(f"{wizard.colour}, {self._of(count, wizard.wanted)}:", self._print_last)
            match typed:
                case "":
                    self._enter(wizard)
                case "f":
                    self._dare(self._instrument.forget_last)
                    self._print_last()
                case "s":
                    if not self._next_colour(wizard):
                        return
                case "p":
                    self._say(picture(wizard.dots))
                case _:
                    self._say(KEYS)

    def _enter(self, wizard: Wizard) -> None:
        """Handle an empty line: a simulated ring slides a cube, and with a real ring nothing happens."""
        if not self._ring.view.simulated:
            self._print_last()
            return
        seen = self._passages
        # Wait until the ring is armed for this colour; otherwise another cube could slide.
        self._inbox.until(self._armed, ANSWER_S)
        self._ring.slide()
        if not self._inbox.until(lambda: self._passages > seen, ANSWER_S):
            self._say("Nothing came out.")
        self._print_last()

    def _reviewed(self) -> bool:
        """Show the results; return True if the calibration may be saved."""
        self._looked_at = True
        if not self._dare(self._instrument.review):
            return self._turn(self._answer("Which colour next?"))
        wizard = self._wizard
        self._say("\n".join(filter(None, (picture(wizard.dots), confusion_table(wizard.confusion), wizard.last))))
        for near in wizard.near:
            self._say(near.advice)
        keep = "Enter: save. " if not wizard.trouble else ""
        typed = self._answer(f"{keep}A colour: slide more of it. q: quit, nothing changes.")
        return self._turn(typed) if typed or wizard.trouble else True

    def _turn(self, colour: str) -> bool:
        self._dare(lambda: self._instrument.turn_to(colour))
        return False

    def _next_colour(self, wizard: Wizard) -> bool:
        """Select the next colour. Return False after the last colour, and when a single colour is being repeated."""
        if self._looked_at:
            return False
        after = wizard.colours[wizard.colours.index(wizard.colour) + 1 :]
        return bool(after) and self._dare(lambda: self._instrument.turn_to(after[0]))

    def _done(self, wizard: Wizard) -> bool:
        """Return whether the last colour has just been completed for the first time.

        When a colour is repeated, only the person decides that it is complete.
        """
        return (
            not self._looked_at
            and wizard.colour == wizard.colours[-1]
            and wizard.counts.get(wizard.colour, 0) >= wizard.wanted
        )

    def _armed(self) -> bool:
        order = self._instrument.order
        return order is not None and self._ring.view.armed == order[0]

    @property
    def _passages(self) -> int:
        return sum(self._instrument.view.passages.values())

    def _dare(self, deed: Callable[[], None]) -> bool:
        try:
            deed()
        except BadCalibration as fault:
            self._say(fault.reason)
            return False
        return True

    @staticmethod
    def _of(count: int, wanted: int) -> str:
        return f"{count} of {wanted}" if count <= wanted else f"{count}"

    def _answer(self, question: str, news: Callable[[], None] = lambda: None) -> str:
        self._say(question)
        typed = self._inbox.answer(news)
        if typed is None or typed == "q":
            raise Quit
        return typed

    def _print_last(self) -> None:
        """Print a new trouble of the ring, and the result of the last slide."""
        trouble = self._ring.view.trouble
        if trouble and trouble != self._trouble:
            self._say(trouble)
        self._trouble = trouble
        wizard = self._instrument.view.wizard
        if wizard is not None:
            self._print(wizard.last)

    def _print(self, sentence: str) -> None:
        """Print *sentence* unless it equals the last printed sentence."""
        if sentence and sentence != self._said:
            self._said = sentence
            self._say(sentence)


WIDTH, HEIGHT = 60, 16


def picture(dots: Sequence[Dot]) -> str:
    """Return *dots* as a plot of letters, or "" if there are none. Redder is to the right, yellower is up."""
    if not dots:
        return ""
    letters = initials([dot.colour for dot in dots if dot.colour])
    across, up = [dot.x for dot in dots], [dot.y for dot in dots]
    field = [[" "] * WIDTH for _ in range(HEIGHT)]
    for dot in dots:
        column = _place(dot.x, across, WIDTH)
        row = HEIGHT - 1 - _place(dot.y, up, HEIGHT)
        field[row][column] = letters.get(dot.colour or "", "?")
    named = ", ".join(f"{letter} {colour}" for colour, letter in letters.items())
    return "\n".join(["".join(row).rstrip() for row in field] + [f"({named}; redder to the right, yellower above)"])


def confusion_table(confusion: Mapping[str, Mapping[str, int]]) -> str:
    """Return a line for each colour, with counts of the colours that its passes were recognised as.

    Each pass was judged by a calibration from the other passes.
    """
    width = max((len(colour) for colour in confusion), default=0)
    lines = [
        f"{colour:{width}}  " + ", ".join(f"{read} {count}" for read, count in sorted(row.items(), key=lambda e: -e[1]))
        for colour, row in confusion.items()
    ]
    return "\n".join(lines)


def initials(colours: Sequence[str]) -> dict[str, str]:
    """Return a letter for each colour: the first letter of its name that no other colour has, or else a digit."""
    found: dict[str, str] = {}
    for colour in dict.fromkeys(colours):
        free = [letter for letter in colour if letter.isalnum() and letter not in found.values()]
        found[colour] = free[0] if free else str(len(found) % 10)
    return found


def _place(value: float, among: Sequence[float], steps: int) -> int:
    low, high = min(among), max(among)
    return round((value - low) / (high - low) * (steps - 1)) if high > low else steps // 2

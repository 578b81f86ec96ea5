"""Calibrating a ring at the keyboard: the questions, the answers, and the resulting calibration."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.app.terminal.inbox import Inbox, typed_lines
from companion.app.terminal.wizard import TerminalWizard, confusion_table, initials, picture
from companion.ports.calibration import BadCalibration, Dot
from companion.ports.ring import Order, RingState, RingView
from firmware_bridge import calibration_of, open_ring

MADE = "2026-05-03T18:20:00Z"


class Beside:
    """A subscriber that stores nothing, and wakes the inbox when the ring changes."""

    def __init__(self, inbox: Inbox) -> None:
        self.ring_changed = inbox.stir

    def heard(self, *events: object) -> None:
        """Ignore the ring's events."""


def taught(typed: Sequence[str], colours: Sequence[str] = ("red", "blue"), wanted: int = 5):
    """Run the wizard on a virtual ring with the *typed* lines; return the calibration and the printed text."""
    inbox, said = Inbox(typed), []
    ring = open_ring("mock:?seed=2", Beside(inbox))
    instrument = ring.instrument
    instrument.subscribe(lambda: ring.arm(Order(*instrument.order)) if instrument.order else ring.disarm())
    instrument.subscribe(inbox.stir)
    try:
        line = TerminalWizard(ring, instrument, inbox, said.append, wanted).run("ours", colours, lambda: MADE)
    finally:
        ring.close()
    return line, "\n".join(said)


def test_enter_alone_teaches_a_simulated_ring():
    """Pressing Enter at each step calibrates a simulated ring: three references, five slides per colour, and save."""
    line, said = taught([""] * 14)

    assert line is not None
    assert calibration_of(line).colours == ("red", "blue")
    assert len(line["passes"]) == 10
    assert "Red: 5 of 5. Next: blue." in said
    assert "10 of 10 slides are right" in said


def test_what_was_said_is_not_said_again():
    """A message that was already printed is not printed again with later steps."""
    _, said = taught(["", "", "", "zzz", "", "q"])

    assert said.count("All three readings done.") == 1


class Coming:
    """A ring that is not found at first, and then has firmware that must be updated."""

    def __init__(self) -> None:
        missing = RingView(RingState.SEARCHING, trouble="No ring at ttyX: is it plugged in?")
        self.views = [missing, missing, missing, missing, missing]

    @property
    def view(self) -> RingView:
        return self.views.pop() if self.views else RingView(RingState.REFUSED, trouble="Please update.")


def test_while_it_waits_it_says_what_for():
    """While the wizard waits for the ring, each reason is printed once."""
    said = []
    with pytest.raises(BadCalibration, match="Please update"):
        TerminalWizard(Coming(), None, Inbox([""] * 9), said.append, 5).run("ours", ["red", "blue"], lambda: MADE)

    assert said == ["Waiting for the ring (Ctrl-C stops) ...", "No ring at ttyX: is it plugged in?"]


class Failing:
    """A virtual ring that reports the trouble that a test sets."""

    def __init__(self, ring: object) -> None:
        self._ring = ring
        self.trouble = ""

    @property
    def view(self) -> RingView:
        """The ring's view, with the test's trouble."""
        return replace(self._ring.view, trouble=self.trouble)

    def __getattr__(self, name: str) -> object:
        return getattr(self._ring, name)


def test_what_is_wrong_with_the_ring_is_said_while_somebody_slides():
    """Trouble with the ring is printed once each time it begins."""
    said, inbox = [], Inbox(())
    ring = open_ring("mock:?seed=2", Beside(inbox))
    failing = Failing(ring)
    wizard = TerminalWizard(failing, ring.instrument, inbox, said.append, 5)

    for trouble in ("", "The reader stopped.", "The reader stopped.", "", "The reader stopped."):
        failing.trouble = trouble
        wizard._print_last()
    ring.close()

    assert said == ["The reader stopped."] * 2


def test_more_passes_than_usual_may_be_wanted():
    """The number of passes per colour can be set higher than the default."""
    line, _ = taught([""] * 28, wanted=12)

    assert line is not None
    assert len(line["passes"]) == 24


@pytest.mark.parametrize("typed", [["q"], [""] * 7 + ["q"], [""] * 13 + ["q"], [], [""] * 5])
def test_whoever_quits_has_changed_nothing(typed):
    """Quitting with q, or by the end of the input, saves nothing at any step."""
    line, _ = taught(typed)

    assert line is None


def test_the_last_pass_can_be_forgotten():
    """The key f forgets the last pass, which is then repeated."""
    line, said = taught(["", "", "", "", "", "f", *[""] * 10])

    assert line is not None
    assert len(line["passes"]) == 10
    assert "Forgotten: 1 of red left." in said


def test_a_colour_can_be_skipped():
    """The key s skips a colour, and the review lists it as left out."""
    line, said = taught(["", "", "", *[""] * 5, "s", *[""] * 6], colours=("red", "green", "blue"))

    assert line is not None
    assert calibration_of(line).colours == ("red", "blue")
    assert "Left out: green" in said


def test_after_the_review_a_colour_can_be_gone_over_again():
    """After the review, typing a colour's name adds more passes of that colour, and s ends them."""
    line, said = taught([*[""] * 13, "blue", "", "", "s", ""])

    assert line is not None
    assert [each["colour"] for each in line["passes"]].count("blue") == 7
    assert said.count("slides are right") == 2


def test_what_is_not_understood_is_answered_with_the_keys():
    """Unknown input prints the list of keys, and "p" prints the picture."""
    _, said = taught(["", "", "", "help", "", "p", "q"])

    assert said.count("Enter: continue.") == 2
    assert "(r red;" in said


def test_a_picture_has_a_letter_for_each_colour():
    """The picture marks each colour by its letter, at its position."""
    drawn = picture([Dot("red", 0.3, 0.1, 0.2), Dot("blue", 0.0, -0.1, 0.2), Dot("black", 0.0, 0.1, 0.2)])
    lines = drawn.splitlines()

    assert lines[0] == "l" + " " * 58 + "r"
    assert lines[15] == "b"
    assert lines[16].startswith("(r red, b blue, l black;")


def test_letters_are_never_shared():
    """Each colour gets a letter of its own, even if all letters of its name are taken."""
    named = initials(["a", "aa", "aaa", "red"])

    assert len(set(named.values())) == 4


def test_nothing_seen_makes_no_picture():
    """Without passes, picture and table are empty strings."""
    assert (picture([]), confusion_table({})) == ("", "")


def test_lines_are_typed_in_any_portions():
    """Typed lines are split at newlines however the bytes arrive, and the last line needs no newline."""
    read, write = os.pipe()
    os.write(write, b"on\ntw")
    os.write(write, b"o\n\nthr\xc3\xa9e")
    os.close(write)

    assert list(typed_lines(read)) == ["on", "two", "", "thrée"]
    os.close(read)

"""The wizard's steps: references, passes of each colour, review; only a good calibration can be finished."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.ports.calibration import BadCalibration, WizardStage
from companion.ports.ring import Judgement, RingEventKind
from firmware_bridge.calibration.session import Tokens, check_begun, check_wizard, checked
from firmware_bridge.calibration.wizard import (
    WizardState,
    begun,
    blind,
    finished,
    forgotten,
    looked,
    passed,
    reviewed,
    turned,
    wizard,
)
from firmware_bridge.colour import calibration_of
from tests.effort import seeds

MADE = "2026-05-03T18:20:00Z"
ALIKE = {"reflectance": {"red": (0.298, 0.07, 0.082, 0.138), "blue": (0.29, 0.073, 0.082, 0.137)}}


def ready(gate, colours=("red", "blue"), wanted=10) -> WizardState:
    """Return a wizard with all its references."""
    making = begun("ring-7", "tcs34725", "ours", colours, wanted)
    for what in ("black", "white", "dark"):
        making = looked(making, what, gate.look(what))
    return making


def shown(gate, making: WizardState, *colours: str) -> WizardState:
    """Return the wizard after a cube of each of *colours* was slid for its current colour."""
    for colour in colours:
        making = passed(making, making.colour, RingEventKind.OUT, gate.slide(colour))
    return making


def whole(gate, colours=("red", "blue"), each=10) -> WizardState:
    """Return a wizard with passes of every colour."""
    making = ready(gate, colours)
    for colour in colours:
        making = shown(gate, turned(making, colour), *[colour] * each)
    return making


@pytest.mark.parametrize(
    "colours", [(), ("red",), ("red", "red"), tuple("abcdefghijklm"), ("red", ""), ("red", "a\nb")]
)
def test_it_begins_with_two_to_twelve_different_colours(colours):
    """The wizard needs two to twelve different colours, like a calibration."""
    with pytest.raises(BadCalibration):
        begun("ring-7", "tcs34725", "ours", colours)


@pytest.mark.parametrize("wanted", [0, 4, 101])
def test_it_wants_five_to_a_hundred_passes(wanted):
    """The wizard needs five to a hundred passes of each colour."""
    with pytest.raises(BadCalibration, match="slides"):
        begun("ring-7", "tcs34725", "ours", ("red", "blue"), wanted)


def test_references_come_first_and_then_the_first_colour(gate):
    """After all three references, the wizard continues with the first colour automatically."""
    at = gate()
    making = begun("ring-7", "tcs34725", "ours", ("red", "blue"))
    making = looked(looked(making, "black", at.look("black")), "dark", at.look("dark"))

    assert (making.stage, making.sliding) == (WizardStage.REFERENCES, "")
    with pytest.raises(BadCalibration, match="white missing"):
        turned(making, "red")

    making = looked(making, "white", at.look("white"))

    assert (making.stage, making.sliding) == (WizardStage.PASSES, "red")
    assert [reference.counts is not None for reference in wizard(making).references] == [True] * 3


@pytest.mark.parametrize(
    ("what", "counts", "word"),
    [
        ("white", (20.0, 22.0, 19.0, 60.0), "look alike"),
        ("white", (1010.0, 500.0, 400.0, 900.0), "dazzles"),
        ("dark", (90.0, 90.0, 70.0, 300.0), "room"),
    ],
)
def test_references_that_do_not_fit_are_named_and_taken_again(gate, what, counts, word):
    """A reference that doesn't fit is named, and the wizard waits until it is read again."""
    at = gate()
    making = begun("ring-7", "tcs34725", "ours", ("red", "blue"))
    for name in ("black", "white", "dark"):
        making = looked(making, name, counts if name == what else at.look(name))

    assert making.stage is WizardStage.REFERENCES
    assert word in making.trouble
    with pytest.raises(BadCalibration, match=word):
        turned(making, "red")
    assert looked(making, what, at.look(what)).stage is WizardStage.PASSES


def test_a_device_that_cannot_look_brings_its_references_along(gate):
    """If a device can't read references on request, they are taken from its first valid passage."""
    making = shown(gate(), blind(begun("ring-7", "tcs34725", "ours", ("red", "blue"))), "red")

    assert making.count("red") == 1
    assert making.references.keys() == {"black", "white", "dark"}


def test_each_pass_is_counted_and_shown(gate):
    """Each pass adds a dot and a count."""
    seen = wizard(shown(gate(), ready(gate()), "red", "red", "red"))

    assert seen.counts == {"red": 3, "blue": 0}
    assert [dot.colour for dot in seen.dots] == ["red"] * 3
    assert all(dot.x > 0.1 and 0 < dot.light < 0.5 for dot in seen.dots)
    assert seen.last == "Red: 3 of 10."


@pytest.mark.parametrize("wanted", [5, 10, 12])
def test_after_so_many_as_are_wanted_the_next_colour_is_in_turn(gate, wanted):
    """After enough passes the wizard goes on to the next colour, without a tap."""
    making = shown(gate(), ready(gate(), wanted=wanted), *["red"] * wanted)

    assert making.sliding == "blue"
    assert making.last.endswith("Next: blue.")


def test_after_the_last_colour_it_asks_for_the_review(gate):
    """After the last colour the wizard asks for the review, and accepts more passes."""
    making = whole(gate())

    assert making.sliding == "blue"
    assert "Review them" in making.last
    assert shown(gate(), making, "blue").count("blue") == 11


@pytest.mark.parametrize(
    "kind", [RingEventKind.PAIR, RingEventKind.BACK, RingEventKind.POKE, RingEventKind.GLITCH, RingEventKind.STUCK]
)
def test_what_is_no_single_cube_out_does_not_count(gate, kind):
    """A passage that isn't a single cube doesn't count, and the wizard gives the reason and advice."""
    making = passed(ready(gate()), "red", kind, gate().slide("red"))

    assert making.count("red") == 0
    assert making.last.startswith("Not counted:")


def test_a_cube_too_fast_for_one_full_frame_does_not_count(gate):
    """A cube too fast for one full frame doesn't count, since its reading would include the board."""
    making = passed(ready(gate()), "red", RingEventKind.OUT, gate().slide("red", 2000.0))

    assert (making.count("red"), "too fast" in making.last) == (0, True)


def test_a_slow_cube_without_frames_was_dazzling(gate):
    """A slow cube without frames doesn't count, and the reason is dazzling, since the device omits such frames."""
    making = passed(ready(gate()), "red", RingEventKind.OUT, replace(gate().slide("red"), frames=()))

    assert (making.count("red"), "dazzling" in making.last) == (0, True)


@pytest.mark.parametrize("white", [None, (5.0, 5.0, 5.0, 9.0)])
def test_a_cube_without_white_beside_it_does_not_count(gate, white):
    """A passage without a white reference doesn't count."""
    making = passed(ready(gate()), "red", RingEventKind.OUT, replace(gate().slide("red"), white=white))

    assert (making.count("red"), "white" in making.last) == (0, True)


def test_a_wrong_cube_is_pointed_out_and_can_be_forgotten(gate):
    """A pass that looks like another colour is pointed out before the wizard goes on, and can be forgotten."""
    at = gate()
    making = shown(at, ready(at), *["red"] * 10, *["blue"] * 9)

    making = shown(at, making, "red")

    assert making.last.endswith("This one looks like red. Forget it?")
    assert forgotten(making).count("blue") == 9
    assert forgotten(making).last == "Forgotten: 9 of blue left."


def test_a_cube_of_no_colour_so_far_is_pointed_out(gate):
    """A pass unlike all colours so far is pointed out."""
    at = gate()

    making = shown(at, ready(at), *["red"] * 6, "green")

    assert making.last.endswith("This one is unlike other red ones. Forget it?")


@pytest.mark.parametrize("seed", seeds(5))
def test_right_cubes_are_never_pointed_out(gate, seed):
    """With five colours and ten right cubes of each, no pass is pointed out."""
    at, colours = gate(seed), ("red", "yellow", "green", "blue", "black")
    making = ready(at, colours)
    said = []
    for colour in colours:
        for _ in range(10):
            making = shown(at, making, colour)
            said.append(making.last)

    assert not [sentence for sentence in said if "Forget" in sentence]


def test_nothing_can_be_forgotten_of_a_colour_without_passes(gate):
    """Forgetting a pass of a colour without passes is refused, and changes nothing."""
    with pytest.raises(BadCalibration, match="No slide of red"):
        forgotten(ready(gate()))


def test_a_colour_that_is_not_taught_has_no_turn(gate):
    """A colour that isn't part of the calibration can't be selected; the error lists the calibrated colours."""
    with pytest.raises(BadCalibration, match=r"'green' isn't one of the colours here: red, blue\."):
        turned(ready(gate()), "green")


def test_a_review_judges_each_pass_by_the_others(gate):
    """The review classifies each pass by the others, without an error for two very different colours."""
    making = reviewed(whole(gate()))

    assert (making.stage, making.trouble, making.near) == (WizardStage.REVIEW, "", ())
    assert making.confusion == {"red": {"red": 10}, "blue": {"blue": 10}}


def test_two_colours_too_much_alike_are_refused_with_what_to_do(gate):
    """Two colours that are too much alike are refused, with their distance and advice."""
    making = reviewed(whole(gate(**ALIKE)))

    (near,) = making.near
    assert (near.one, near.other, near.refused) == ("red", "blue", True)
    assert near.distance < 4
    for word in ("Red and blue", "lamp", "replace one", "leave one colour out"):
        assert word in making.trouble
    with pytest.raises(BadCalibration, match="too much alike"):
        finished(making, MADE)


def test_two_colours_rather_alike_are_warned_of(gate):
    """Two colours at a distance between 4 and 6 give a warning, but can be finished."""
    blue = (0.200, 0.100, 0.082, 0.137)
    found = []
    for step in range(19, 40):  # closer colours are refused
        mixed = tuple(a + (b - a) * step / 40 for a, b in zip((0.298, 0.07, 0.082, 0.138), blue, strict=True))
        making = reviewed(whole(gate(reflectance={"red": (0.298, 0.07, 0.082, 0.138), "blue": mixed})))
        found += [making] if making.near and not making.near[0].refused else []
        if found:
            break

    (near,) = found[0].near
    assert 4 <= near.distance < 6
    assert "questions" in near.advice
    assert finished(found[0], MADE)["copy"] == "ours"


def test_too_few_passes_are_refused(gate):
    """Each colour needs at least five passes, unless it has none and is left out."""
    making = whole(gate(), each=4)

    with pytest.raises(BadCalibration, match="Red has 4 slides and needs 5"):
        reviewed(making)


def test_a_colour_that_was_never_shown_is_left_out(gate):
    """A colour without passes is left out of the calibration, and the review says so."""
    at = gate()
    making = shown(at, ready(at, ("red", "green", "blue")), *["red"] * 10)
    making = shown(at, turned(making, "blue"), *["blue"] * 10)

    making = reviewed(making)

    assert "Left out: green" in making.last
    assert calibration_of(finished(making, MADE)).colours == ("red", "blue")


def test_one_colour_alone_is_refused(gate):
    """One colour alone can't be finished."""
    with pytest.raises(BadCalibration, match="at least two colours"):
        reviewed(shown(gate(), ready(gate()), *["red"] * 10))


def test_what_is_finished_is_whole_and_names_device_copy_and_day(gate):
    """A finished calibration is read back unchanged, with its device, copy and date."""
    line = finished(reviewed(whole(gate())), MADE)

    assert calibration_of(line).line() == line
    assert [line[name] for name in ("device", "sensor", "copy", "made")] == ["ring-7", "tcs34725", "ours", MADE]


@pytest.mark.parametrize("made", ["", "a\nday", "x" * 61])
def test_a_day_that_cannot_be_is_refused(gate, made):
    """An invalid date is refused, since the calibration couldn't be read back."""
    with pytest.raises(BadCalibration, match="made"):
        finished(reviewed(whole(gate())), made)


def test_nothing_is_finished_before_its_review(gate):
    """Nothing can be finished before its review."""
    with pytest.raises(BadCalibration, match="Review it first"):
        finished(whole(gate()), MADE)


def test_what_changes_after_a_review_has_to_be_looked_at_again(gate):
    """After a change (a forgotten pass, another colour, a new reference), the review has to be repeated."""
    at = gate(**ALIKE)
    refused = reviewed(whole(at))

    for changed in (forgotten(refused), turned(refused, "red"), looked(refused, "white", at.look("white"))):
        assert changed.stage is WizardStage.PASSES
        with pytest.raises(BadCalibration, match="Review it first"):
            finished(changed, MADE)


def test_a_pass_during_the_review_is_not_counted(gate):
    """A pass during the review doesn't count, since its colour is unknown."""
    making = reviewed(whole(gate()))

    assert shown(gate(), making, "red").passes == making.passes


def test_a_check_is_done_when_each_colour_was_read_once():
    """A check is done when each colour was read once, in any order."""
    checking = check_begun("ours", ("red", "blue", "green"), ("blue", "red"))
    for colour in ("red", "blue"):
        checking = checked(checking, RingEventKind.OUT, Judgement(colour))

    seen = check_wizard(checking)
    assert (seen.stage, seen.read, seen.counts) == (WizardStage.CHECK, ("blue", "red"), {"blue": 1, "red": 1})
    assert (seen.last, seen.trouble) == ("All colours read: the calibration fits.", "")


@pytest.mark.parametrize(
    ("read", "word"),
    [
        (Judgement(None, (("red", 0.6), ("blue", 0.4)), "ambiguous"), "sure"),
        (Judgement("green"), "green"),
        (Judgement("red"), "more than once"),
    ],
)
def test_a_check_names_what_went_wrong(read, word):
    """A check names uncertain, unknown and repeated colours, with advice."""
    checking = checked(
        check_begun("ours", ("red", "blue", "green"), ("blue", "red")), RingEventKind.OUT, Judgement("red")
    )

    seen = check_wizard(checked(checking, RingEventKind.OUT, read))

    assert word in seen.trouble
    assert "wipe" in seen.trouble


def test_a_check_does_not_count_what_is_no_single_cube():
    """A passage that isn't a single cube doesn't count in a check."""
    checking = checked(check_begun("ours", ("red", "blue"), ("red", "blue")), RingEventKind.PAIR, Judgement(None))

    assert (checking.read, checking.last.startswith("Not counted")) == ((), True)


@pytest.mark.parametrize("colours", [(), ("red", "teal")])
def test_a_check_wants_colours_that_the_calibration_knows(colours):
    """Every colour of a check must be in the calibration."""
    with pytest.raises(BadCalibration):
        check_begun("ours", ("red", "blue"), colours)


def test_each_turn_has_a_token_of_its_own():
    """Each colour has its own token, so that a late passage counts for the right colour."""
    turns = Tokens(iter([7, 8, 9]))
    turns.turn_to("red")
    turns.turn_to("red")
    turns.turn_to("blue")

    assert turns.order == (8, {"blue": 10})
    assert [turns.colour(token) for token in (7, 8, 9)] == ["red", "blue", None]


def test_a_simulated_hand_never_runs_dry():
    """Before the simulated hand runs out of cubes, a new token orders more."""
    turns = Tokens(iter(range(7, 20)))
    turns.turn_to("red")
    for _ in range(8):
        turns.slid(7, 1)
        turns.turn_to("red")

    assert turns.order == (8, {"red": 10})
    assert turns.colour(7) == "red"


def test_after_the_end_no_token_counts():
    """After the end, a token of a late passage belongs to no colour."""
    turns = Tokens(iter([7]))
    turns.turn_to("red")
    turns.end()

    assert (turns.order, turns.colour(7)) == (None, None)

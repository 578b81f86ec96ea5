"""METHODS: the judge of colours is selected by its name, which the calibration stores."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from firmware_bridge.colour import METHODS, CalibratedJudge, NearestJudge, calibration_of, judge_of, leave_one_out
from firmware_bridge.colour.calibration import USUAL_METHOD
from firmware_bridge.colour.nearest import nearest, spreads
from firmware_bridge.device.sensor_chips import CHIPS, USUAL
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.evaluation.recognition import Trial, calibrated, combined, read, recognise
from firmware_bridge.simulation.physics.world import World
from tests.firmware_bridge.colour.test_colour import FIVE, SPEED, bench

STRANGERS = ("orange", "purple", "white", "wood")


@pytest.fixture(scope="module")
def made():
    """A calibration of five colours with the usual method."""
    return calibrated(bench(), FIVE, passes=10, speed=SPEED)


@pytest.fixture(params=METHODS)
def method(request) -> str:
    """Each method of the table."""
    return request.param


def test_a_calibration_without_a_name_is_judged_as_ever(made):
    """The usual method adds no field to the calibration's line, and doesn't change its id."""
    line = made.line()

    assert "method" not in line
    assert calibration_of(line).method == USUAL_METHOD
    assert isinstance(judge_of(calibration_of(line)), CalibratedJudge)
    assert calibration_of({**line, "method": USUAL_METHOD}).id == made.id


def test_a_calibration_carries_the_name_of_its_method(made):
    """Another method is stored by name, is used again after loading, and changes the id."""
    other = replace(made, method="nearest")
    again = calibration_of(json.loads(json.dumps(other.line())))

    assert again.line() == other.line()
    assert again.id != made.id
    assert isinstance(judge_of(again), NearestJudge)


@pytest.mark.parametrize("name", ["divination", "", 7, None])
def test_an_unknown_method_is_refused_with_those_that_there_are(made, name):
    """An unknown method is refused, with a list of the known ones."""
    with pytest.raises(InputError, match="method"):
        calibration_of({**made.line(), "method": name})


def test_every_method_is_never_wrong_and_seldom_unsure_with_every_chip(method):
    """In the usual world, with every chip, no method reads a passage wrongly, and few passages are uncertain."""
    for chip in CHIPS:
        trials = [Trial(World(), FIVE, passes=12, seed=seed, sensor=chip, method=method) for seed in (1, 2)]
        outcome = combined([recognise(trial) for trial in trials])

        assert outcome.passages == 24 * len(FIVE)
        assert outcome.wrong == 0
        assert outcome.unsure <= 0.05 * outcome.passages


def test_no_method_takes_a_stranger_for_a_known_colour(method):
    """With every method, nearly all passes of unknown colours are "unknown"."""
    outcome = recognise(Trial(World(), FIVE, STRANGERS, passes=25, speeds=(SPEED, SPEED), method=method))
    named = sum(seen.total() - seen["unknown"] for seen in outcome.strangers.values())

    assert named <= 3


def test_a_reading_without_frames_is_unread(made, method):
    """A reading without frames is "unread" for every method."""
    judge = judge_of(replace(made, method=method))
    reading = read(bench(), bench().cubes("red")[0], SPEED)
    judgement = judge.judge(replace(reading, frames=()), {"red": 1})

    assert (judgement.colour, judgement.why, judgement.calibration) == (None, "unread", judge.id)


def test_the_passes_of_a_calibration_are_judged_by_its_own_method(made, method):
    """Leave-one-out uses the calibration's own method."""
    found = leave_one_out(replace(made, method=method))

    assert {colour: sum(read.values()) for colour, read in found.items()} == dict.fromkeys(FIVE, 10)
    assert sum(read.get(colour, 0) for colour, read in found.items()) >= 45


def test_the_nearest_pass_counts_and_its_own_is_left_out():
    """A colour's spread is the distance of each pass to the nearest other one, averaged with that of all colours."""
    points = {"red": [(0.5, 0.2, 0.0), (0.5, 0.3, 0.0)], "blue": [(0.1, 0.2, 0.0), (0.1, 0.2, 0.3)]}

    assert nearest((0.5, 0.2, 0.0), points["red"]) == 0
    assert spreads(points)["red"] == pytest.approx((2 * 0.01 + 5 * 0.05) / 7)
    assert spreads({"red": points["red"], "blue": points["red"]})["red"] == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("sensor", "most"), [(chip.NAME, chip.FULL) for chip in CHIPS] + [("another maker's", USUAL.FULL)]
)
def test_counts_reach_as_far_as_the_sensor_s(made, sensor, most):
    """A calibration with more counts than its chip can have is refused; an unknown chip is treated as the usual one."""
    line = {**made.line(), "sensor": sensor}
    first, *others = line["passes"]

    def with_clear(count: int) -> dict[str, object]:
        r, g, b, _ = first["frames"][0]
        return {**line, "passes": [{**first, "frames": [[r, g, b, count]]}, *others]}

    assert calibration_of(with_clear(most)).passes[0].frames[0][3] == most
    with pytest.raises(InputError, match=rf"{most}"):
        calibration_of(with_clear(most + 1))

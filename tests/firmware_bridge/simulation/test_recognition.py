"""`ring recognise`: colours and counts in the simulated world, from cube to classification."""

from __future__ import annotations

import json

import pytest

from companion.app.cli.main import main
from firmware_bridge.device.sensor_chips import CHIPS
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.evaluation.recognition import Trial, as_json, check, combined, recognise
from firmware_bridge.simulation.physics.world import World, world

FIVE = ("red", "yellow", "green", "blue", "black")
NINE = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black", "wood")
SLOW_TO_FAST = (20.0, 500.0)
HARD = {
    "little light": {"white_counts": 100},
    "flicker": {"ambient": 0.2, "ambient_modulation": 1.0, "ambient_hz": 100},
    "an aged lamp": {"after_calibration": {"drift": 0.7}},
    "a scattering window": {"after_calibration": {"stray_mean": 0.25}},
    "another lamp": {"lamp": [0.45, 0.33, 0.20, 1.0]},
    "rough paint": {"paint_sigma": 0.08},
    "crooked cubes": {"pose_sigma": 0.35},
    "glossy cubes": {"stray_sigma": 0.06},
    "large cubes": {"edge_mm": 10.0},
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("colours", "unsure"), [(FIVE, 0.02), (NINE, 0.03)])
def test_almost_every_colour_is_told_and_none_wrongly(colours, unsure, chip):
    """In the usual world, no colour is wrong, and few are uncertain."""
    trials = (Trial(World(), colours, passes=12, speeds=(100.0, 100.0), seed=seed, sensor=chip) for seed in (1, 2))
    outcome = combined([recognise(trial) for trial in trials])

    assert outcome.passages == 24 * len(colours)
    assert outcome.wrong == 0
    assert outcome.unsure <= unsure * outcome.passages


@pytest.fixture
def passes(request):
    """The number of passes per colour in a difficult world: fewer in a short run."""
    return 40 if request.config.getoption("long") else 8


@pytest.mark.parametrize("place", HARD)
def test_what_is_hard_to_see_is_not_told_wrongly(place, passes):
    """In difficult light, with a bad window or paint, nearly no colour is wrong; uncertain ones are left to players."""
    outcome = recognise(Trial(world(HARD[place]), FIVE, passes=passes, speeds=SLOW_TO_FAST, seed=3))

    assert outcome.wrong <= 0.005 * outcome.passages
    assert outcome.unsure < 0.2 * outcome.passages


def test_strangers_are_unknown():
    """Orange, purple, white and bare wood are unknown if only the five usual colours are calibrated."""
    strangers = ("orange", "purple", "white", "wood")

    outcome = recognise(Trial(World(), FIVE, strangers, passes=12, speeds=(100.0, 100.0)))

    assert {colour: read["unknown"] for colour, read in outcome.strangers.items()} == dict.fromkeys(strangers, 12)


def test_bare_wood_is_known_once_it_is_registered():
    """Bare wood is recognised after it has been calibrated."""
    outcome = recognise(Trial(World(), (*FIVE, "wood"), passes=30, speeds=(100.0, 100.0)))

    assert outcome.confusion["wood"]["wood"] >= 29


def test_each_cube_is_counted_once_whatever_happens_beside_it():
    """Hesitating hands, pokes, blinks and stuck cubes neither hide nor double a cube."""
    restless = world({"rates": {"back": 0.4, "poke": 0.4, "glitch": 0.4, "stuck": 0.1}})

    outcome = recognise(Trial(restless, ("red", "blue"), passes=50, speeds=SLOW_TO_FAST))

    assert (outcome.missed, outcome.doubled) == (0, 0)


@pytest.mark.parametrize("speed", [20.0, 500.0, 2000.0])
def test_no_speed_makes_a_cube_be_missed(speed):
    """At any speed that allows a calibration, each cube is counted once; a faster trial is refused with advice."""
    fast = Trial(World(), ("red", "blue"), passes=40, speeds=(speed, speed))

    if speed > 690:
        with pytest.raises(InputError, match="slide slower"):
            recognise(fast)
    else:
        assert (recognise(fast).missed, recognise(fast).doubled) == (0, 0)


def test_the_same_seed_gives_the_same_outcome():
    """The same seed gives the same result."""
    dim = world({"white_counts": 100, "paint_sigma": 0.08})
    trials = [Trial(dim, NINE, passes=10, seed=seed) for seed in (4, 4, 5)]

    one, same, other = ({**as_json(recognise(trial)), "ms_per_passage": 0} for trial in trials)

    assert one == same
    assert one != other


@pytest.mark.parametrize(
    ("trial", "reason"),
    [
        (Trial(World(), ("red", "mauve")), "no colour `mauve`"),
        (Trial(World(), ("red",)), "at least two"),
        (Trial(World(), ("red", "red")), "twice"),
        (Trial(World(), ("red", "blue"), ("red",)), "can't be a stranger"),
    ],
)
def test_a_trial_that_cannot_be_is_refused(trial, reason):
    """An impossible trial is refused with one sentence."""
    with pytest.raises(InputError, match=reason):
        check(trial)


def test_the_command_prints_what_came_out(capsys):
    """The command prints JSON: passages, wrong, uncertain, missed and doubled ones, confusion, and time per passage."""
    status = main(
        ["ring", "recognise", "--passes", "5", "--seed", "2", "--speed", "100", "--strangers", "white", "--json"]
    )

    told = json.loads(capsys.readouterr().out)
    assert status == 0
    assert set(told) == {"passages", "wrong", "unsure", "missed", "doubled", "confusion", "ms_per_passage", "strangers"}
    assert told["passages"] == 25
    assert told["strangers"] == {"white": {"unknown": 5}}


def test_the_command_prints_a_table_for_people(capsys):
    """The command prints a readable table, which says that the data are simulated."""
    assert main(["ring", "recognise", "--passes", "3", "--colours", "red,blue", "--speed", "50-200"]) == 0

    out = capsys.readouterr().out
    assert "Simulated" in out
    assert "6 passages, 1 calibration" in out


def status(words: list[str]) -> object:
    """Return the status of a command, whether argparse or the command itself refuses it."""
    try:
        return main(words)
    except SystemExit as refused:
        return refused.code


@pytest.mark.parametrize(
    "words",
    [
        ["--passes", "0"],
        ["--calibrate", "101"],
        ["--speed", "fast"],
        ["--speed", "500-20"],
        ["--colours", "red,mauve"],
        ["--world", "nowhere.toml"],
    ],
)
def test_nonsense_is_refused_with_one_line(words, capsys):
    """Invalid arguments give status 2 and one line on standard error."""
    assert status(["ring", "recognise", *words]) == 2

    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)

"""HAND: the suite at a ring that can't slide by order, with a person who only reads the prompts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.colour import Calibration, Pass
from firmware_bridge.colour.channels import BLACK_CARD, NOMINAL, WHITE_SHUTTER, Channels
from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.protocol.messages import FilterReport
from tests.hardware.example_device.by_prompts import Person, run
from tests.hil.rungs.example import Example

LAMP = (0.336, 0.374, 0.303, 1.0)
WHITE = 400.0
PATIENCE_S = 10.0


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[Example]:
    """The device in C, which says that it isn't simulated."""
    made = Example(tmp_path, "", "--real")
    yield made
    made.close()


@pytest.fixture
def calibration(tmp_path: Path) -> Path:
    """A calibration for that ring: four colours, ten passes each."""
    lots = Random(3)
    passes = [
        Pass(colour, tuple(counts(NOMINAL[colour], lots) for _ in range(6)), counts(WHITE_SHUTTER, lots), (0.0,) * 4)
        for colour in ("red", "blue", "green", "yellow")
        for _ in range(10)
    ]
    white, black = counts(WHITE_SHUTTER, lots), counts(BLACK_CARD, lots)
    whole = Calibration("example-c", "tcs34725", "a copy", "2026-01-01T00:00:00Z", black, white, tuple(passes))
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(whole.line()))
    return path


def counts(paint: Channels, lots: Random) -> Channels:
    """Return the counts of one frame of *paint*."""
    r, g, b, c = (WHITE * lamp * p + lots.gauss(0.5, 0.3) for lamp, p in zip(LAMP, paint, strict=True))
    return r, g, b, c


def kept(said: str) -> tuple[int, int, int]:
    """Return how many promises were kept, broken, and not applicable."""
    (found,) = re.findall(r"real:\S+: (\d+) kept, (\d+) broken, (\d+) not applicable", said)
    return tuple(map(int, found))


@pytest.mark.long
@pytest.mark.parametrize("words", ["switches_are_told or goes_back or boot_of_its_own or length_is_what"])
def test_somebody_who_only_reads_the_prompts_gets_through(ring, calibration, words):
    """The prompts are enough: they say what to do and how often, what was seen, and allow another try."""
    person = Person(ring, clumsy=True)

    status, said = run(ring, person, ["-k", words, f"--calibration={calibration}"])

    assert (status, kept(said)) == (0, (7, 0, 0)), said
    assert person.typed.count("r") == 1
    assert any(line.startswith("DO 2 of 2: Pull the ring's plug") for line in person.read)
    assert any(line.startswith("ONCE MORE: ") for line in person.read)
    assert not [line for line in person.read if "traceback" in line.lower()]


def test_what_somebody_skips_is_not_called_kept(ring, calibration):
    """A skipped promise, and one whose colour isn't calibrated, are not applicable."""
    status, said = run(ring, Person(ring, lacks="yellow"), ["-k", "colours_are_told", f"--calibration={calibration}"])

    assert (status, kept(said)) == (0, (3, 0, 3)), said
    assert "Skipped by the person at the bench." in said
    assert "the calibration knows no white" in said


def test_what_a_test_has_set_is_put_back_though_the_run_was_ended(ring):
    """If the person ends the run during a test that has set `stuck`, the setting is restored."""
    status, said = run(ring, Person(ring, quits=True), ["-k", "cube_is_stuck_is_a_setting"])

    assert (status, "Ended by the person at the bench." in said) == (2, True), said
    talk = Conversation(ring.wire(), ring.now, iter(["after"]).__next__)
    talk.greet(PATIENCE_S)
    talk.say("dump")
    sift = talk.wait(lambda line: isinstance(line.message, FilterReport), PATIENCE_S, 0)
    assert " stuck=2500 " in sift.body


@pytest.mark.long
def test_the_whole_suite_by_hand(ring, calibration):
    """Everything that a person can do is kept, simulation-only promises are not applicable, and none is broken."""
    status, said = run(ring, Person(ring), [f"--calibration={calibration}"])

    assert status == 0, said
    assert kept(said)[0] > 150
    assert kept(said)[1] == 0

"""The fuzzer's own parts: its scripts reach both ends, and cause no failure."""

from __future__ import annotations

import sys
from random import Random

import pytest

from firmware_bridge.device.codec import parse
from firmware_bridge.device.framing import LineFraming
from tests.fuzz.ends import ENDS
from tests.fuzz.script import sealed, steps, varied
from tests.fuzz.seeds import STEPS, seeds


@pytest.mark.parametrize("end", sorted(ENDS))
def test_every_first_script_is_survived(end):
    """The first scripts of a run cause no failure."""
    for script in seeds(end):
        ENDS[end](script)


@pytest.mark.parametrize("end", sorted(ENDS))
def test_a_few_hundred_others_are_survived(end):
    """Hundreds of random changes of the first scripts cause no failure; a whole run is `make fuzz`."""
    lots, scripts = Random(1), seeds(end)
    for _ in range(400):
        script = varied(lots.choice(scripts), lots.getrandbits(32), STEPS[end])
        scripts.append(script)
        ENDS[end](script)


@pytest.mark.parametrize("end", sorted(ENDS))
def test_the_steps_get_past_the_checksum(end):
    """Each step that an end should receive is a complete line with a message."""
    bodies = [step for step in STEPS[end] if step[:1] not in b"~@!"]

    assert [parse(body) is not None for step in bodies for body in LineFraming().feed(sealed(step))] == [True] * len(
        bodies
    )


def test_a_script_is_what_it_says():
    """A script consists of raw bytes, waits, events of the ring itself, and lines."""
    told = list(steps(b"~\xff\n@5\n!r\nhi"))

    assert told == [("raw", b"\xff"), ("wait", b"5"), ("own", b"r"), ("raw", sealed(b"hi"))]


def test_no_hunt_is_part_of_the_tests():
    """The library of the fuzzer is large and an optional extra, so no test imports it."""
    assert "tests.fuzz.hunting" not in sys.modules

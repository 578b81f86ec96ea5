"""The faults for the ring's tests: each fits the sources and names the promise that it breaks, and one is tried."""

from __future__ import annotations

import re

import pytest

from tests.hil.rungs.example import SOURCES, built
from tests.mutants.catalogue import Mutant, mutants
from tests.mutants.promises.__main__ import HERE, ROOT, DeviceFault, device_faults, on_the_device
from tests.mutants.sandbox import replaced

HOSTS = mutants(HERE / "host.toml")
PLANTED = {name for path in SOURCES.glob("*.c") for name in re.findall(r'fault\("([\w-]+)"\)', path.read_text())}
SENTENCE = re.compile(r"def (test_\w+)\(")


def test_there_are_thirty_and_more_on_each_side():
    """Each fault has a unique name, and the device knows exactly the faults in its list."""
    assert {each.name for each in device_faults()} == PLANTED
    assert min(len(PLANTED), len({each.name for each in HOSTS})) >= 30
    assert len(HOSTS) == len({each.name for each in HOSTS})


@pytest.mark.parametrize("fault", device_faults(), ids=lambda fault: fault.name)
def test_the_promise_that_it_breaks_is_in_the_suite(fault: DeviceFault):
    """Each fault names a test of the suite for rings."""
    for test in fault.tests:
        path, _, name = test.partition("::")
        assert name in SENTENCE.findall((ROOT / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("mutant", HOSTS, ids=lambda mutant: mutant.name)
def test_every_fault_of_the_host_has_its_place(mutant: Mutant):
    """Each old text is in its file exactly once, and the tests of its promise exist."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")

    assert replaced(text, mutant) != text
    assert [test for test in mutant.tests if not (ROOT / test).exists()] == []


def test_the_device_is_built_without_a_warning_and_stays_short():
    """The example device in C has under 800 lines and compiles without warnings."""
    assert built().is_file()
    assert len((SOURCES / "device.c").read_text(encoding="utf-8").splitlines()) < 800


def test_a_fault_that_is_switched_on_is_noticed():
    """A test notices one fault, and passes without the fault."""
    (dead_time,) = (each for each in device_faults() if each.name == "dead-time")

    without, found = on_the_device([dead_time])

    assert without.noticed, without.by
    assert found.noticed
    assert "test_one_that_follows_is_counted_by_itself" in found.by

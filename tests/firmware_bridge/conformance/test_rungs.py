"""Names of rungs: a misspelt name is refused, and never selects another rung or another chip."""

from __future__ import annotations

import subprocess
import sys

import pytest

from firmware_bridge.device.sensor_chips import CHIPS
from rungs.rung import Missing
from tests.firmware_bridge.conformance.orders import QUIETLY, ROOT
from tests.hil.rungs import SENSED, maker, names


def test_each_rung_that_the_suite_has_can_be_named():
    """Every rung of the usual run can be named, and the cheap ones with each chip."""
    for name in [*names(), *(f"{kind}:{chip.NAME}" for kind in SENSED for chip in CHIPS), "example:dead-time"]:
        maker(name)


@pytest.mark.parametrize("kind", sorted(SENSED))
@pytest.mark.parametrize("sensor", ["vel7", "TCS34725", ""])
def test_a_rung_with_an_unknown_chip_is_refused(kind, sensor):
    """An unknown chip is refused with a list of the chips, not replaced by the usual one."""
    choices = ", ".join(chip.NAME for chip in CHIPS)

    with pytest.raises(Missing) as refused:
        maker(f"{kind}:{sensor}")

    assert str(refused.value) == f"no such chip: {sensor} (choose from {choices})"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("virtul", "no such rung: virtul (choose from "),
        ("virtual-pty:apds9960", "nothing may follow virtual-pty"),
    ],
)
def test_a_rung_that_does_not_exist_is_refused(name, why):
    """A rung that is misspelt, or that names a chip for a rung without a choice of chips, is refused."""
    with pytest.raises(Missing) as refused:
        maker(name)

    assert str(refused.value).startswith(why)


def test_a_misspelt_chip_ends_the_run_with_one_error():
    """A misspelt chip ends the run of the suite with one error before any test."""
    command = [sys.executable, "-m", "pytest", "tests/hil", *QUIETLY, "--rung=virtual:vel7"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, " passed" in done.stdout) == (int(pytest.ExitCode.USAGE_ERROR), False)
    assert "ERROR: --rung=virtual:vel7: no such chip: vel7 (choose from tcs34725, apds9960" in done.stderr

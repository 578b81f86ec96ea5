"""The example of the tutorial: every promise of the thermometer is kept on every rung, and faults are noticed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "thermometer"
ROOT = EXAMPLE.parents[2]
PLUGIN = ("-p", "rungs.plugin", "-p", "no:cacheprovider")
PROMISES = 12
MOST_LINES = 100


@pytest.fixture
def thermometer(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A copy of the example, whose processes find the kit."""
    shutil.copytree(EXAMPLE, pytester.path, dirs_exist_ok=True)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return pytester


def test_every_promise_is_kept_on_three_rungs(thermometer: pytest.Pytester) -> None:
    """Rungs: twelve promises each on the model, on the program behind a pty, and at a serial port."""
    # A pty whose other end is another pty: what a USB cable is between two computers.
    cable = subprocess.Popen(
        [sys.executable, "-c", CABLE], cwd=thermometer.path, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    )  # fmt: skip
    try:
        assert cable.stdout is not None
        port = cable.stdout.readline().strip()
        rungs = ("model", f"process:{sys.executable} thermometer.py {{pty}}", f"serial:{port}")
        result = thermometer.runpytest_subprocess(
            *PLUGIN, *(f"--rung={rung}" for rung in rungs), "--rungs-report=report"
        )
    finally:
        cable.kill()
        cable.wait()
        cable.stdout.close()

    result.assert_outcomes(passed=PROMISES * 3)
    record = json.loads((thermometer.path / "report" / "record.json").read_text())
    assert [len(rung["promises"]) for rung in record["rungs"]] == [PROMISES] * 3


CABLE = """
import os
from rungs.wire import Terminal
from thermometer import Thermometer
terminal, device = Terminal(), Thermometer()
print(terminal.path, flush=True)
while True:
    terminal.wire.write(device.receive(terminal.wire.read(60.0)))
"""


def test_the_device_in_c_keeps_every_promise(thermometer: pytest.Pytester) -> None:
    """C: the same twelve promises, on a program that was written from the document too."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("There is no C compiler.")
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-o", "thermometer", "thermometer.c"]
    subprocess.run(command, cwd=thermometer.path, check=True)

    result = thermometer.runpytest_subprocess(*PLUGIN, "--rung=process:./thermometer {pty}")

    result.assert_outcomes(passed=PROMISES)


@pytest.mark.parametrize("name", ["thermometer.py", "thermometer.c"])
def test_a_device_is_short(name: str) -> None:
    """Length: a hundred lines at most."""
    assert len((EXAMPLE / name).read_text().splitlines()) <= MOST_LINES


def test_each_fault_is_noticed_by_the_promise_that_it_breaks(thermometer: pytest.Pytester) -> None:
    """Faults: the list of the example, and a status of 0."""
    result = thermometer.runpytest_subprocess(*PLUGIN, "--rung=model", "--rungs-faults=all")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["4 noticed by its promise, 0 noticed by another, 0 missed, 0 not applicable"])


@pytest.mark.parametrize(
    ("names", "text", "sentence"),
    [
        ("none", None, "faults.toml has no fault 'none': choose from"),
        ("all", '[[fault]]\nname = "a"\nbreaks = "PROTOCOL.md#1"\n', "the fault 'a' has no 'how'"),
        (
            "all",
            '[[fault]]\nname = "a"\nbreaks = "PROTOCOL.md#1"\nhow = { magic = "x" }\n',
            "the fault 'a' is switched on by one of",
        ),
        (
            "all",
            '[[fault]]\nname = "a"\nbreaks = "PROTOCOL.md#1"\nhow = { patch = "PROTOCOL.md" }\n',
            "The fault 'a' does not apply: PROTOCOL.md does not fit the suite.",
        ),
    ],
)
def test_a_list_of_faults_that_cannot_be_used_is_one_sentence(
    thermometer: pytest.Pytester, names: str, text: str | None, sentence: str
) -> None:
    """Faults: a usage error of pytest's, before or instead of a verdict."""
    if text is not None:
        (thermometer.path / "faults.toml").write_text(text)

    result = thermometer.runpytest_subprocess(*PLUGIN, "--rung=model", f"--rungs-faults={names}", "-k", "identity")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{sentence}*"])

"""The example of the tutorial keeps every promise of the thermometer on every rung, and its faults are noticed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "thermometer"
ROOT = EXAMPLE.parents[2]
PLUGIN = ("-p", "rungs.plugin", "-p", "no:cacheprovider")
PROMISES = 12
MOST_LINES = 100
WITHIN_S = 20.0


@pytest.fixture
def thermometer(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A copy of the example, whose processes can import the kit."""
    shutil.copytree(EXAMPLE, pytester.path, dirs_exist_ok=True)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return pytester


@contextmanager
def started(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run Python with *words*; yield the process and its first line of output."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, *words], cwd=folder, **pipes) as process:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def outcomes(suite: pytest.Pytester, rung: str) -> dict[str, str]:
    """Return the outcome of each promise in the last run."""
    record = json.loads((suite.path / "report" / "record.json").read_text())
    (found,) = (each for each in record["rungs"] if each["name"] == rung)
    return {promise["id"]: promise["outcome"] for promise in found["promises"]}


def held(suite: pytest.Pytester, rung: str) -> int:
    """Return the number of promises that the last run kept, or did not judge because this machine was busy."""
    return sum(outcome in ("kept", "not judged") for outcome in outcomes(suite, rung).values())


def test_every_promise_is_kept_on_three_rungs(thermometer: pytest.Pytester) -> None:
    """The same twelve promises are kept on the model, on the program behind a pty, and at a serial port."""
    # A pty connected to another pty, which acts as the USB cable between two computers.
    with started(thermometer.path, "-c", CABLE) as (_, port):
        rungs = ("model", f"process:{sys.executable} thermometer.py {{pty}}", f"serial:{port}")
        asked = [f"--rung={rung}" for rung in rungs]
        thermometer.runpytest_subprocess(*PLUGIN, *asked, "--rungs-report=report")

    assert [held(thermometer, rung) for rung in rungs] == [PROMISES] * 3


def test_a_recording_of_a_run_on_a_bad_line_gives_the_same_verdicts(thermometer: pytest.Pytester) -> None:
    """If `rungs proxy` records a run with broken promises, the recording breaks the same promises when replayed."""
    on_line = ("-m", "rungs", "proxy", "--pty", "line", "--damage", "2%", "--seed", "7", "--capture", "talk.log")
    with started(thermometer.path, "-c", CABLE) as (_, port), started(thermometer.path, *on_line, port) as (proxy, _):
        # The load is off in both runs, because a recording can't show that a busy machine has delayed an answer.
        judged = ("--rungs-load=0", "--rungs-report=report")
        thermometer.runpytest_subprocess(*PLUGIN, "--rung=serial:line", *judged)
        live = outcomes(thermometer, "serial:line")
        proxy.communicate("quit\n", timeout=WITHIN_S)

    thermometer.runpytest_subprocess(*PLUGIN, "--rung=replay:talk.log", "--rungs-report=report")

    assert outcomes(thermometer, "replay:talk.log") == live
    assert {"kept", "broken"} <= set(live.values())


CABLE = """
from rungs.wire import Terminal
from thermometer import Thermometer
terminal, device = Terminal(), Thermometer()
print(terminal.path, flush=True)
while True:
    terminal.wire.write(device.receive(terminal.wire.read(60.0)))
"""


def test_the_device_in_c_keeps_every_promise(thermometer: pytest.Pytester) -> None:
    """The program in C, which was also written from the document, keeps the same twelve promises."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("There is no C compiler.")
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-o", "thermometer", "thermometer.c"]
    subprocess.run(command, cwd=thermometer.path, check=True)

    rung = "process:./thermometer {pty}"
    thermometer.runpytest_subprocess(*PLUGIN, f"--rung={rung}", "--rungs-report=report")

    assert held(thermometer, rung) == PROMISES


@pytest.mark.parametrize("name", ["thermometer.py", "thermometer.c"])
def test_a_device_is_short(name: str) -> None:
    """Each implementation of the example's device has at most a hundred lines."""
    assert len((EXAMPLE / name).read_text().splitlines()) <= MOST_LINES


def test_each_fault_is_noticed_by_the_promise_that_it_breaks(thermometer: pytest.Pytester) -> None:
    """Each fault of the example is noticed by the promise that it breaks, and the status is 0."""
    result = thermometer.runpytest_subprocess(*PLUGIN, "--rung=model", "--rungs-faults=all")

    assert result.ret == 0
    result.stdout.fnmatch_lines(["4 noticed by its promise, 0 noticed by another, 0 missed, 0 not applicable*"])


@pytest.mark.parametrize(
    ("names", "text", "sentence"),
    [
        ("none", None, "faults.toml has no fault 'none': choose from"),
        ("all", '[[fault]]\nname = "a"\nbreaks = "PROTOCOL.md#1"\n', "the fault 'a' has no 'how'"),
        (
            "all",
            '[[fault]]\nname = "a"\nbreaks = "PROTOCOL.md#1"\nhow = { magic = "x" }\n',
            "`how`: 'magic' is unknown, choose from argument, define",
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
    """A bad list of faults gives a pytest usage error with one sentence."""
    if text is not None:
        (thermometer.path / "faults.toml").write_text(text)

    result = thermometer.runpytest_subprocess(*PLUGIN, "--rung=model", f"--rungs-faults={names}", "-k", "identity")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{sentence}*"])

"""Each program in tests/ has a slice, can be imported, and runs a small part to its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.all_campaigns import ROOT, SLICES, programs, slice_of
from tests.luck.__main__ import identity
from tests.soak.course import Course
from tests.soak.handed_in import night

PATIENCE_S = 300
EXTRAS = {"selenium", "frictionless", "numpy", "scipy", "statsmodels", "atheris", "schemathesis", "matplotlib"} | {
    "homeassistant"
}
"""Libraries that only these programs need. `make` installs them for the program that uses them."""
LOADS = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as fault:
        print(name, fault.name.partition(".")[0])
"""


def test_every_program_has_its_slice() -> None:
    """Every program in tests/ is in the list with a test of `make test`, and the list has nothing else."""
    found = list(programs())

    assert [program for program in found if not slice_of(program)] == []
    assert set(SLICES) <= set(found)


@pytest.mark.parametrize("place", sorted({slice_of(program) for program in programs()}))
def test_a_slice_is_part_of_every_run(place: str) -> None:
    """Each slice exists, and is not one of the long tests."""
    path, _, name = place.partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")

    if name:
        before, found, _ = text.partition(f"def {name}(")
        assert found
        assert "mark.long" not in before.rpartition("\n\n\n")[2]


def test_each_program_finds_what_it_uses(tmp_path: Path) -> None:
    """Each program can be imported with all its dependencies, except libraries that only it uses."""
    names = [f"{name}.__main__" if (ROOT / name.replace(".", "/")).is_dir() else name for name in programs()]
    done = subprocess.run(
        [sys.executable, "-c", LOADS, *(name for name in names if ".guest." not in name)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )

    assert done.returncode == 0, done.stderr
    assert {line.split()[1] for line in done.stdout.splitlines()} <= EXTRAS


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("tests.merging", ("--games", "3", "--splits", "2")),
        ("tests.bench.rules", ("1",)),
        (
            "tests.browser.sheet",
            ("--scene", "nobody-yet", "--page", "rules", "--language", "en", "--jobs", "1", "--folder", "FOLDER"),
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_command_ends_well(module: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Each command runs for a moment and ends without an error."""
    given = [str(tmp_path) if each == "FOLDER" else each for each in arguments]
    done = subprocess.run(
        [sys.executable, "-m", module, *given], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_a_moment_of_a_night_passes(tmp_path: Path) -> None:
    """A moment of a night, in simulated time and with eight devices, runs to its end."""
    texts: list[str] = []
    night(tmp_path, 0.1, Course(texts.append), Random(1), games=0.05)

    assert "packets on the streams" in texts[-1]


def test_luck_and_the_rest_are_the_whole_game() -> None:
    """One game of each kind that has a luck model is played to its end and evaluated."""
    rows = list(identity(1))

    assert {row["game"] for row in rows} >= {"andromeda", "wreck", "hanse"}
    assert all(row["held"] for row in rows)


def test_simulated_rings_are_judged() -> None:
    """A few simulated rings are evaluated up to the last draw, if the libraries for it are installed."""
    pytest.importorskip("numpy")
    from tests.fairness.many import many_rings

    fates = many_rings(1.0, 20, 200, [(2, 9), (3, 7)], 1)

    assert fates is not None


def test_a_command_runs_next_to_busy_loops() -> None:
    """`tests.busy` runs a command as often as requested, passes its status on, and leaves no busy loop."""
    run = [sys.executable, "-m", "tests.busy", "--times", "2", "--loops", "1", sys.executable, "-c"]
    fine, failed = (
        subprocess.run([*run, deed], capture_output=True, text=True, cwd=ROOT)
        for deed in ("pass", "raise SystemExit(1)")
    )

    assert (fine.returncode, failed.returncode) == (0, 1)
    assert "2 of 2 runs succeeded next to 1 busy loops" in fine.stdout
    assert "0 of 2 runs succeeded" in failed.stdout


def test_what_a_command_costs_is_told() -> None:
    """A command that succeeds is green, and one that fails isn't."""
    # This runs in a separate process: `cost` waits for all children, and the children of a test run only end with it.
    ask = "import sys; from tests.cost import cost; print(cost([sys.executable, '-c', sys.argv[1]]).green)"
    runs = [[sys.executable, "-c", ask, deed] for deed in ("pass", "raise SystemExit(1)")]
    texts = [subprocess.run(run, capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip() for run in runs]

    assert texts == ["True", "False"]

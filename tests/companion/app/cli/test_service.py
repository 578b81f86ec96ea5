"""`companion doctor` checks the contents of the data folder and changes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from companion.ledger import Ledger
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.app.processes import companion
from tests.companion.toy import Toy

HOST = Who("host", "tablet")


def keep(data: Path, *calibrations: dict[str, object]) -> None:
    """Save *calibrations* in the ledger of *data*."""
    data.mkdir(exist_ok=True)
    table = Table(LiveGame(Ledger.open(data / "ledger.sqlite"), {"toy": Toy()}, lambda: 1.0, Random(1)))
    for each in calibrations:
        table.save_calibration(each, HOST)
    table.close()


@pytest.mark.parametrize(
    ("days", "ago", "long"), [(0, "today", False), (1, "yesterday", False), (400, "400 days ago", True)]
)
def test_the_age_of_each_copys_calibration_is_said(tmp_path: Path, days: int, ago: str, long: bool) -> None:
    """Doctor prints the age of the newest calibration of each copy of the game, with advice if it is old."""
    made = datetime.now(UTC) - timedelta(days=days, hours=1)
    keep(tmp_path, {"copy": "ours", "made": "2020-01-01T00:00:00Z"}, {"copy": "ours", "made": made.isoformat()})

    said = companion("doctor", "--data", tmp_path)

    assert said.returncode == 0
    (line,) = [line for line in said.stdout.splitlines() if "calibration" in line]
    assert f"“ours” was made {ago}." in line
    assert ("check the white" in line) is long


@pytest.mark.parametrize("made", ["yesterday", None, 7, ""], ids=repr)
def test_a_calibration_without_a_date_is_told_as_such(tmp_path: Path, made: object) -> None:
    """Doctor: a calibration without a valid date is reported, with status 0."""
    keep(tmp_path, {"copy": "ours", "made": made})

    said = companion("doctor", "--data", tmp_path)

    assert said.returncode == 0
    assert "doesn't say when" in said.stdout


def test_the_size_of_the_captures_is_said(tmp_path: Path) -> None:
    """Doctor: the size of the ring's captures is printed in megabytes."""
    keep(tmp_path)
    folder = tmp_path / "captures"
    folder.mkdir()
    (folder / "ring-000001.log").write_bytes(b"x" * 1_500_000)

    assert "take 1.5 MB" in companion("doctor", "--data", tmp_path).stdout


@pytest.mark.parametrize(
    ("ring", "status", "says"),
    [
        ("mock:", 0, "fine  A simulated ring answers at mock:: device virtual,"),
        ("none", 0, "fine  No ring in use"),
        ("/no/such/port", 1, "CARE  No ring at /no/such/port: is it plugged in?"),
        ("gpio:?bus=22", 1, "CARE  gpio: "),
    ],
)
def test_a_ring_that_is_named_is_looked_at(tmp_path: Path, ring: str, status: int, says: str) -> None:
    """With --ring, doctor prints one line that says which ring answers, or why none does, for example no I2C bus."""
    said = companion("doctor", "--data", tmp_path, "--ring", ring)

    assert said.returncode == status
    assert said.stdout.splitlines()[-1].startswith(says)


@pytest.mark.parametrize(
    ("told", "status", "says"),
    [
        ('factory = "mock"\n[next]\nbutton = 4\n', 0, "fine  Console wired as {file} says: 1 pin (mock)."),
        ("[next]\nbuton = 4\n", 1, "CARE  {file}: next.buton isn't known here; choose from button."),
        ("[next\n", 1, "CARE  {file} isn't a TOML file: "),
        (None, 1, "CARE  {file} can't be read: No such file or directory."),
    ],
)
def test_a_console_that_is_named_is_looked_over(tmp_path: Path, told: str | None, status: int, says: str) -> None:
    """Doctor: with --console, one line says how many pins the console uses, or why the console cannot be used."""
    file = tmp_path / "ours.toml"
    if told is not None:
        file.write_text(told, encoding="utf-8")

    said = companion("doctor", "--data", tmp_path, "--console", file)

    assert said.returncode == status
    assert said.stdout.splitlines()[-1].startswith(says.format(file=file))


def test_the_console_of_the_data_folder_is_looked_over_unasked(tmp_path: Path) -> None:
    """Doctor checks the data folder's console.toml without an option, including for conflicts with the ring's pins."""
    (tmp_path / "console.toml").write_text('factory = "mock"\n[buzzer]\npin = 27\n', encoding="utf-8")

    alone = companion("doctor", "--data", tmp_path)
    with_ring = companion("doctor", "--data", tmp_path, "--ring", "gpio:")

    assert alone.stdout.splitlines()[-1].startswith("fine  Console wired as")
    assert "the ring's b and buzzer.pin can't both be on pin 27." in with_ring.stdout


def test_pins_that_want_another_folder_say_so(tmp_path: Path) -> None:
    """If lgpio can't create its pipe in the working directory, doctor's lines about the ring and the console say so."""
    (tmp_path / "lgpio.py").write_text("raise FileNotFoundError(2, 'No such file', '.lgd-nfy-3')", encoding="utf-8")
    (tmp_path / "console.toml").write_text("[next]\nbutton = 4\n", encoding="utf-8")
    with_it = {**os.environ, "PYTHONPATH": str(tmp_path)}

    command = [sys.executable, "-m", "companion", "doctor", "--data", tmp_path, "--ring", "gpio:"]
    looked = subprocess.run(command, env=with_it, capture_output=True, text=True, timeout=60, check=False)

    assert looked.returncode == 1
    told = [line for line in looked.stdout.splitlines() if "lgpio can't write in the folder" in line]
    assert [line.split()[0] for line in told] == ["CARE", "CARE"]


def test_programs_read_what_people_read(tmp_path: Path) -> None:
    """`doctor --json` prints the same sentences, each with its subject and its severity."""
    keep(tmp_path)

    looked = companion("doctor", "--json", "--data", tmp_path)

    told = json.loads(looked.stdout)
    said = companion("doctor", "--data", tmp_path).stdout.splitlines()
    assert (looked.returncode, told["well"], len(told["findings"])) == (0, True, len(said))
    assert {each["state"] for each in told["findings"]} <= {"fine", "note"}
    assert [each["sentence"] for each in told["findings"] if each["about"] == "ledger"] == [
        f"The ledger in {tmp_path} opens; its newest row is 0."
    ]


def test_a_folder_is_left_as_it_was(tmp_path: Path) -> None:
    """Doctor: the test of the SD card leaves no file in the folder."""
    companion("doctor", "--data", tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_no_console_is_nothing_to_tell(tmp_path: Path) -> None:
    """Doctor: without a console, no line mentions consoles."""
    assert "A console" not in companion("doctor", "--data", tmp_path).stdout


def test_an_address_that_is_none_is_bad_usage(tmp_path: Path) -> None:
    """Doctor: an invalid ring address prints one line that says what is wrong, with status 2."""
    said = companion("doctor", "--data", tmp_path, "--ring", "gpio:?a=99")

    assert (said.returncode, said.stdout) == (2, "")
    assert "--ring: gpio:?a=99: a is a number" in said.stderr


PACE = "import os; from companion.app.cli.main import main; main(); print(os.nice(0))"


def test_a_game_that_is_on_comes_first(tmp_path: Path) -> None:
    """Doctor lowers its own priority, so that a running game stays fast."""
    found = subprocess.run(
        [sys.executable, "-c", PACE, "doctor", "--data", str(tmp_path)], capture_output=True, text=True, check=True
    )

    assert int(found.stdout.split()[-1]) == min(os.nice(0) + 10, 19)


def test_a_caller_keeps_its_pace(tmp_path: Path) -> None:
    """If doctor runs in the caller's process, it does not lower the caller's priority."""
    before = os.nice(0)

    companion("doctor", "--data", tmp_path)

    assert os.nice(0) == before

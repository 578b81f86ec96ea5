"""A console on the command line: `serve` runs it, and `console try` tests each of its parts."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.companion.app.processes import PATIENCE_S, Service, companion
from tests.forkserver.process import Forked

HARDWARE = Path(__file__).resolve().parents[4] / "hardware"
NO_PINS = pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="this machine has pins")


def pretended(folder: Path, name: str = "console.toml") -> Path:
    """Write the example configuration with simulated pins."""
    path = folder / name
    text = (HARDWARE / "console.toml").read_text(encoding="utf-8")
    path.write_text(text.replace('"lgpio"', '"mock"'), encoding="utf-8")
    return path


def serve(*arguments: object) -> Forked:
    """Start a service that may exit on its own."""
    return Forked("companion", "serve", "--bind", "127.0.0.1", "--port", 0, *arguments)


def ended(process: Forked) -> tuple[str, int]:
    """Wait until *process* prints its address, send SIGTERM, and return its standard error and exit status."""
    with process:
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=PATIENCE_S)
        return complaints, process.wait()


def test_the_console_of_the_data_folder_is_served_and_ends_with_the_service(tmp_path: Path) -> None:
    """`serve` uses the console.toml in the data folder without an option, and exits with status 0."""
    pretended(tmp_path)
    service = Service(tmp_path)

    looked = companion("doctor", "--data", tmp_path)

    assert "Console wired as" in looked.stdout
    assert service.stop() == 0


@NO_PINS
@pytest.mark.parametrize("named", [False, True])
def test_without_pins_the_evening_goes_on(tmp_path: Path, named: bool) -> None:
    """Without GPIO pins, `serve` prints one line that says so, and runs without a console."""
    path = HARDWARE / "console.toml"
    if not named:
        (tmp_path / "console.toml").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")

    complaints, status = ended(serve("--data", tmp_path, *(("--console", path) if named else ())))

    (line,) = complaints.splitlines()
    assert line.startswith("companion: ")
    assert line.endswith(" The game goes on without a console.")
    assert status == 0


def test_a_slip_in_the_data_folders_file_keeps_nobody_from_playing(tmp_path: Path) -> None:
    """`serve` reports an invalid console.toml in the data folder, but still starts."""
    (tmp_path / "console.toml").write_text("[next]\n", encoding="utf-8")

    complaints, status = ended(serve("--data", tmp_path))

    assert (
        "next.button is missing; it must be a pin's BCM number from 2 to 27. The game goes on without a console."
        in complaints
    )
    assert status == 0


def test_a_file_that_was_named_must_be_right(tmp_path: Path) -> None:
    """`serve` refuses an invalid file given by --console in one line, and does not start."""
    path = tmp_path / "ours.toml"
    path.write_text("[next]\n", encoding="utf-8")

    with serve("--data", tmp_path, "--console", path) as process:
        said, complaints = process.communicate(timeout=PATIENCE_S)

    assert (process.returncode, said) == (2, "")
    assert (
        complaints
        == f"companion: --console: {path}: next.button is missing; it must be a pin's BCM number from 2 to 27.\n"
    )


def test_a_console_is_tried_part_by_part(tmp_path: Path) -> None:
    """`console try` tests only the configured parts, and each line names its part."""
    path = tmp_path / "ours.toml"
    path.write_text('factory = "mock"\n[seats.red]\nbutton = 4\nled = 5\n', encoding="utf-8")

    tried = companion("console", "try", "--once", path)

    assert (tried.stdout.splitlines(), tried.returncode) == (["The light of red shines."], 0)


@pytest.mark.parametrize(("told", "status"), [("[next]\n", 2), pytest.param("[next]\nbutton = 4\n", 1, marks=NO_PINS)])
def test_what_cannot_be_tried_is_told_in_one_line(tmp_path: Path, told: str, status: int) -> None:
    """`console try` prints one error line; its status is 2 for an invalid file and 1 on a machine without pins."""
    path = tmp_path / "ours.toml"
    path.write_text(told, encoding="utf-8")

    tried = companion("console", "try", path)

    assert (tried.returncode, tried.stdout) == (status, "")
    (line,) = tried.stderr.splitlines()
    assert line.startswith("companion: ")

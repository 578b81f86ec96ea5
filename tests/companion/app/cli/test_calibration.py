"""`companion calibrate` and `companion calibration`: a calibration is made, saved, exported and imported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.companion.app.processes import Service, companion

TEACH = ("calibrate", "--ring", "mock:?seed=4", "--colours", "red, Blue", "--passes", 5, "--copy", "The red box")


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one saved calibration, which was also written to the file out.json."""
    folder = tmp_path_factory.mktemp("taught")
    done = companion(*TEACH, "--data", folder / "data", "--out", folder / "out.json", given="\n" * 14)
    assert (done.returncode, "Saved: the calibration of “The red box”" in done.stdout) == (0, True), done.stderr
    return folder


def test_what_was_taught_is_kept_whole(taught: Path) -> None:
    """The file written while calibrating and a later export have the same content."""
    done = companion("calibration", "export", "--copy", "The red box", "--data", taught / "data", taught / "again.json")

    assert done.returncode == 0
    line = json.loads((taught / "again.json").read_text(encoding="utf-8"))
    assert line == json.loads((taught / "out.json").read_text(encoding="utf-8"))
    assert (line["copy"], line["device"], len(line["passes"])) == ("The red box", "virtual", 10)


def test_a_calibration_is_taken_in_elsewhere(taught: Path, tmp_path: Path) -> None:
    """After an import into another ledger, an export gives the same bytes."""
    companion("calibration", "import", "--data", tmp_path / "data", taught / "out.json")
    companion("calibration", "export", "--data", tmp_path / "data", tmp_path / "back.json")

    assert (tmp_path / "back.json").read_bytes() == (taught / "out.json").read_bytes()


def test_a_calibration_can_be_taken_in_for_another_method(taught: Path, tmp_path: Path) -> None:
    """Importing with --method changes only the name of the recognition method; the passes stay the same."""
    companion("calibration", "import", "--method", "nearest", "--data", tmp_path / "data", taught / "out.json")
    companion("calibration", "export", "--data", tmp_path / "data", tmp_path / "back.json")
    refused = companion("calibration", "import", "--method", "dice", "--data", tmp_path / "data", taught / "out.json")

    line = json.loads((tmp_path / "back.json").read_text(encoding="utf-8"))
    assert line == {**json.loads((taught / "out.json").read_text(encoding="utf-8")), "method": "nearest"}
    assert (refused.returncode, "no such method: dice" in refused.stderr) == (2, True)


@pytest.mark.parametrize("option", [("--device", "other"), ("--copy", "other")])
def test_a_calibration_that_is_not_kept_is_not_written(taught: Path, tmp_path: Path, option: tuple[str, str]) -> None:
    """Exporting a calibration that isn't saved prints one line and writes no file."""
    done = companion("calibration", "export", *option, "--data", taught / "data", tmp_path / "none.json")

    assert (done.returncode, done.stderr) == (1, "companion: no saved calibration has this copy and device\n")
    assert not (tmp_path / "none.json").exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"calibration": 2}, "version"),
        ({"passes": []}, "2 to 12 colours"),
        ({"white": [1, 1, 1, 1]}, "brighter"),
        ({"more": 1}, "more isn't known"),
    ],
)
def test_a_calibration_that_cannot_be_is_not_taken_in(
    taught: Path, tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    """Importing an invalid calibration prints one line with the reason, and saves nothing."""
    line = json.loads((taught / "out.json").read_text(encoding="utf-8")) | change
    (tmp_path / "bad.json").write_text(json.dumps(line), encoding="utf-8")
    done = companion("calibration", "import", "--data", tmp_path / "data", tmp_path / "bad.json")

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert reason in done.stderr
    assert companion("calibration", "export", "--data", tmp_path / "data", tmp_path / "x.json").returncode == 2


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000])
def test_a_file_that_is_no_calibration_at_all_is_named(tmp_path: Path, content: bytes) -> None:
    """Importing a file that is not JSON prints one line with the file's name, whatever its bytes are."""
    (tmp_path / "bad.json").write_bytes(content)
    done = companion("calibration", "import", "--data", tmp_path / "data", tmp_path / "bad.json")

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "bad.json" in done.stderr


@pytest.mark.parametrize("typed", ["", "\n" * 8 + "q\n"])
def test_whoever_gives_up_has_changed_nothing(tmp_path: Path, typed: str) -> None:
    """A calibration that is stopped before its end saves nothing."""
    done = companion(*TEACH, "--data", tmp_path / "data", given=typed)

    assert (done.returncode, done.stderr) == (1, "companion: stopped: nothing changed\n")
    assert companion("calibration", "export", "--data", tmp_path / "data", tmp_path / "x.json").returncode == 1


def test_beside_a_running_service_its_page_is_named(taught: Path, tmp_path: Path) -> None:
    """While a service runs, `calibrate` names the page to use; the service imports a file and applies it at once."""
    service = Service(tmp_path / "data", "mock:?seed=4")
    try:
        beside = companion(*TEACH, "--data", tmp_path / "data", given="")
        taken = companion("calibration", "import", "--data", tmp_path / "data", taught / "out.json")
        shown = service.ask("GET", "/api/v1/ring")[1]["instrument"]
    finally:
        service.stop()

    assert (beside.returncode, f"{service.url}/ring/teach" in beside.stderr) == (1, True)
    assert (taken.returncode, taken.stdout) == (0, "The running service has imported it.\n")
    assert shown["calibration"]["copy"] == "The red box"


@pytest.mark.parametrize(
    "option",
    [
        ("--colours", "red"),
        ("--colours", ",".join(f"c{n}" for n in range(13))),
        ("--colours", f"red,{'x' * 61}"),
        ("--copy", "x" * 61),
        ("--copy", ""),
        ("--passes", "4"),
        ("--passes", "101"),
        ("--ring", "none"),
    ],
)
def test_what_cannot_be_taught_is_said_in_one_line(tmp_path: Path, option: tuple[str, str]) -> None:
    """`calibrate` refuses a wrong number of colours or passes, a long name or a missing ring before it opens a ring."""
    done = companion("calibrate", "--ring", "mock:", "--data", tmp_path / "data", *option, given="\n" * 3)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1

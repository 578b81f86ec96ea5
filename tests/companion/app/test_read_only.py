"""In a read-only data folder, every command that only reads still works, with the same result."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.ledger import Ledger, RowKind, extent
from tests.companion.app.without_rights import without_rights
from tests.generations.opened import unpacked

LEDGER = "ledger.sqlite"
GAME, SHORT, NEWEST = 108, 1466, 1750


def stopped(data: Path) -> None:
    """The service was stopped, and the card became read-only afterwards."""
    data.joinpath(f"{LEDGER}.lock").touch()


def pulled(data: Path) -> None:
    """After a power cut: the newest rows are only in the -wal file, and the -shm file is missing."""
    _log_left(data, ("-wal",))


def pulled_with_index(data: Path) -> None:
    """After a power cut: the newest rows are only in the -wal file, and the -shm file exists."""
    _log_left(data, ("-wal", "-shm"))


def copied(data: Path) -> None:
    """A copy of a data folder that the companion has not opened since."""


def _log_left(data: Path, parts: tuple[str, ...]) -> None:
    """Leave the newest row, which the doctor prints, in the -wal file only."""
    with closing(Ledger.open(data / LEDGER)) as ledger:
        (copy,) = ledger.outside(RowKind.COPY, 1, [])
        assert ledger.append([replace(copy, id=ledger.last + 1)])
        for part in ("", *parts):
            shutil.copy(data / f"{LEDGER}{part}", data / f"kept{part}")
    for part in ("", *parts):
        (data / f"kept{part}").replace(data / f"{LEDGER}{part}")


@pytest.fixture(
    params=[pulled, copied, *(pytest.param(each, marks=pytest.mark.long) for each in (stopped, pulled_with_index))],
    ids=lambda made: made.__name__,
)
def data(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A data folder without any write permission."""
    data = unpacked("third", tmp_path) / "data"
    made: Callable[[Path], None] = request.param
    made(data)
    folders = [data, *(path for path in data.rglob("*") if path.is_dir())]
    for path in data.rglob("*"):
        path.chmod(0o500 if path.is_dir() else 0o400)
    data.chmod(0o500)
    yield data
    for folder in folders:
        folder.chmod(0o700)


def test_whatever_only_reads_works_where_nothing_can_be_written(
    data: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Read-only: games, exports, statistics, a backup and the PIN can be read, and no file changes."""
    before = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
    calibration, backup, page = tmp_path / "calibration.json", tmp_path / "backup.sqlite", tmp_path / "page.html"
    reading = [
        *(["export", GAME, "--to", form] for form in ("record", "csv", "json")),
        *(["games", "--json"], ["share", SHORT, "-o", page], ["luck", GAME]),
        *(["draws", tmp_path / "draws"], ["fairness"], ["statistics"], ["statistics", "--json"], ["pin"]),
        *(["names", "list"], ["calibration", "export", calibration]),
    ]
    if not request.config.getoption("long"):  # half of the commands run with each of two folders
        reading = reading[(data / f"{LEDGER}-wal").exists() :: 2]
    reading = [["games"], *reading, ["backup", backup]]

    ended = without_rights([[*words, "--data", data] for words in (*reading, ["doctor"])])

    failed = [(words, each) for words, each in zip(reading, ended, strict=False) if each.status]
    assert failed == []
    newest = NEWEST + (1 if (data / f"{LEDGER}-wal").exists() else 0)
    assert f"opens; its newest row is {newest}." in ended[-1].stdout
    assert extent(backup).last == newest
    assert f"  {GAME}  " in ended[0].stdout
    assert before == {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}

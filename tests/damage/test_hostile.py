"""A part of the campaign of hostile files; all of it is `python -m tests.damage.hostile`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.damage.hostile import handed_over, looked_over, tried
from tests.damage.hostile_files import FILES

SLICE = (
    "trigger that swallows rows",
    "view named row that never ends",
    "virtual table named name",
    "column that is made up",
    "index of ours on other columns",
    "row at the last number",
    "probe gone",
    "pipe that nobody fills",
    "link to itself",
)
MORE = (
    "trigger of ours missing",
    "view named name that never ends",
    "index of ours missing",
    "schema that is no sql",
    "version below nought",
    "file without a byte",
)


def test_no_hostile_file_does_harm(tmp_path: Path) -> None:
    """Each hostile file is accepted or refused in one line; no ledger changes, no page fails, and the service ends."""
    judge(SLICE, tmp_path)


@pytest.mark.long
def test_no_other_hostile_file_does_harm(tmp_path: Path) -> None:
    """The same holds for further hostile files, which are refused for similar reasons as the first ones."""
    judge(MORE, tmp_path)


def judge(wanted: tuple[str, ...], folder: Path) -> None:
    """Test the *wanted* files, and expect no fault."""
    files = [(name, make) for name, make in FILES if name in wanted]
    assert len(files) == len(wanted)

    found = tried(files, folder, (handed_over, looked_over))

    assert found.faults == []
    assert found.refused > found.files

"""A slice of the campaign of hostile files: the rest is `python -m tests.damage.hostile`."""

from __future__ import annotations

from pathlib import Path

from tests.damage.hostile import handed_over, looked_over, tried
from tests.damage.hostile_files import FILES

SLICE = (
    "trigger that swallows rows",
    "trigger of ours missing",
    "view named row that never ends",
    "view named name that never ends",
    "virtual table named name",
    "column that is made up",
    "index of ours on other columns",
    "index of ours missing",
    "schema that is no sql",
    "version below nought",
    "row at the last number",
    "probe gone",
    "file without a byte",
    "pipe that nobody fills",
    "link to itself",
)


def test_no_hostile_file_does_harm(tmp_path: Path) -> None:
    """Hostile files: each is refused in a line or taken whole; no ledger changes, no page fails, the service ends."""
    files = [(name, make) for name, make in FILES if name in SLICE]
    assert len(files) == len(SLICE)

    found = tried(files, tmp_path, (handed_over, looked_over))

    assert found.faults == []
    assert found.refused > found.files

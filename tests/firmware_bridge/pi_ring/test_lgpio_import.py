"""lgpio can be imported in any working folder, and leaves neither a pipe nor another working folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
LIKE_LGPIO = """
import os
os.chdir(os.environ.get("LG_WD", "."))
os.mkfifo(".lgd-nfy0")
pipe = os.open(".lgd-nfy0", os.O_RDWR)
"""
ASKED = """
import os, sys
sys.path[:0] = sys.argv[1:3]
from firmware_bridge.pi_ring.lgpio_import import import_lgpio
places = sys.argv[3:]
try:
    import_lgpio(places)
    import lgpio
    print("imported", os.getcwd(), os.environ.get("LG_WD"), os.fstat(lgpio.pipe).st_nlink)
except OSError as fault:
    print(type(fault).__name__, os.getcwd())
"""


def imported(folder: Path, *places: object) -> str:
    """Import a module that acts like lgpio at its import, from a folder that isn't writable."""
    (folder / "lgpio.py").write_text(LIKE_LGPIO, encoding="utf-8")
    command = [sys.executable, "-c", ASKED, str(ROOT), str(folder), *map(str, places)]
    return subprocess.run(command, cwd="/proc", capture_output=True, text=True, check=True).stdout.strip()


def test_its_pipe_is_made_in_a_folder_of_its_own_that_goes_again(tmp_path: Path) -> None:
    """In a read-only folder lgpio creates its pipe elsewhere and removes its name; the working folder is the same."""
    place = tmp_path / "temporary"
    place.mkdir()

    assert imported(tmp_path, place) == "imported /proc None 0"
    assert list(place.iterdir()) == []


def test_another_place_is_taken_where_the_first_cannot_be_written(tmp_path: Path) -> None:
    """If the first place for the pipe isn't writable, the next is used, such as memory."""
    assert imported(tmp_path, tmp_path / "not there", tmp_path) == "imported /proc None 0"


def test_without_any_place_its_own_fault_is_told(tmp_path: Path) -> None:
    """If no place for the pipe is writable, lgpio's own error is raised, and the working folder doesn't change."""
    assert imported(tmp_path) in ("FileNotFoundError /proc", "PermissionError /proc")

"""Hidden values are removed in one place: no module of the web reads the table's state directly."""

from __future__ import annotations

import re
from pathlib import Path

from tests.product_source import files

WEB = Path(__file__).parents[3] / "web"
RAW = re.compile(r"table\.(snapshot|moves|partial|timeline|history|told|final|record)\b")
DOORS = {
    ("request/context.py", "snapshot"): "the door itself",
    ("request/context.py", "moves"): "the door itself",
    ("request/context.py", "partial"): "the door itself",
    ("request/apart.py", "snapshot"): "whether the ledger is in memory alone",
    ("pages/replay.py", "timeline"): "given to the door at once (`seen_through`)",
    ("pages/so_far.py", "partial"): "the record of a damaged game, for its owner",
    ("pages/game_files.py", "final"): "a state that hides nothing, for its owner",
    ("pages/game_files.py", "told"): "how long a game took that is over",
    ("api/routes.py", "record"): "a record, for its owner",
    ("pages/verify.py", "record"): "the seal, words and lots of a record alone",
    ("commands/table.py", "snapshot"): "a version, and whose act a command is",
    ("commands/calibration.py", "snapshot"): "which copy is played with",
    ("components/practice.py", "snapshot"): "a made-up game, not the one on the table",
}
"""Functions of the web that read unfiltered state, and why they may."""


def test_nothing_is_shown_past_the_door() -> None:
    """Hiding: each function that reads the table's state is listed, with the reason why its result may be shown."""
    found = {(path.removeprefix("web/"), name) for path, text in files(rooms=("web",)) for name in RAW.findall(text)}

    assert found - DOORS.keys() == set()

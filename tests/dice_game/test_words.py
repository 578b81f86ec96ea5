"""Words of one game may only be in its two folders, and in the few files that are listed here with a reason."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
OF_ONE_GAME = re.compile(r"andromeda|planet|\bearth\b|centre", re.IGNORECASE)
OF_A_GAME = re.compile(r"/games/\w+/")
"""A folder of one game, with its rules or its pages."""
KINDS = {".py", ".html", ".css", ".js"}
ELSEWHERE = {
    "companion/app/cli/chance.py": "the one command of a single game",
    "companion/games/registry.py": "where a game is entered",
    "web/games/registry.py": "where a game's pages are entered",
    "web/server/mdns.py": "the name of the house on the network, which bookmarks have",
}


def test_the_words_of_a_game_stand_in_its_own_folders() -> None:
    """The folders that all games share don't mention a planet, a centre or Earth, except where a reason is given."""
    files = (path for room in ("companion", "web") for path in (ROOT / room).rglob("*") if path.suffix in KINDS)
    shared = {str(path.relative_to(ROOT)): path for path in files if not OF_A_GAME.search(path.as_posix())}
    found = {name for name, path in shared.items() if OF_ONE_GAME.search(path.read_text(encoding="utf-8"))}

    assert found == ELSEWHERE.keys()

"""Every command that documents tell people to type exists with its options, and the commands of the guides work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.cli.main import main
from tests.docs.commands import PAGES, ROOT, ShownCommand, fault_of, shown_commands
from tests.generations.opened import unpacked

RECORD = ROOT / "tests/companion/games/andromeda/records/won-by-the-ship.jsonl"
GUIDE = ROOT / "docs" / "commands.md"
FINISHED = "107"
"""A finished game of the data folder."""
NEEDS = {
    "companion calibrate": "a ring",
    "companion calibration import": "what was exported",
    "companion club": "a broker",
    "companion console": "pins",
    "companion fairness bench": "somebody who types",
    "companion firmware": "a board",
    "companion home": "a broker",
    "companion ring": "a ring",
    "companion rollback": "a Debian package",
    "companion serve": "somebody who ends it",
    "companion update": "a Debian package",
    "companion verify": "a record in which the companion drew",
}
"""Commands of the guide that this test doesn't run, and what they need; tests of their own run them."""


def every_command() -> Iterator[ShownCommand]:
    """Yield each different command of all documents once."""
    seen = set()
    for page in PAGES:
        for command in shown_commands(page):
            if command.line not in seen:
                seen.add(command.line)
                yield command


def test_every_command_in_a_document_exists() -> None:
    """Every command, option, target, module and path that a page shows exists."""
    shown = list(every_command())
    faults = {f"{each.page}: {each.line}": why for each in shown if (why := fault_of(each))}

    assert len(shown) > 100
    assert faults == {}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("companion tea", "invalid choice"),
        ("companion games --sugar", "unrecognized"),
        ("make test TEA=1", "no setting"),
        ("pytest tests/tea", "not there"),
        ("python -m tests.tea", "no module"),
        ("python -m tests.soak --sugar", "no --sugar"),
        ("sh hardware/tea.sh", "not there"),
    ],
)
def test_a_command_that_is_not_there_is_found(line: str, fault: str) -> None:
    """A wrong command, option, setting, path or module is reported."""
    assert fault in fault_of(ShownCommand("x.md", line))


def test_the_commands_of_the_guide_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands for games, files and numbers in docs/commands.md succeed in a folder with games."""
    data = unpacked("five-games", tmp_path) / "data"
    backup = str(tmp_path / "backup.sqlite")
    made = {"FILE": backup, "FOLDER": str(tmp_path / "out"), "OLD": "Ana", "NEW": "Anna", "NAME": "Anna"}
    statuses = {}
    for command in shown_commands(GUIDE):
        if not command.words[0].endswith("companion"):
            continue
        if any(command.line.startswith(each) for each in NEEDS) or command.words[1:] in ([], ["COMMAND", "--help"]):
            continue
        words = [made.get(word, word) for word in command.words[1:]]
        if words[0] in ("replay", "utterances", "import"):
            words = [str(RECORD) if word == backup else word for word in words]
        if words[0] in ("export", "share", "luck"):
            words = [FINISHED if word == "1" else word for word in words]
        if words[:2] in (["names", "rename"], ["names", "remove"]):
            words.append("--yes")  # nobody could answer a question
        statuses[command.line] = main([*words, *(("--data", str(data)) if _reads_games(words) else ())])
    capsys.readouterr()

    assert len(statuses) > 15
    assert {line: status for line, status in statuses.items() if status} == {}


def _reads_games(words: list[str]) -> bool:
    return words[0] not in ("replay", "verify", "utterances", "simulate", "odds")

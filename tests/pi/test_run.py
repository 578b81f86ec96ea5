"""A run with machines that stop, without booting one: every scene has a result, and the next evening is run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.pi.evenings import Evening
from tests.pi.house import House
from tests.pi.machine import Gone, Lines, Otherwise, let_go
from tests.pi.report import Whole
from tests.pi.run import Run

HELLO = """import os
os.write({line}, b'{{"hello": "a boot"}}\\n')
print('its last words')
while os.read({line}, 4096):
    pass"""


class Spoken:
    """Hardware whose machines say hello on their line and wait to be killed; if *mute*, they don't even say hello."""

    name = "a machine that is none"
    slower = 1.0
    lacks = ()

    def __init__(self, mute: bool = False) -> None:
        self._mute = mute
        self._on: list[subprocess.Popen[bytes]] = []

    def start(self, folder: Path, card: Path, lines: Lines, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """Start such a machine."""
        first = lines[0].fileno()
        texts = ["true"] if self._mute else ["python3", "-uc", HELLO.format(line=first)]
        with (folder / "console.log").open("ab") as console:
            self._on.append(subprocess.Popen(texts, stdout=console, pass_fds=[first]))
        return self._on[-1]

    def processes(self, folder: Path) -> list[int]:
        """Return the processes of the running machines."""
        return [each.pid for each in self._on if each.poll() is None]


def holds(_: House) -> str:
    """It holds."""
    return "seen"


def fails(_: House) -> str:
    """It fails."""
    raise Otherwise("something else")


def errs(_: House) -> str:
    """It errs."""
    raise KeyError("ring")


def stops(_: House) -> str:
    """It stops."""
    raise Gone("the machine has said nothing")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """An empty card."""
    card = tmp_path / "card"
    card.touch()
    return card


def test_a_scene_that_fails_or_errs_does_not_end_its_evening(tmp_path: Path, card: Path) -> None:
    """Scenes after a failed one are run, and each has a result."""
    run = Run(Spoken(), tmp_path)

    run.play(Evening("one", (holds, fails, errs, holds)), card)

    assert [each.passed for each in run.results] == [True, False, False, True]
    assert run.results[1].seen == "something else"
    assert "KeyError: 'ring'" in run.results[2].seen
    assert not run.stops


def test_a_machine_that_stops_is_told_and_its_evening_begun_once_more(tmp_path: Path, card: Path) -> None:
    """If an evening's machine stops twice, every scene has a result, with the console's last lines."""
    run = Run(Spoken(), tmp_path)

    run.play(Evening("one", (holds, stops, holds)), card)

    assert [each.passed for each in run.results] == [True, False, False]
    assert [each.seen for each in run.results[1:]] == [
        "the machine has said nothing",
        "not played: its machine had stopped before it",
    ]
    assert [(each.during, each.console) for each in run.stops] == [("It stops.", "its last words")] * 2
    page = Whole("a machine", (), tuple(run.results), 1.0, tuple(run.stops)).page()
    assert "machines that stopped: 2" in page
    assert "<pre>its last words</pre>" in page


def test_a_machine_that_never_comes_up_fails_all_its_scenes(tmp_path: Path, card: Path) -> None:
    """If a machine ends at its boot, all of its scenes fail."""
    run = Run(Spoken(mute=True), tmp_path)

    run.play(Evening("one", (holds, holds)), card)

    assert [each.passed for each in run.results] == [False, False]
    assert all("at its boot" in each.line() for each in run.stops)


def test_a_card_that_a_machine_still_has_is_not_let_go(card: Path) -> None:
    """The next boot waits until the card is unlocked, whatever the state of the machine's processes."""
    holds_it = f"import fcntl; f = open({str(card)!r}, 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); print(flush=True); input()"
    with subprocess.Popen(["python3", "-c", holds_it], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        kept = let_go(card)
        process.communicate(b"\n")

    assert not kept
    assert let_go(card)


def test_an_evening_ends_by_itself(tmp_path: Path, card: Path) -> None:
    """An evening that exceeds its time is ended, and its scenes say so."""
    run = Run(Spoken(), tmp_path, evening_s=0.6)

    run.play(Evening("one", (House.answers,)), card)

    assert [(each.passed, each.seen) for each in run.results] == [(False, "its evening has lasted 0 minutes")]

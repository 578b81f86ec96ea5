"""Fixtures and hooks of the conformance suite, in addition to those of the test kit (`rungs/`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.capture.reclassify import read_calibration
from rungs.fixtures import rung_of
from rungs.rung import Spec
from tests.hil.ring import Ring
from tests.hil.rungs import REAL, maker, names, no_unix_port
from tests.hil.sitting import Sitting

HERE = Path(__file__).parent
EVERY_CASE = ("virtual", "gpio")
"""Rungs that always run every case of a promise. The others are slow, or share most of their parts with these."""
A_GAMES = "This ring keeps passages that nobody has on record: let `companion serve` take them, or start the ring anew."


def pytest_rungs_chosen(config: pytest.Config, asked: list[str]) -> list[object]:
    """Return the rungs that `--ring`, `--chip` or `--rung` name, otherwise all.

    A rung whose parts (the same pseudo-terminal, the same firmware on MicroPython) are all tested on other rungs only
    runs in long runs. The unix port takes half the time of the port for Node, so it is used where it is installed.
    """
    for option, kind in (("ring", REAL), ("chip", "chip")):
        if more := config.getoption(option):
            return [f"{kind}:{more}"]
    missing = no_unix_port()
    marks = {
        "emulated-pty": [pytest.mark.long],
        "emulated": [] if missing else [pytest.mark.long],
        "emulated-unix": [pytest.mark.skip(reason=missing)] if missing else [],
    }
    return asked or [pytest.param(name, marks=marks.get(name, [])) for name in names()]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every case but the first of a promise as long, except on EVERY_CASE, or if a rung was asked for."""
    if any(config.getoption(option) for option in ("ring", "chip", "rung")):
        return
    seen = set[tuple[str, str]]()
    for item in items:
        rung = rung_of(item)
        if rung is not None and rung not in EVERY_CASE and item.path.parent == HERE:
            promise = (item.nodeid.partition("[")[0], rung)
            if promise in seen:
                item.add_marker("long")
            seen.add(promise)


def pytest_rungs_rung(spec: Spec) -> Ring:
    """Make a rung of this suite."""
    return maker(str(spec))()


@pytest.fixture(scope="session")
def our_boots() -> set[str]:
    """The boots that this run started or greeted first. Events that are stored from these boots belong to this run."""
    return set()


@pytest.fixture
def host(rung, plug, load, our_boots, request) -> Iterator[Sitting]:
    """A host in a session with the ring. The ring is in its state after a start."""
    if (file := request.config.getoption("calibration")) and rung.name == REAL:
        rung.judge_by(read_calibration(Path(file)))
    if rung.person is not None:
        deed = request.node.get_closest_marker("deed")
        rung.person.begin(request.function.__doc__.splitlines()[0], deed.args[0] if deed else 1)
    sitting = Sitting(rung, plug, load)
    if rung.name == REAL and sitting.greet().boot not in our_boots and sitting.keeps_passages():
        pytest.exit(A_GAMES)
    rung.used = True
    our_boots.add(sitting.talk.boot)
    sitting.begin()
    yield sitting
    our_boots.add(sitting.talk.boot)
    sitting.leave()

"""Fixtures and hooks of the conformance suite.

Every test runs on every rung that can do what it needs. Where a rung can't, the reason goes on record.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path

import pytest

from firmware_bridge.capture.reclassify import read_calibration
from firmware_bridge.conformance.result import AT_MOST, ConformanceResult, stretch
from rungs.capture import Transcript
from rungs.load import WINDOW_S, Load
from rungs.wire import WireLost
from tests.hil.person import Person
from tests.hil.record import facts_of, promise_of
from tests.hil.rung import Missing, Rung
from tests.hil.rungs import CHIP, REAL, absent, made, names
from tests.hil.rungs.real import RealRing
from tests.hil.sitting import Sitting

LIVE_S = 2.0
TIMES = ("ms", "us", "ppm")
"""Units of time. Measured times of live rungs have no limits: they depend on this machine."""
NAMES = (f"t{number}" for number in count(1))
A_GAMES = "This ring keeps passages that nobody has on record: let `companion serve` take them, or start the ring anew."
BROKEN = pytest.StashKey[bool]()
RING = pytest.StashKey[Rung]()
BEGAN = pytest.StashKey[float]()
SHOWN = 20  # lines of a transcript in the text of a failure
ABSENT = absent()
REPEATS = ("emulated-pty", "emulated" if "emulated-unix" not in ABSENT else "emulated-unix")
"""Rungs whose parts are all tested on other rungs: the same pseudo-terminal, or the same firmware on MicroPython.

The unix port takes half the time of the one for Node, so it is used where it is installed.
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test its rungs: all that can be had, or the one named by `--ring`, `--chip` or `--rung`."""
    if "rung" in metafunc.fixturenames:
        option = metafunc.config.getoption
        named = REAL if option("ring") else CHIP if option("chip") else option("rung")
        chosen = [named] if named else [name for name in names() if name not in ABSENT]
        marks = {name: [pytest.mark.long] if name in REPEATS and name != named else [] for name in chosen}
        metafunc.parametrize("rung", [pytest.param(name, marks=marks[name]) for name in chosen], indirect=True)


@pytest.fixture(scope="session")
def standing_rungs() -> Iterator[dict[str, Rung]]:
    """The rungs that are started once and used until the end of the run, because starting them is slow."""
    rungs: dict[str, Rung] = {}
    yield rungs
    for rung in rungs.values():
        rung.close()


@pytest.fixture(scope="session")
def stall() -> Iterator[Load]:
    """Measures how long this machine stalls while the tests run. Limits of live rungs grow by that."""
    with Load() as watched:
        yield watched


@pytest.fixture(scope="session")
def our_boots() -> set[str]:
    """The boots that this run started or greeted first. Events that they keep are this run's own."""
    return set()


@pytest.fixture
def rung(request, standing_rungs, tmp_path_factory) -> Iterator[Rung]:
    """One ring: a new one, or one that is already running, with its troubles ended."""
    note = promise_of(request.node, request.param)
    request.node.user_properties.append(("hil", note))
    ring = standing_rungs.get(request.param) or _had(request, tmp_path_factory.mktemp(request.param))
    if ring.standing:
        standing_rungs[request.param] = ring
    if ring.live:
        ring.stall = request.getfixturevalue("stall")
    ring.transcript = Transcript(ring.now, "a rung", note["test"])
    request.node.stash[BEGAN] = ring.now()
    request.node.stash[RING] = ring
    ring.changed.clear()
    _applicable(request.node, ring)
    yield ring
    note["facts"] = {**note["facts"], **ring.facts()}
    if ring.standing and not request.node.stash.get(BROKEN, False):
        ring.mend()
    else:
        standing_rungs.pop(request.param, None)
        ring.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether a test failed, so that its ring isn't used again, and add the transcript of its wire."""
    report = yield
    item.stash[BROKEN] = item.stash.get(BROKEN, False) or report.failed
    ring = item.stash.get(RING, None)
    if ring is not None:
        stalled_s = ring.stall.worst_s(item.stash[BEGAN])
        dict(item.user_properties)["hil"]["stall_ms"] = round(stalled_s * 1000, 1)
    if report.failed and ring is not None:
        text = ring.transcript.text()
        dict(item.user_properties)["hil"]["transcript"] = text
        report.sections.append(("the last lines of the wire", "\n".join(text.splitlines()[-SHOWN:])))
    return report


def _had(request: pytest.FixtureRequest, folder: Path) -> Rung:
    try:
        if request.param == REAL:
            person = Person() if request.config.getoption("capture") == "no" else None
            file = request.config.getoption("calibration")
            return RealRing(request.config.getoption("ring"), person, read_calibration(Path(file)) if file else None)
        more = f":{request.config.getoption('chip')}" if request.param == CHIP else ""
        return made(request.param + more, folder)
    except Missing as missing:
        pytest.fail(str(missing), pytrace=False)


def _applicable(item: pytest.Item, ring: Rung) -> None:
    """Skip the test, with the reason on record, if the ring can't do what it needs."""
    for mark in item.iter_markers("needs"):
        for need in mark.args:
            if need in ring.cannot:
                pytest.skip(ring.cannot[need])
    for mark in item.iter_markers("waits"):
        if ring.live and not ring.patient and mark.args[0] > LIVE_S:
            pytest.skip(f"waits for {mark.args[0]:g} s: held where time is handed in")


@pytest.fixture
def host(rung, our_boots, request) -> Iterator[Sitting]:
    """A host in a session with the ring, which is in the state after a start."""
    note = dict(request.node.user_properties)["hil"]
    if rung.person is not None:
        deeds = request.node.get_closest_marker("deeds")
        rung.person.begin(f"{note['section']}. {note['promise']}", deeds.args[0] if deeds else 1)
    try:
        sitting = Sitting(rung, NAMES.__next__)
        if rung.name == REAL and sitting.greet().boot not in our_boots and sitting.keeps_passages():
            pytest.exit(A_GAMES)
        our_boots.add(sitting.talk.boot)
        sitting.begin()
    except (Missing, WireLost) as missing:
        request.session.shouldstop = str(missing)
        pytest.fail(str(missing), pytrace=False)
    yield sitting
    our_boots.add(sitting.talk.boot)
    note["facts"] |= facts_of(sitting)
    sitting.leave()
    if rung.name == REAL or not request.node.stash.get(BROKEN, False):
        sitting.put_back()


Measure = Callable[..., None]


@pytest.fixture
def measure(rung, request) -> Measure:
    """Check a measured value against its limit and record both.

    A limit of time grows by how long the machine stalled.
    """
    began = rung.now()

    def measured(
        name: str, value: float, limit: float, unit: str = "", bound: str = AT_MOST, over_s: float = WINDOW_S
    ) -> None:
        longer = stretch(unit, rung.stall.worst_s(began)) / over_s if bound == AT_MOST else 0.0
        result = ConformanceResult(name, value, limit, unit, bound, longer)
        dict(request.node.user_properties)["hil"]["measured"].append(result.line())
        # Times of a simulated ring in real time depend on this machine, which may be busy, so they are only recorded.
        held = unit not in TIMES or not rung.live or rung.name == REAL
        assert result.passed or not held, f"{name}: {value:g} {unit}, {bound} {limit + longer:g}"

    return measured

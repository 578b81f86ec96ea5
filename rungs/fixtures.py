"""The fixtures of the plugin, and what a running test has in its stash for the record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import pytest

from rungs.bench import BENCH, Bench
from rungs.capture import LOST as LOST_WIRE
from rungs.capture import CapturedWire, Transcript
from rungs.farms import EmbeddedRung
from rungs.limits import Measured, limits, stalled_in
from rungs.load import TIMES, Load
from rungs.record import BROKEN, plain
from rungs.rung import Missing, Rung
from rungs.settings import COUNT, NUMBER
from rungs.trouble import BOTH, BREAK, Block, Line, TroubleWire
from rungs.trouble import share as part
from rungs.wire import IN_USE, Wire, WireLost

NOTE = pytest.StashKey[dict[str, Any]]()
TRANSCRIPT = pytest.StashKey[Transcript]()
BEGAN = pytest.StashKey[float]()
LOST = pytest.StashKey[bool]()
BROKE = pytest.StashKey[bool]()
CLOSE_IT = "close it before `plug()`"
Called = TypeVar("Called", bound=Callable[..., Any])
Measure = Callable[..., None]
Trouble = Callable[..., Block]


def is_worker(config: pytest.Config) -> bool:
    """Return whether this process was started by pytest-xdist."""
    return hasattr(config, "workerinput")


def has_its_own(item: pytest.Item) -> bool:
    """Return whether a test has its own parameter called `rung`, which hides the fixture."""
    return any(re.search(r"\brung\b", str(mark.args[0])) for mark in item.iter_markers("parametrize"))


def rung_of(item: pytest.Item) -> str | None:
    """Return the rung on which a test runs, as in `--rung`, or None if the test asks for no rung."""
    callspec = None if has_its_own(item) else getattr(item, "callspec", None)
    found: str | None = callspec.params.get("rung") if callspec else None
    return found


def without_rung(test: str, rung: str) -> str:
    """Return the id of a *test* without its rung.

    >>> without_rung("test_a.py::test_a[2-model]", "model"), without_rung("test_a.py::test_a[model]", "model")
    ('test_a.py::test_a[2]', 'test_a.py::test_a')
    """
    return test.replace(f"[{rung}-", "[").replace(f"-{rung}]", "]").replace(f"[{rung}]", "")


def lose(session: pytest.Session, sentence: str) -> NoReturn:
    """Fail the running test and all later tests with *sentence*."""
    session.config.stash[BENCH].lost = sentence
    if not is_worker(session.config):
        session.shouldstop = sentence
    raise pytest.fail.Exception(sentence, pytrace=False) from None  # the original exception has the same message


@pytest.fixture
def rung(request: pytest.FixtureRequest) -> Rung:
    """The device of this test. It is restored after the test, however the test ends."""
    bench: Bench = request.config.stash[BENCH]
    turn = ExitStack()
    request.addfinalizer(turn.close)
    turn.enter_context(bench.turn())
    try:
        found = bench.rung(request.param)
    except pytest.UsageError as fault:
        lose(request.session, str(fault))
    if not found.alone:
        turn.close()
    if isinstance(found, EmbeddedRung):
        found.dut = request.getfixturevalue("dut")
    node = request.node
    if found.live:
        bench.load.device = found.waited_s
        bench.load.start()
    node.stash[BEGAN] = found.now()
    node.stash[TRANSCRIPT] = _transcript(request, found)
    request.addfinalizer(lambda: _restore(request, bench, found))
    _applicable(node, found)
    bench.plant(found)
    return found


def _transcript(request: pytest.FixtureRequest, found: Rung) -> Transcript:
    folder = request.config.getoption("rungs_capture")
    if not folder:
        return Transcript(found.now, request.param, request.node.nodeid)
    Path(folder).mkdir(parents=True, exist_ok=True)
    name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in request.node.name)
    file = Path(folder, f"{name}.log").open("w", encoding="ascii")  # noqa: SIM115 - closed when the test is over
    request.addfinalizer(file.close)
    return Transcript(found.now, request.param, request.node.nodeid, file)


def _restore(request: pytest.FixtureRequest, bench: Bench, found: Rung) -> None:
    """Restore the rung. If its device is gone, the run ends after this test."""
    note = request.node.stash.get(NOTE, {})
    if note and found.live:
        note["stalled_ms"] = round(bench.load.worst_s(request.node.stash[BEGAN]) * 1000, 1)
    try:
        if found.anew and request.node.stash.get(BROKE, False):
            bench.discard(request.param)
            return
        found.restore()
        if request.node.stash.get(LOST, False):
            found.wire().close()
        if note:
            note["facts"] = {name: plain(value) for name, value in found.facts().items()}
    except (WireLost, Missing) as fault:
        lose(request.session, str(fault))
    except Exception:
        bench.discard(request.param)
        raise


def _applicable(item: pytest.Item, found: Rung) -> None:
    """Skip the test, with the reason, if the rung lacks something that the test needs."""
    for mark in item.iter_markers("needs"):
        for need in mark.args:
            if need in found.cannot:
                pytest.skip(found.cannot[need])
    longest = item.config.getoption("rungs_longest") if found.longest_s is None else found.longest_s
    for mark in item.iter_markers("waits"):
        if found.live and mark.args[0] > longest:
            pytest.skip(f"It waits for {mark.args[0]:g} s, longer than {longest:g} s on a live rung (--rungs-longest).")


class Plugs:
    """The wires of one test. All use one line, whose troubles occur between the wires and the *rung*.

    The *transcript* has what went over the rung's end of the line, so a replay in place of the rung gets the same
    troubles on top. The seed depends on the run and the test, but not on the rung.
    """

    def __init__(self, rung: Rung, transcript: Transcript, seed: object) -> None:
        self.line = Line.seeded(seed)
        self.line.report(transcript.note)
        self._rung = rung
        self._transcript = transcript
        self._captured: list[CapturedWire] = []
        self._wires: list[TroubleWire] = []

    def __repr__(self) -> str:
        return f"<Plugs line={self.line!r} wires={self._wires!r}>"

    def open(self) -> Wire:
        """Close the wires that a break has lost, and return a new wire."""
        self.cut()
        try:
            wire = CapturedWire(self._rung.wire(), self._transcript)
        except WireLost as fault:
            if all(each.closed for each in self._captured):
                raise
            if getattr(fault.reason, "pattern", "") == IN_USE:
                raise WireLost(f"This test has a wire open, and {self._rung.name} takes one: {CLOSE_IT}.") from None
            raise WireLost(f"{fault} This test has a wire open: {CLOSE_IT}.") from None
        self._captured.append(wire)
        self._wires.append(TroubleWire(wire, self.line, self._rung.now, self._rung.wait))
        return self._wires[-1]

    def cut(self) -> None:
        """Close the wires that a break has lost: a device has one host at a time."""
        for wire in self._wires:
            wire.cut()

    def lose(self) -> None:
        """Close the wires that a break has just lost, and say so."""
        self._transcript.note(f"{LOST_WIRE}: the line was broken on request")
        self.cut()

    def close(self) -> None:
        """Close all wires."""
        for wire in self._wires:
            wire.close()


@pytest.fixture
def _plugs(rung: Rung, request: pytest.FixtureRequest) -> Iterator[Plugs]:
    test = without_rung(request.node.nodeid, rung_of(request.node) or "")
    plugs = Plugs(rung, request.node.stash[TRANSCRIPT], f"{request.config.getoption('rungs_seed')} {test}")
    yield plugs
    plugs.close()


@pytest.fixture
def plug(_plugs: Plugs) -> Callable[[], Wire]:
    """Open another wire to the device, for example after `trouble("break")`. All wires are closed after the test."""
    return _plugs.open


@pytest.fixture
def wire(plug: Callable[[], Wire]) -> Wire:
    """A wire to the device. Its traffic is recorded if the promise is broken."""
    return plug()


@pytest.fixture
def trouble(rung: Rung, _plugs: Plugs) -> Trouble:
    """Make trouble on the line: `with trouble("spoil", rate=0.05) as line: ...`; `line.hits` counts the hits."""

    def begun(
        word: str,
        *,
        rate: float | str | None = None,
        ms: float | None = None,
        ways: str = BOTH,
        seed: int | None = None,
    ) -> Block:
        __tracebackhide__ = True
        if seed is not None:
            _plugs.line.seed(seed)
        _plugs.line.begin(word, rung.now(), rate, None if ms is None else NUMBER.check("ms", ms) / 1000, ways)
        if word == BREAK:
            _plugs.lose()
        return Block(_plugs.line, word)

    return _called("trouble", begun)


def _called(name: str, function: Called) -> Called:
    """Return *function* with the name *name*, which Python's errors for wrong arguments then show."""
    function.__qualname__ = name
    return function


@pytest.fixture
def _judge(rung: Rung, request: pytest.FixtureRequest) -> Callable[[Measured, int], None]:
    """Record a measured value, and end the test if it is beyond its limit and no stall of the machine explains it."""
    bench: Bench = request.config.stash[BENCH]
    factor = request.config.getoption("rungs_load")

    def judge(found: Measured, of: int) -> None:
        __tracebackhide__ = True
        window_s = stall_s = 0.0
        if rung.live and found.unit in TIMES and not found.passed:
            bench.load.catch_up()
            began = request.node.stash[BEGAN]
            window_s = found.window() / TIMES[found.unit] * of
            stall_s = bench.load.worst_s(began, window_s) * factor
            late_s = bench.load.worst_s(began, inf) * factor
            found = replace(found, stalled=stalled_in(found.unit, stall_s / of), late=stalled_in(found.unit, late_s))
        note = request.node.stash.get(NOTE, {})
        if note:
            note["measured"].append(found.json())
            request.node.user_properties.append((f"measure.{found.name}", found.short()))
        if found.excused and note:
            within = f"{stall_s * 1000:.0f} ms within {window_s * 1000:.0f} ms"
            note["unjudged"] = f"{found}: the machine stalled for {within}{found.among()}."
        if found.verdict == BROKEN:
            raise AssertionError(f"{found}{found.among()}")

    return judge


@pytest.fixture
def measure(_judge: Callable[[Measured, int], None]) -> Measure:
    """Compare a value with its limit, and record both: `measure("answer", 3.2, at_most=100, unit="ms")`.

    If the value is the mean of *of* times, a stall of the machine changes it by only 1/*of* of the stall's length.
    """

    def measured(
        name: str,
        value: float,
        *,
        at_most: float | None = None,
        at_least: float | None = None,
        exactly: float | None = None,
        between: tuple[float, float] | None = None,
        unit: str = "",
        of: int = 1,
    ) -> None:
        __tracebackhide__ = True
        low, high = limits(at_most, at_least, exactly, between)
        NUMBER.check(name, value)
        COUNT.check("of", of)
        _judge(Measured(name, value, unit, low, high), of)

    return _called("measure", measured)


@pytest.fixture
def share(measure: Measure) -> Measure:
    """Compare a share with its limit: `share("answers", good=19, of=20, at_least=0.95)`."""

    def measured(name: str, good: int, of: int, *, at_least: float | str) -> None:
        __tracebackhide__ = True
        if not 0 <= good <= of:
            raise ValueError(f"{name}: of {of} there can't be {good} good ones.")
        measure(name, good / of if of else 0.0, at_least=part(at_least))

    return _called("share", measured)


@pytest.fixture
def worst(_judge: Callable[[Measured, int], None]) -> Measure:
    """Compare the largest of several values with `at_most`, or the smallest with `at_least`.

    All stalls in a test together excuse at most their own length: the sum of the amounts beyond the limit.
    """

    def measured(
        name: str,
        values: Iterable[float],
        *,
        at_most: float | None = None,
        at_least: float | None = None,
        unit: str = "",
    ) -> None:
        __tracebackhide__ = True
        if (at_most is None) == (at_least is None):
            raise ValueError("worst needs one limit: at_most or at_least.")
        low, high = limits(at_most, at_least)
        found = [Measured(name, NUMBER.check(name, value), unit, low, high) for value in values]
        if not found:
            raise AssertionError(f"{name}: there are no values.")
        *others, most = sorted(found, key=lambda each: each.beyond)
        _judge(replace(most, others=tuple(each.beyond for each in others if not each.passed)), 1)

    return _called("worst", measured)


@pytest.fixture
def load(rung: Rung, request: pytest.FixtureRequest) -> Load:
    """The delays of this machine. There are none on a rung with simulated time."""
    return request.config.stash[BENCH].load if rung.live else Load()


@pytest.fixture
def by_hand(rung: Rung, request: pytest.FixtureRequest) -> Callable[..., None]:
    """Ask the person at the bench to do something, and wait until it is done: `by_hand("Warm the sensor.")`."""
    person = request.config.stash[BENCH].person
    if person is None:
        pytest.skip("It needs somebody at the bench: --rungs-hand.")
    mark = request.node.get_closest_marker("deed")
    person.begin(request.node.stash.get(NOTE, {}).get("text", request.node.name), mark.args[0] if mark else 1)
    return person.ask


@pytest.fixture
def facts(rung: Rung) -> Mapping[str, object]:
    """What the rung knows about its device."""
    return rung.facts()

"""The pytest plugin: fixtures, markers, outcomes and options. See README.md.

Theory of operation. `rung` is parametrised with the requested rungs. A test's `Note` collects the data
for the record. It is part of the test's reports, so it also arrives from pytest-xdist's workers. The record
is written from reports alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, NoReturn, TypeVar

import pytest

from rungs import faults, hooks
from rungs.bench import Bench
from rungs.capture import LOST as LOST_WIRE
from rungs.capture import CapturedWire, Differs, Transcript
from rungs.document import NoAnchor, heading_at
from rungs.farms import EmbeddedRung
from rungs.junit import CASE, SUITE, move_to_suite
from rungs.limits import Measured, limits, stalled_in
from rungs.load import TIMES, Load
from rungs.person import Ended
from rungs.record import BROKEN, KEPT, NOT_APPLICABLE, NOT_JUDGED, OUTCOMES, Record, plain
from rungs.report import page
from rungs.rung import Missing, Rung, Unable
from rungs.settings import ANCHOR, COUNT, FILE, FOLDER, HAND, NAME, NUMBER, SECONDS, TEXT, Wrong, number
from rungs.trouble import BOTH, BREAK, Block, Line, TroubleWire
from rungs.trouble import share as part
from rungs.wire import Wire, WireLost

SEED = 1
LONGEST_WAIT_S = 30.0
SHOWN = 20  # the number of wire lines in a failure's text
NO_REASON = "A promise was skipped without a reason: pytest.skip(reason)."
UNSAID = ("", "unconditional skip")  # the second is pytest's own reason for @pytest.mark.skip without one
MARKERS = {
    "promise": ("(anchor, text=None): this test holds the document to what it says at that anchor", ANCHOR),
    "needs": ("(*capabilities): not applicable on a rung that cannot do one of them", NAME),
    "waits": ("(seconds): not applicable on a live rung if that is longer than --rungs-longest", SECONDS),
    "deed": ("(times): a person at the bench does this number of deeds", COUNT),
}
"""Each marker's arguments and meaning, and the kind of its arguments."""
BENCH = pytest.StashKey[Bench]()
NOTE = pytest.StashKey[dict[str, Any]]()
TRANSCRIPT = pytest.StashKey[Transcript]()
BEGAN = pytest.StashKey[float]()
LOST = pytest.StashKey[bool]()
BROKE = pytest.StashKey[bool]()
Called = TypeVar("Called", bound=Callable[..., Any])
Measure = Callable[..., None]
Trouble = Callable[..., Block]


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare our hooks."""
    pluginmanager.add_hookspecs(hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare our options, which all begin with --rung. It is a usage error if another plugin has one of them."""
    try:
        _add_options(parser)
    except ValueError as fault:
        raise pytest.UsageError(f"pytest-rungs: another plugin has one of its options ({fault}).") from None


def _add_options(parser: pytest.Parser) -> None:
    add = parser.getgroup("rungs", "one promise, one test, every rung").addoption
    add("--rung", action="append", metavar="NAME[:ARG]", help="serial:URL, process:COMMAND, replay:FILE, hand, ...")
    add("--rungs-report", type=FOLDER, metavar="DIR", help="write record.json, report.html and transcripts there")
    add("--rungs-capture", type=FOLDER, metavar="DIR", help="write a capture of each test's wire there")
    add("--rungs-hand", type=HAND, nargs="?", const="tty", metavar="HOST:PORT", help="somebody at the bench answers")
    add("--rungs-lock", type=FILE, metavar="FILE", help="hold this lock while the tests run")
    add("--rungs-wait", type=SECONDS, default=600.0, metavar="S", help="how long to wait for the lock (600)")
    add("--rungs-longest", type=SECONDS, default=LONGEST_WAIT_S, metavar="S", help="longest wait on a live rung (30)")
    add("--rungs-seed", type=number(whole=True), default=SEED, metavar="N", help=f"of all trouble ({SEED})")
    add(
        "--rungs-order", type=number(whole=True), metavar="N", help="run the tests in a random order, that of this seed"
    )
    add(
        "--rungs-load", type=number(0), default=1.0, metavar="F", help="how much of a measured stall excuses a time (1)"
    )
    add("--rungs-junit", choices=(CASE, SUITE), default=CASE, help="where JUnit's file has promises and values (case)")
    faults.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, and begin the record."""
    for name, (meaning, _) in MARKERS.items():
        config.addinivalue_line("markers", f"{name}{meaning}")
    config.stash[BENCH] = Bench(config)
    if not _is_worker(config):
        config.pluginmanager.register(Recorder(config), "rungs-recorder")


def _is_worker(config: pytest.Config) -> bool:
    """Return whether this process was started by pytest-xdist."""
    return hasattr(config, "workerinput")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Run the suite once per fault, if --rungs-faults is given."""
    if config.getoption("rungs_faults") is not None:
        return faults.main(config)
    if config.getoption("rungs_least") is not None:
        raise pytest.UsageError("--rungs-least counts faults, so it needs --rungs-faults.")
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on every requested rung, unless the test has its own parameter called `rung`."""
    if "rung" in metafunc.fixturenames and not _has_its_own(metafunc.definition):
        config = metafunc.config
        chosen = config.hook.pytest_rungs_chosen(config=config, asked=config.getoption("rung") or [])
        metafunc.parametrize("rung", chosen or config.stash[BENCH].chosen or [""], indirect=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the tests if --rungs-order is given, to find tests that leave their device changed."""
    if (seed := config.getoption("rungs_order")) is not None:
        Random(seed).shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Take the lock before pytest-xdist starts the processes that open devices."""
    if getattr(session.config.option, "dist", "no") != "no" and not session.config.option.collectonly:
        _lock(session.config)


def pytest_collection_finish(session: pytest.Session) -> None:
    """End the run before the first test if an anchor, a capability, a rung or a device is missing."""
    config = session.config
    bench = config.stash[BENCH]
    run = [item for item in session.items if item.get_closest_marker("skip") is None]
    asked = dict.fromkeys(rung for item in run if (rung := _rung_of(item)) is not None)
    try:
        for text in asked:
            TEXT.check("A rung of pytest_rungs_chosen", text)
        for item in session.items:
            _check(item, config, bench.settings.get("capabilities"))
        if asked and not config.option.collectonly and not _is_worker(config):
            _lock(config)
            for text in asked:
                bench.rung(text)
    except (Wrong, pytest.UsageError) as fault:
        if not _is_worker(config):
            raise pytest.UsageError(str(fault)) from None
        bench.lost = str(fault)  # raised here, it would be an internal error of pytest-xdist; the tests raise it


def _check(item: pytest.Item, config: pytest.Config, capabilities: list[str] | None) -> None:
    """Raise `Wrong` if a test's marker has a wrong argument, a missing anchor or an unknown capability."""
    test = item.nodeid.partition("[")[0]
    for mark in item.iter_markers():
        if mark.name == "promise" or (mark.name in MARKERS and _rung_of(item) is not None):
            _check_mark(test, mark)
    for mark in item.iter_markers("promise"):
        try:
            heading_at(mark.args[0], config.rootpath)
        except NoAnchor as fault:
            raise Wrong(f"{fault}, but {test} promises it.") from None
        if _rung_of(item) is None:
            raise Wrong(f"{test} promises {mark.args[0]}, but asks for no rung: no `rung`, no `wire`.")
    for need in (need for mark in item.iter_markers("needs") for need in mark.args):
        if capabilities is not None and need not in capabilities:
            choice = ", ".join(capabilities)
            raise Wrong(f"{test} needs {need!r}, but the suite's capabilities are {choice}.")


def _check_mark(test: str, mark: pytest.Mark) -> None:
    """Raise `Wrong` if *mark* has another number or another kind of arguments than `MARKERS` says."""
    meaning, kind = MARKERS[mark.name]
    most = len(mark.args) if mark.name == "needs" else 1
    keywords = {"text"} if mark.name == "promise" else set()
    right = mark.kwargs.keys() <= keywords and all(map(TEXT.fits, mark.kwargs.values()))
    if not mark.args or len(mark.args) > most or not all(map(kind.fits, mark.args)) or not right:
        given = ", ".join([*map(repr, mark.args), *(f"{key}={value!r}" for key, value in mark.kwargs.items())])
        usage = f"{mark.name}{meaning.partition(':')[0]}"
        raise Wrong(f"{test} has {mark.name}({given}), but {usage} takes {kind.words}.")


def _lock(config: pytest.Config) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")

    def say(sentence: str) -> None:
        if reporter:
            reporter.write_line(sentence)
            reporter.flush()  # this shows the sentence immediately, even through a pipe

    config.stash[BENCH].lock(say)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Release everything. If a device has vanished, the run ends with the status of a usage error."""
    bench = session.config.stash[BENCH]
    bench.close()
    if bench.lost:
        session.exitstatus = pytest.ExitCode.USAGE_ERROR


def _lose(session: pytest.Session, sentence: str) -> NoReturn:
    """Fail the running test and all later tests with *sentence*."""
    session.config.stash[BENCH].lost = sentence
    if not _is_worker(session.config):
        session.shouldstop = sentence
    raise pytest.fail.Exception(sentence, pytrace=False) from None  # the original exception has the same message


def _has_its_own(item: pytest.Item) -> bool:
    """Return whether a test has a parameter called `rung` that is not this fixture."""
    return any(re.search(r"\brung\b", str(mark.args[0])) for mark in item.iter_markers("parametrize"))


def _rung_of(item: pytest.Item) -> str | None:
    callspec = None if _has_its_own(item) else getattr(item, "callspec", None)
    found: str | None = callspec.params.get("rung") if callspec else None
    return found


def _note(item: pytest.Item) -> dict[str, Any]:
    """Return a test's part of the record before it has run; the result is empty if it has no promise."""
    mark, rung = item.get_closest_marker("promise"), _rung_of(item)
    if mark is None or rung is None:
        return {}
    function = getattr(item, "function", None)
    name = getattr(item, "originalname", item.name).removeprefix("test_").replace("_", " ")
    sentence = (getattr(function, "__doc__", None) or name).strip().splitlines()[0]
    anchor = mark.args[0]
    return {
        "rung": rung,
        "id": _without_rung(item.nodeid, rung),
        "anchor": anchor,
        "heading": heading_at(anchor, item.config.rootpath),
        "text": mark.kwargs.get("text") or sentence,
        "measured": [],
        "unjudged": "",
        "stalled_ms": 0.0,
        "transcript": "",
        "facts": {},
    }


def _without_rung(test: str, rung: str) -> str:
    """Return the id of a *test* without its rung.

    >>> _without_rung("test_a.py::test_a[2-model]", "model"), _without_rung("test_a.py::test_a[model]", "model")
    ('test_a.py::test_a[2]', 'test_a.py::test_a')
    """
    return test.replace(f"[{rung}-", "[").replace(f"-{rung}]", "]").replace(f"[{rung}]", "")


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
        _lose(request.session, str(fault))
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
        _lose(request.session, str(fault))
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
    """The wires of one test, all over one line, whose troubles are between them and the *rung*.

    The *transcript* has what went over the rung's end of the line, so a replay in place of the rung gets
    the same troubles on top. The seed is the run's and the test's, the same on each rung.
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
        """Return a new wire. Those that a break has lost are closed before."""
        self.cut()
        try:
            wire = CapturedWire(self._rung.wire(), self._transcript)
        except WireLost as fault:
            if all(each.closed for each in self._captured):
                raise
            raise WireLost(f"{fault} This test has a wire open: close it before `plug()`.") from None
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
    test = _without_rung(request.node.nodeid, _rung_of(request.node) or "")
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

    If the value is a mean, *of* is the number of times in it: a stall of the machine then changes it by 1/*of*.
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

    A stall of the machine explains only as much as it is long: all values beyond the limit together, in the whole test.
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


@contextmanager
def _skipping(item: pytest.Item) -> Iterator[None]:
    try:
        yield
    except Unable as fault:
        pytest.skip(str(fault))
    except Ended as fault:
        item.session.shouldstop = str(fault)
        pytest.skip(str(fault))
    except WireLost:
        item.stash[LOST] = True
        raise


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Begin the test's note. If the rung is unable to do an action, the promise is not applicable."""
    if lost := item.config.stash[BENCH].lost:
        pytest.fail(lost, pytrace=False)
    item.stash[NOTE] = _note(item)
    with _skipping(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """If the rung is unable to do an action, the promise is not applicable."""
    with _skipping(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the note to the report, and the last lines on the wire to a failure's text."""
    note = item.stash.get(NOTE, {})
    if call.when == "teardown" and note:
        item.user_properties += [(name, note[key]) for name, key in PROPERTIES]
    if call.excinfo is not None and isinstance(call.excinfo.value, (Differs, ValueError, WireLost)):
        _end_at_suite(call.excinfo)
    report = yield
    report.rungs_lost = item.config.stash[BENCH].lost  # type: ignore[attr-defined]
    report.rungs_other = _rung_of(item) is not None and not note  # type: ignore[attr-defined]
    item.stash[BROKE] = item.stash.get(BROKE, False) or report.failed
    if report.skipped and isinstance(report.longrepr, tuple) and Path(report.longrepr[0]) == Path(__file__):
        report.longrepr = _at_test(item, report.longrepr[2])
    if not note:
        return report
    if report.skipped and _reason(report) in UNSAID:
        report.outcome, report.longrepr = "failed", NO_REASON
    transcript = item.stash.get(TRANSCRIPT, None)
    if transcript is not None and report.failed:
        note["transcript"] = transcript.text()
        if lines := transcript.last(SHOWN):
            report.sections.append(("the last lines of the wire", "\n".join(lines)))
    report.rungs = {**note, "measured": list(note["measured"])}  # type: ignore[attr-defined]
    if call.when == "call" and report.passed and note["unjudged"]:
        report.outcome = "skipped"
        report.longrepr = _at_test(item, f"Skipped: {NOT_JUDGED}: {note['unjudged']}")
    return report


def _end_at_suite(found: pytest.ExceptionInfo[BaseException]) -> None:
    """End the traceback of a sentence at the suite's line that met it: the kit's lines below it add nothing."""
    found.value.__cause__, found.value.__suppress_context__ = None, True
    at: TracebackType | None = found.tb
    last = found.tb
    while at is not None:
        if _package(at) not in ("rungs", "contextlib"):
            last = at
        at = at.tb_next
    if _package(last) not in ("_pytest", "pluggy"):
        last.tb_next = None


def _package(at: TracebackType) -> str:
    return str(at.tb_frame.f_globals.get("__name__", "")).partition(".")[0]


def _at_test(item: pytest.Item, reason: str) -> tuple[str, int, str]:
    """Return a report's entry for a skip with *reason*, at the line where the test begins."""
    return str(item.path), (item.location[1] or 0) + 1, reason


PROPERTIES = (("promise", "text"), ("anchor", "anchor"), ("rung", "rung"))
"""The JUnit properties of a test case, and their keys in the note."""


def _reason(report: pytest.TestReport) -> str:
    """Return why a test was skipped or has failed, in one line."""
    if report.skipped and hasattr(report, "wasxfail"):
        return f"Expected to fail: {report.wasxfail}" if report.wasxfail else "Expected to fail."
    if report.skipped and isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped").removeprefix(":").strip()
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = str(crash.message if crash else report.longrepr or "").strip().splitlines()
    return lines[0] if lines else ""


class Recorder:
    """Collects reports from all processes, and writes the record after the last test."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        versions = {"pytest": pytest.__version__, "pytest-rungs": own_version()}
        run = (config.getoption("rungs_seed"), config.getoption("rungs_load"), os.environ.get(faults.PLANTED, ""))
        self._record = Record(versions, *run)
        self._others: dict[str, bool] = {}  # tests on a rung without a promise, and whether each of them has failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the result of one phase of a promise's test."""
        bench = self._config.stash[BENCH]
        bench.lost = bench.lost or getattr(report, "rungs_lost", "")
        if getattr(report, "rungs_other", False):
            self._others[report.nodeid] = self._others.get(report.nodeid, False) or report.failed
        note: dict[str, Any] | None = getattr(report, "rungs", None)
        if note is None or (report.when == "setup" and report.passed):
            return
        outcome = {"passed": KEPT, "failed": BROKEN}.get(report.outcome, NOT_APPLICABLE)
        if report.skipped and note["unjudged"]:
            outcome = NOT_JUDGED
        if report.when == "teardown" and report.passed:
            outcome = ""  # a successful teardown does not make a promise kept
        self._record.take(note, outcome, _told(report, note, outcome), report.duration)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Move the properties in the JUnit file that pytest has just written, if --rungs-junit=suite is given."""
        file = self._config.getoption("xmlpath", None)
        if file and self._config.getoption("rungs_junit") == SUITE:
            move_to_suite(Path(file))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print a summary line for each rung, and write the record."""
        if self._record.rungs or self._others:
            terminalreporter.section("rungs", sep="-")
        if self._others:
            count, failed = len(self._others), sum(self._others.values())
            terminalreporter.line(f"tests without a promise: {failed} of {count} failed")
        if not self._record.rungs:
            return
        for rung in self._record.rungs:
            counts = self._record.counts(rung)
            words = ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES)
            terminalreporter.line(f"{rung}: {words}", red=counts[BROKEN] > 0, green=not counts[BROKEN])
        record = self._record.json()
        self._config.hook.pytest_rungs_report(record=record)
        bench = self._config.stash[BENCH]
        if folder := self._config.getoption("rungs_report") or bench.settings.get("report"):
            self._record.write(Path(folder), record, page)
            terminalreporter.line(f"the record: {Path(folder) / 'report.html'}")


def _told(report: pytest.TestReport, note: Mapping[str, Any], outcome: str) -> str:
    return str(note["unjudged"]) if outcome == NOT_JUDGED else "" if report.passed else _reason(report)


def own_version() -> str:
    """Return the version of this kit; `checkout` if it is not installed."""
    try:
        return version("pytest-rungs")
    except PackageNotFoundError:
        return "checkout"

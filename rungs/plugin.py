"""The pytest plugin: markers, outcomes and options. The fixtures are in `rungs.fixtures`. See README.md.

Theory of operation. `rung` is parametrised with the requested rungs. A test's `Note` collects the data
for the record. It is part of the test's reports, so it also arrives from pytest-xdist's workers. The record
is written from reports alone.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

import pytest

import rungs.fixtures as fixtures  # with `from rungs`, a run inside of another run would get the other run's module
from rungs import faults, hooks
from rungs.bench import BENCH, Bench
from rungs.capture import Differs
from rungs.document import NoAnchor, heading_at
from rungs.fixtures import BROKE, LOST, NOTE, TRANSCRIPT, has_its_own, is_worker, rung_of, without_rung
from rungs.junit import CASE, SUITE, move_to_suite
from rungs.person import Ended
from rungs.record import BROKEN, KEPT, NOT_APPLICABLE, NOT_JUDGED, OUTCOMES, Record
from rungs.report import page
from rungs.rung import Unable
from rungs.settings import (
    ANCHOR,
    COUNT,
    FILE,
    FOLDER,
    HAND,
    NAME,
    SECONDS,
    TEXT,
    Wrong,
    check_capability,
    check_needs,
    number,
)
from rungs.wire import WireLost

SEED = 1
LONGEST_WAIT_S = 30.0
NEEDS = {"--rungs-least": "--rungs-faults", "--rungs-wait": "--rungs-lock"}
SHOWN = 20  # the number of wire lines in a failure's text
NO_REASON = "A promise was skipped without a reason: pytest.skip(reason)."
UNSAID = ("", "unconditional skip")  # the second is pytest's own reason for a @pytest.mark.skip without a reason
MARKERS = {
    "promise": ("(anchor, text=None): this test holds the document to what it says at that anchor", ANCHOR),
    "needs": ("(*capabilities): not applicable on a rung that cannot do one of them", NAME),
    "waits": ("(seconds): not applicable on a live rung if that is longer than --rungs-longest", SECONDS),
    "deed": ("(times): a person at the bench does this number of deeds", COUNT),
}
"""Each marker's arguments and meaning, and the kind of its arguments."""


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
    add("--rungs-wait", type=SECONDS, metavar="S", help="how long to wait for the lock (600)")
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
    config.pluginmanager.register(fixtures, "rungs-fixtures")
    config.stash[BENCH] = Bench(config)
    if not is_worker(config):
        config.pluginmanager.register(Recorder(config), "rungs-recorder")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Run the suite once per fault, if --rungs-faults is given.

    It is a usage error if an option lacks one that it needs.
    """
    try:
        check_needs(NEEDS, vars(config.option))
    except Wrong as fault:
        raise pytest.UsageError(str(fault)) from None
    if config.getoption("rungs_faults") is not None:
        return faults.main(config)
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on every requested rung, unless the test has its own parameter called `rung`."""
    if "rung" in metafunc.fixturenames and not has_its_own(metafunc.definition):
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
    asked = dict.fromkeys(rung for item in run if (rung := rung_of(item)) is not None)
    try:
        for text in asked:
            TEXT.check("A rung of pytest_rungs_chosen", text)
        for item in session.items:
            _check(item, config, bench.settings.get("capabilities"))
        if asked and not config.option.collectonly and not is_worker(config):
            _lock(config)
            for text in asked:
                bench.rung(text)
    except (Wrong, pytest.UsageError) as fault:
        if not is_worker(config):
            raise pytest.UsageError(str(fault)) from None
        bench.lost = str(fault)  # an error raised here would be pytest-xdist's internal error; the tests raise it


def _check(item: pytest.Item, config: pytest.Config, capabilities: list[str] | None) -> None:
    """Raise `Wrong` if a test's marker has a wrong argument, a missing anchor or an unknown capability."""
    test = item.nodeid.partition("[")[0]
    for mark in item.iter_markers():
        if mark.name == "promise" or (mark.name in MARKERS and rung_of(item) is not None):
            _check_mark(test, mark)
    for mark in item.iter_markers("promise"):
        try:
            heading_at(mark.args[0], config.rootpath)
        except NoAnchor as fault:
            raise Wrong(f"{fault}, but {test} promises it.") from None
        if rung_of(item) is None:
            raise Wrong(f"{test} promises {mark.args[0]}, but asks for no rung: no `rung`, no `wire`.")
    for need in (need for mark in item.iter_markers("needs") for need in mark.args):
        check_capability(f"{test} needs", need, capabilities)


def _check_mark(test: str, mark: pytest.Mark) -> None:
    """Raise `Wrong` if the number or kinds of the arguments of *mark* are not those in `MARKERS`."""
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


def _note(item: pytest.Item) -> dict[str, Any]:
    """Return a test's part of the record before it has run; the result is empty if it has no promise."""
    mark, rung = item.get_closest_marker("promise"), rung_of(item)
    if mark is None or rung is None:
        return {}
    function = getattr(item, "function", None)
    name = getattr(item, "originalname", item.name).removeprefix("test_").replace("_", " ")
    sentence = (getattr(function, "__doc__", None) or name).strip().splitlines()[0]
    anchor = mark.args[0]
    return {
        "rung": rung,
        "id": without_rung(item.nodeid, rung),
        "anchor": anchor,
        "heading": heading_at(anchor, item.config.rootpath),
        "text": mark.kwargs.get("text") or sentence,
        "measured": [],
        "unjudged": "",
        "stalled_ms": 0.0,
        "transcript": "",
        "facts": {},
    }


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
    report.rungs_other = rung_of(item) is not None and not note  # type: ignore[attr-defined]
    item.stash[BROKE] = item.stash.get(BROKE, False) or report.failed
    if (
        report.skipped
        and isinstance(report.longrepr, tuple)
        and Path(report.longrepr[0]).parent == Path(__file__).parent
    ):
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
    """Cut the traceback of a one-sentence error after the suite's line that caused it: the kit's lines add nothing."""
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

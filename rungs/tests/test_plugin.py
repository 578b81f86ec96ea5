"""The plugin: outcomes, records, restoring the device, and one sentence for each error."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree
from fnmatch import fnmatchcase
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rungs.person import Person

PLUGIN = ("-p", "rungs.plugin", "-p", "no:cacheprovider")
SCHEMA = Path(__file__).resolve().parents[1] / "record.schema.json"
DOCUMENT = "# The lamp\n\n## 1. On\n\n## 2. Off\n"
CONFTEST = """
from rungs import Rung, Unable, WireLost

class Wire:
    name = "lamp"

    def __init__(self, lamp):
        self.lamp, self.closed = lamp, False

    def read(self, timeout_s):
        if self.lamp.gone:
            raise WireLost("The lamp is gone.")
        self.lamp.time += timeout_s
        return self.lamp.said.pop(0) if self.lamp.said else b""

    def write(self, data):
        self.lamp.said.append(b"OK " + data)

    def close(self):
        self.closed = True

class Lamp(Rung):
    live = False
    cannot = {"dim": "This lamp has no dimmer."}

    def __init__(self):
        self.time, self.said, self.level, self.gone, self.restored = 0.0, [], 0, False, 0

    def wire(self):
        if self.gone:
            raise WireLost("The lamp is gone.")
        return Wire(self)

    def now(self):
        return self.time

    def do(self, deed, **more):
        raise Unable(f"Nobody can {deed} a lamp.")

    def restore(self):
        self.level, self.said, self.restored = 0, [], self.restored + 1

    def facts(self):
        return {"restored": self.restored}

def pytest_rungs_rung(spec):
    return Lamp() if spec.name in ("lamp", "other") else None
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A suite of tests for a lamp, with its document."""
    pytester.makeconftest(CONFTEST)
    pytester.path.joinpath("LAMP.md").write_text(DOCUMENT)
    return pytester


def run(suite: pytest.Pytester, *words: str, rungs: tuple[str, ...] = ("lamp",)) -> pytest.RunResult:
    """Run the suite on *rungs*, and write a record."""
    asked = [f"--rung={rung}" for rung in rungs]
    return suite.runpytest_inprocess(*PLUGIN, *asked, "--rungs-report=report", *words)


def record(suite: pytest.Pytester) -> dict[str, Any]:
    """Return the record of the run."""
    found: dict[str, Any] = json.loads(suite.path.joinpath("report", "record.json").read_text())
    return found


OUTCOMES = '''
import pytest

@pytest.mark.promise("LAMP.md#1")
def test_kept(wire):
    """It answers."""
    wire.write(b"ON\\n")
    assert wire.read(1.0) == b"OK ON\\n"

@pytest.mark.promise("LAMP.md#1", text="It is never off.")
def test_broken(wire, measure):
    wire.write(b"OFF\\n")
    measure("level", 3, at_least=5, unit="lx")

@pytest.mark.promise("LAMP.md#2")
@pytest.mark.needs("dim")
def test_not_applicable(rung):
    """It can be dimmed."""

@pytest.mark.promise("LAMP.md#2")
def test_a_deed(rung):
    """It can be kicked."""
    rung.do("kick")
'''


def test_four_promises_on_two_rungs(suite: pytest.Pytester) -> None:
    """Each rung has its own kept, broken and not applicable promises, and its own reason why one is not applicable."""
    suite.makepyfile(OUTCOMES)

    result = run(suite, rungs=("lamp", "other:1"))

    result.assert_outcomes(passed=2, failed=2, skipped=4)
    result.stdout.fnmatch_lines(["lamp: 1 kept, 1 broken, 2 not applicable, 0 not judged"])
    found = record(suite)
    assert [rung["name"] for rung in found["rungs"]] == ["lamp", "other:1"]
    promises = {each["text"]: each for each in found["rungs"][1]["promises"]}
    assert {text: each["outcome"] for text, each in promises.items()} == {
        "It answers.": "kept",
        "It is never off.": "broken",
        "It can be dimmed.": "not applicable",
        "It can be kicked.": "not applicable",
    }
    assert promises["It can be dimmed."]["reason"] == "This lamp has no dimmer."
    assert promises["It can be kicked."]["heading"] == "2. Off"


def test_a_broken_promise_has_its_transcript(suite: pytest.Pytester) -> None:
    """The last lines on the wire of a broken promise are in the failure's text, and in a file next to the record."""
    suite.makepyfile(OUTCOMES)

    result = run(suite)

    result.stdout.fnmatch_lines(["*the last lines of the wire*", "*= opened lamp", "*> OFF"])
    (broken,) = (each for each in record(suite)["rungs"][0]["promises"] if each["outcome"] == "broken")
    assert "> OFF" in suite.path.joinpath("report", broken["transcript"]).read_text()
    assert broken["measured"][0] == {
        "name": "level", "value": 3, "unit": "lx", "low": 5, "high": None, "pass": False, "held": False, "stalled": 0.0,
    }  # fmt: skip


def test_the_record_is_as_its_schema_says(suite: pytest.Pytester) -> None:
    """The record has exactly the required keys, with types, constants and outcomes that the schema allows."""
    suite.makepyfile(OUTCOMES)
    run(suite)
    schema = json.loads(SCHEMA.read_text())

    fits(record(suite), schema, schema["$defs"])


def fits(value: Any, schema: dict[str, Any], named: dict[str, Any]) -> None:
    """Check *value* against a schema, with the keywords of JSON Schema that record.schema.json uses."""
    schema = named[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    assert value in schema.get("enum", [value])
    assert value == schema.get("const", value)
    kinds: dict[str, Any] = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
    }
    asked = schema.get("type", [])
    asked = asked if isinstance(asked, list) else [asked]
    assert not asked or any(value is None if kind == "null" else isinstance(value, kinds[kind]) for kind in asked)
    if isinstance(value, dict) and "properties" in schema:
        assert set(value) == set(schema["required"]) == set(schema["properties"])
        for key, part in schema["properties"].items():
            fits(value[key], part, named)
    for each in value if isinstance(value, list) else ():
        fits(each, schema["items"], named)


def test_the_page_has_all_rungs_side_by_side(suite: pytest.Pytester) -> None:
    """The page is one file with each rung, each promise and each broken promise's reason, and loads no other files."""
    suite.makepyfile(OUTCOMES)
    run(suite, rungs=("lamp", "other:<1>"))

    page = suite.path.joinpath("report", "report.html").read_text()

    seen = (
        "other:&lt;1&gt;",
        "It can be dimmed.",
        "&gt; OFF",
        "3 lx",
        'href="transcripts/',
        "This lamp has no dimmer.",
    )
    for words in ("2 of 8 promises broken on 2 rungs", *seen):
        assert words in page
    assert not any(words in page for words in ("<script", "http://", "https://", "src="))


def test_junit_has_each_value_with_its_limit(suite: pytest.Pytester) -> None:
    """In JUnit, promise, anchor, rung and every measured value are properties of the test case."""
    suite.makepyfile(OUTCOMES)
    run(suite, "--junitxml=junit.xml")

    tree = ElementTree.parse(suite.path / "junit.xml")  # noqa: S314 - our own file

    (case,) = (each for each in tree.iter("testcase") if each.get("name") == "test_broken[lamp]")
    properties = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert properties == {
        "measure.level": "3 lx >= 5",
        "promise": "It is never off.",
        "anchor": "LAMP.md#1",
        "rung": "lamp",
    }


def test_junit_has_the_values_in_the_suite_for_those_who_do_not_read_them_in_a_case(suite: pytest.Pytester) -> None:
    """With --rungs-junit=suite the suite has the properties of all test cases, and the cases have none."""
    suite.makepyfile(OUTCOMES)
    run(suite, "--junitxml=junit.xml", "--rungs-junit=suite")

    tree = ElementTree.parse(suite.path / "junit.xml")  # noqa: S314 - our own file

    assert [each for case in tree.iter("testcase") for each in case.iter("property")] == []
    found = {each.get("name", "").partition(".")[2]: each.get("value") for each in tree.iter("property")}
    assert found["test_broken[lamp] measure.level"] == "3 lx >= 5"
    assert found["test_kept[lamp] promise"] == "It answers."


def test_the_rung_is_restored_after_every_test(suite: pytest.Pytester) -> None:
    """The rung is restored after a test that passes, fails, skips, or is not applicable."""
    changes = "    rung.level = 5\n"
    suite.makepyfile(
        "import pytest\n"
        f"def test_a(rung):\n    assert (rung.level, rung.restored) == (0, 0)\n{changes}"
        f"def test_b(rung):\n    assert (rung.level, rung.restored) == (0, 1)\n{changes}    assert False\n"
        f"def test_c(rung):\n    assert (rung.level, rung.restored) == (0, 2)\n{changes}    pytest.skip('enough')\n"
        f"@pytest.mark.needs('dim')\ndef test_d(rung):\n    pass\n"
        f"def test_e(rung):\n    assert (rung.level, rung.restored) == (0, 4)\n"
    )

    run(suite).assert_outcomes(passed=2, failed=1, skipped=2)


def test_a_skip_without_a_reason_breaks_the_promise(suite: pytest.Pytester) -> None:
    """A test that is skipped without a reason breaks its promise."""
    suite.makepyfile(
        'import pytest\n@pytest.mark.promise("LAMP.md#1")\ndef test_a(rung):\n    """It glows."""\n    pytest.skip()\n'
    )

    result = run(suite)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*A promise was skipped without a reason*"])


def test_trouble_is_there_meanwhile_and_a_new_wire_comes_after_a_break(suite: pytest.Pytester) -> None:
    """Bytes on the line are lost only until the end of the block, and `plug` opens a new wire after a break."""
    suite.makepyfile(
        """
        import pytest
        from rungs import WireLost

        def test_a(wire, trouble, plug):
            with trouble("lose", rate=1.0, ways="to-host") as line:
                wire.write(b"a")
                assert wire.read(0.1) == b""
                assert line.hits == 4
            with trouble("break"), pytest.raises(WireLost):
                wire.read(0.1)
            again = plug()
            again.write(b"b")
            assert again.read(0.1) == b"OK b"
        """
    )

    run(suite).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("'The lamp is in use.'", "The lamp is in use. This test has a wire open: close it before `plug()`."),
        (
            "Sentence(IN_USE, port='/dev/lamp')",
            "This test has a wire open, and lamp takes one: close it before `plug()`.",
        ),
    ],
)
def test_a_second_wire_to_a_device_with_one_says_that_the_first_is_open(
    suite: pytest.Pytester, fault: str, sentence: str
) -> None:
    """If a device allows one wire at a time, the error of `plug` says that the test has already opened one."""
    one = f"if self.restored: raise WireLost({fault})\n        self.restored = 1\n        return Wire(self)"
    suite.makeconftest("from rungs.wire import IN_USE, Sentence\n" + CONFTEST.replace("return Wire(self)", one))
    suite.makepyfile("def test_a(wire, plug):\n    plug()\n")

    run(suite).stdout.fnmatch_lines([f"E *WireLost: {sentence}", "test_*.py:2: WireLost"])


STALLED = """
import pytest
from rungs.bench import BENCH

@pytest.mark.promise("LAMP.md#1")
@pytest.mark.parametrize(
    ("ms", "limit", "stall_s"),
    [
        (90, {"at_most": 100}, 0.1),
        (110, {"at_most": 100}, 0.1),
        (500_000, {"at_most": 100}, 0.1),
        (110, {"at_most": 100, "of": 15}, 0.1),
        (110, {"at_most": 100, "of": 5}, 0.1),
        (58, {"at_least": 80}, 0.03),
        (0, {"at_least": 80}, 0.5),
        (58, {"between": (80, 90)}, 0.03),
        (58, {"at_least": 80}, 0.02),
        (58, {"at_least": 80}, 0.0),
    ],
)
def test_a(rung, measure, request, ms, limit, stall_s):
    request.config.stash[BENCH].load.late(rung.now(), stall_s)
    rung.time += 10
    rung.live = True
    try:
        measure("answer", ms, unit="ms", **limit)
    finally:
        rung.live = False  # before the next test starts to measure this machine
"""


def test_values_that_a_stall_of_the_machine_explains_are_not_judged(suite: pytest.Pytester) -> None:
    """A value is not judged if the machine's stall explains it; for a mean of N values, an N-th of the stall counts."""
    suite.makepyfile(STALLED)

    run(suite)

    promises = record(suite)["rungs"][0]["promises"]
    upper, mean = ["kept", "not judged", "broken"], ["broken", "not judged"]
    lower = ["not judged", "not judged", "not judged", "broken", "broken"]
    assert [each["outcome"] for each in promises] == [*upper, *mean, *lower]
    assert promises[1]["reason"] == "answer: 110 ms <= 100: the machine stalled for 100 ms within 110 ms."
    assert promises[5]["reason"] == "answer: 58 ms >= 80: the machine stalled for 30 ms within 102 ms."


WORST = """
import pytest
from rungs.bench import BENCH

@pytest.mark.promise("LAMP.md#1")
@pytest.mark.parametrize(
    ("values", "limit"),
    [
        ([80] * 20, {"at_most": 50}),
        ([80, 70, 60, 20], {"at_most": 50}),
        ([80, 20, 20], {"at_most": 50}),
        ([30] * 20, {"at_least": 50}),
        ([45, 60], {"at_least": 50}),
    ],
)
def test_a(rung, worst, request, values, limit):
    request.config.stash[BENCH].load.late(rung.now(), 0.1)
    rung.time += 10
    rung.live = True
    try:
        worst("answer", values, unit="ms", **limit)
    finally:
        rung.live = False  # before the next test starts to measure this machine
"""


def test_a_stall_explains_as_many_values_as_it_is_long(suite: pytest.Pytester) -> None:
    """The worst of several values is broken if all excesses over the limit together are longer than all stalls."""
    suite.makepyfile(WORST)

    run(suite)

    promises = record(suite)["rungs"][0]["promises"]
    assert [each["outcome"] for each in promises] == ["broken", "not judged", "not judged", "broken", "not judged"]
    among = "(20 values are beyond the limit, by 600 ms together; the machine was late by 100 ms in the whole test)"
    assert promises[0]["reason"] == f"AssertionError: answer: 80 ms <= 50 {among}"
    assert "(3 values are beyond the limit, by 60 ms together; " in promises[1]["reason"]


@pytest.mark.parametrize(
    ("rung", "sentence"),
    [
        ("moon", "There is no rung 'moon': choose from embedded, hand, jumpstarter, labgrid, process, replay, serial"),
        ("serial:/dev/none", "No device at /dev/none: is it plugged in?"),
        ("serial", "`serial:` needs a port"),
        ("process:sleep", "`process:` needs a command with {pty} in it"),
        ("embedded:board", "`embedded` takes no argument, not 'board'"),
        ("process:./none {pty}", "`./none {pty}` can't be started: No such file"),
        ("process:false {pty}", "`false {pty}` has ended"),
        ("replay:none.log", "none.log: No such file or directory"),
        ("jumpstarter:", "`jumpstarter:` needs a serial port of the exporter"),
        ("labgrid:main", "`labgrid:` needs an environment: LG_ENV=FILE"),
        ("", "No rung is chosen"),
    ],
)
def test_a_rung_that_cannot_be_had_is_one_sentence(suite: pytest.Pytester, rung: str, sentence: str) -> None:
    """A rung that is not available gives one sentence and pytest's usage error, and no test runs."""
    suite.makepyfile("def test_a(rung):\n    pass\n")

    result = run(suite, rungs=(rung,))

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.errlines if line][:1][0].startswith("ERROR: ")
    assert sentence in "\n".join(result.errlines)


@pytest.mark.parametrize(
    ("document", "wrong"), [("", "no heading that begins"), ("## 9. On\n## 9. Off", "two headings that begin")]
)
def test_a_document_without_the_anchor_is_one_sentence(suite: pytest.Pytester, document: str, wrong: str) -> None:
    """A missing or ambiguous anchor gives one sentence with the document, the anchor and the test."""
    suite.path.joinpath("LAMP.md").write_text(document)
    suite.makepyfile('import pytest\n@pytest.mark.promise("LAMP.md#9")\ndef test_a(rung):\n    """It glows."""\n')

    result = run(suite)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f'ERROR: LAMP.md has {wrong} with "9.", but *::test_a promises it.'])


def test_a_device_that_vanishes_ends_the_run(suite: pytest.Pytester) -> None:
    """If the device vanishes, the promise is broken, and the run ends with a usage error and its reason."""
    suite.makepyfile(
        'import pytest\n@pytest.mark.promise("LAMP.md#1")\ndef test_a(wire, rung):\n    """It glows."""\n'
        "    rung.gone = True\n    wire.read(1.0)\n\ndef test_b(rung):\n    pass\n"
    )

    result = run(suite)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*The lamp is gone.*"])
    assert [each["outcome"] for each in record(suite)["rungs"][0]["promises"]] == ["broken"]


def test_a_hand_that_is_not_there_makes_it_not_applicable(suite: pytest.Pytester) -> None:
    """Without a person at the bench the promise is not applicable, and the reason names the option."""
    suite.makepyfile(
        'import pytest\n@pytest.mark.promise("LAMP.md#1")\n'
        'def test_a(by_hand):\n    """It glows."""\n    by_hand("Look.")\n'
    )

    run(suite).assert_outcomes(skipped=1)
    assert record(suite)["rungs"][0]["promises"][0]["reason"] == "It needs somebody at the bench: --rungs-hand."


def test_a_long_wait_is_not_for_a_live_rung(suite: pytest.Pytester) -> None:
    """A long wait runs on a rung with simulated time; a real-time rung skips it and gives the reason."""
    suite.makepyfile(
        'import pytest\n@pytest.mark.waits(100)\n@pytest.mark.promise("LAMP.md#1")\n'
        'def test_a(rung):\n    """It glows."""\n'
    )

    run(suite).assert_outcomes(passed=1)
    suite.makeconftest(CONFTEST.replace("live = False", "live = True"))
    run(suite).assert_outcomes(skipped=1)


def test_a_rung_may_have_its_own_longest_wait(suite: pytest.Pytester) -> None:
    """A rung can set its own limit of a wait, and tests with longer waits are skipped."""
    suite.makepyfile("import pytest\n@pytest.mark.waits(3)\ndef test_a(rung):\n    pass\n")
    suite.makeconftest(CONFTEST.replace("live = False", "live, longest_s = True, 2.0"))

    run(suite).assert_outcomes(skipped=1)


def test_a_rung_that_broke_a_promise_may_be_made_anew(suite: pytest.Pytester) -> None:
    """A rung with `anew` is created again after a broken promise, instead of being restored."""
    suite.makeconftest(CONFTEST.replace("live = False", "live, anew = False, True"))
    suite.makepyfile(
        "def test_a(rung):\n    rung.level = 5\n"
        "def test_b(rung):\n    assert (rung.level, rung.restored) == (0, 1)\n    rung.level = 5\n    assert False\n"
        "def test_c(rung):\n    assert (rung.level, rung.restored) == (0, 0)\n"
    )

    run(suite).assert_outcomes(passed=2, failed=1)


def test_the_suite_chooses_its_rungs(suite: pytest.Pytester) -> None:
    """A hook can choose rungs; a rung marked `skip` is never created, and its promises have its reason."""
    suite.makeconftest(
        CONFTEST
        + """
import pytest

def pytest_rungs_chosen(config, asked):
    return [*asked, pytest.param("moon", marks=pytest.mark.skip(reason="The moon is too far away."))]
"""
    )
    suite.makepyfile(OUTCOMES)

    run(suite).assert_outcomes(passed=1, failed=1, skipped=6)

    assert {each["reason"] for each in record(suite)["rungs"][1]["promises"]} == {"The moon is too far away."}


def test_an_order_can_be_repeated(suite: pytest.Pytester) -> None:
    """A seed shuffles the tests, and the same seed gives the same order."""
    suite.makepyfile("".join(f"def test_{name}(rung):\n    pass\n" for name in "abcdefgh"))

    orders = [
        [line for line in run(suite, "-v", *words).outlines if "::test_" in line]
        for words in ((), ("--rungs-order=3",), ("--rungs-order=3",))
    ]

    assert orders[1] == orders[2] != orders[0]


def test_the_worst_of_a_run_is_a_fact(suite: pytest.Pytester) -> None:
    """The record has the largest value of a `most` fact, the smallest of a `least` fact, and the newest of others."""
    said = 'return {"most heat": 9 - self.restored, "least dark": 9 - self.restored, "newest": self.restored}'
    suite.makeconftest(CONFTEST.replace('return {"restored": self.restored}', said))
    suite.makepyfile(OUTCOMES)
    run(suite)

    assert record(suite)["rungs"][0]["facts"] == {"most heat": 8, "least dark": 5, "newest": 4}


def test_the_folder_of_the_report_is_a_setting(suite: pytest.Pytester) -> None:
    """`report` in [tool.pytest-rungs] sets the report's folder, unless the option sets it."""
    suite.makepyprojecttoml('[tool.pytest-rungs]\nrungs = ["lamp"]\nreport = "there"\n')
    suite.makepyfile(OUTCOMES)

    suite.runpytest_inprocess(*PLUGIN)

    assert (suite.path / "there" / "report.html").is_file()


def test_a_person_is_told_what_is_seen_and_can_do_it_once_more() -> None:
    """A person sees what `meanwhile` returns until they answer; before a repetition `forget` is called."""
    heard, typed = socket.socketpair()
    said, forgotten = StringIO(), []
    texts = iter(["", "Seen: nothing.", "Seen: light."])

    def meanwhile() -> str:
        if (text := next(texts)) == "Seen: light.":
            typed.sendall(b"r\n\n")
        return text

    with typed, heard:
        Person(heard, said).ask("Switch it on.", meanwhile, lambda: forgotten.append(True))

    words = [line.strip() for line in said.getvalue().splitlines()]
    assert [line for line in words if line.startswith(("DO", "Seen", "ONCE"))] == [
        "DO: Switch it on.",
        "Seen: nothing.",
        "Seen: light.",
        "ONCE MORE: Switch it on.",
    ]
    assert forgotten == [True]


def test_a_lock_that_is_held_is_named(suite: pytest.Pytester) -> None:
    """If the wait for a lock is too long, a usage error names the holder of the lock."""
    import fcntl

    suite.makepyfile("def test_a(rung):\n    pass\n")
    with suite.path.joinpath("lock").open("w") as file:
        file.write("ann@bench, process 7\n")
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        held = run(suite, "--rungs-lock=lock", "--rungs-wait=0")
    free = run(suite, "--rungs-lock=lock", "--rungs-wait=0")

    assert held.ret == pytest.ExitCode.USAGE_ERROR
    held.stderr.fnmatch_lines(["ERROR: lock is held by ann@bench, process 7."])
    free.assert_outcomes(passed=1)


def test_a_capture_of_each_test_can_be_replayed(suite: pytest.Pytester) -> None:
    """The capture of one run can be replayed as the rung of the next run."""
    suite.makepyfile('def test_a(wire):\n    wire.write(b"ON\\n")\n    assert wire.read(1.0) == b"OK ON\\n"\n')
    run(suite, "--rungs-capture=kept").assert_outcomes(passed=1)

    run(suite, rungs=("replay:kept/test_a-lamp-.log",)).assert_outcomes(passed=1)


REPLAYED = """
import pytest
from rungs import WireLost

@pytest.mark.promise("LAMP.md#1")
@pytest.mark.parametrize("ways", ["to-device", "to-host"])
def test_a(wire, plug, trouble, ways):
    with trouble("spoil", rate=0.3, ways=ways) as line:
        wire.write(b"ON and OFF\\n")
        answer = wire.read(1.0)
    assert line.hits and answer != b"OK ON and OFF\\n"
    with trouble("break"):
        pass
    wire = plug()
    wire.write(b"ON\\n")
    assert wire.read(1.0) == b"OK ON\\n", answer
    assert False, answer
"""


@pytest.mark.parametrize("ways", ["to-device", "to-host"])
def test_a_capture_of_a_test_with_trouble_can_be_replayed(suite: pytest.Pytester, ways: str) -> None:
    """The capture has the data at the rung's end of the line, and the replayed test adds the same trouble to them."""
    suite.makepyfile(test_lamp=REPLAYED)
    live = run(suite, "--rungs-capture=kept", "-k", ways)
    (file,) = (suite.path / "kept").iterdir()
    rung = f"replay:kept/{file.name}"
    replayed = run(suite, f"test_lamp.py::test_a[{rung}-{ways}]", rungs=(rung,))

    failed = [[line for line in each.outlines if line.startswith("E ")] for each in (live, replayed)]
    assert failed[0] == failed[1] != []
    assert [words in file.read_text() for words in (f"= {ways} spoil: ", "= lost: ")] == [True, True]


def test_a_strict_replay_goes_on_where_the_device_was_restored(suite: pytest.Pytester) -> None:
    """In a recording of a whole run, a test that ends early has no effect on the next one."""
    suite.makepyprojecttoml('[tool.pytest-rungs]\nrestore = "\\nRESET\\n"\n')
    lines = ("> ON", "< OK ON", "> ", "> RESET", "< OK") * 3
    suite.path.joinpath("talk.log").write_text(
        "\n".join(["# rungs capture 1, test, started now, port loop", *(f"1.000 {line}" for line in lines), ""])
    )
    suite.makepyfile(
        "import pytest\ndef test_a(rung):\n    pytest.skip('later')\n"
        "def test_b(wire):\n    wire.write(b'ON\\n')\n    assert not wire.read(1.0)\n"
        "def test_c(wire):\n    wire.write(b'ON\\n')\n    assert wire.read(1.0) == b'OK ON\\n'\n"
        "def test_d(wire):\n    wire.write(b'OFF\\n')\n"
    )

    result = run(suite, rungs=("replay:talk.log",))

    result.assert_outcomes(passed=1, failed=2, skipped=1)
    result.stdout.fnmatch_lines(["E *Differs: *talk.log has ended, and the host sends OFF*"])
    result.stdout.no_fnmatch_line("*capture.py*")


def test_another_plugin_with_our_option_is_one_sentence(suite: pytest.Pytester) -> None:
    """If another plugin has one of our options, the error names our plugin and the option."""
    suite.makepyfile(other="def pytest_addoption(parser):\n    parser.addoption('--rung', action='append')\n")
    suite.makepyfile("def test_a():\n    pass\n")
    suite.syspathinsert()

    result = suite.runpytest_inprocess("-p", "other", *PLUGIN)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: pytest-rungs: another plugin has one of its options (*--rung*"])


def test_a_person_at_a_connection_answers(suite: pytest.Pytester) -> None:
    """A person at --rungs-hand=HOST:PORT reads each request; Enter continues, s skips, q ends the run."""
    asked = "@pytest.mark.deed(2)\n@pytest.mark.promise('LAMP.md#1')\ndef test_{0}(by_hand):\n"
    body = '    """It glows."""\n    by_hand(\'Look.\')\n    by_hand(\'Look again.\')\n'
    suite.makepyfile("import pytest\n" + "".join(asked.format(name) + body for name in "abc"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    heard: list[str] = []
    person = threading.Thread(target=_answer, args=(port, "\n\n\ns\nq\n", heard))
    person.start()

    result = run(suite, f"--rungs-hand=127.0.0.1:{port}")
    person.join()

    result.assert_outcomes(passed=1, skipped=2)
    assert "DO 2 of 2: Look again." in "".join(heard)
    assert [each["reason"] for each in record(suite)["rungs"][0]["promises"]] == [
        "",
        "Skipped by the person at the bench.",
        "Ended by the person at the bench.",
    ]


def _answer(port: int, lines: str, heard: list[str]) -> None:
    """Connect as soon as the port is open, send *lines*, and collect the text in *heard* until the end."""
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port))
            break
        except ConnectionRefusedError:
            continue
    with connection:
        connection.sendall(lines.encode())
        while data := connection.recv(4096):
            heard.append(data.decode())


AT_A_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "pytest", *sys.argv[1:]])
"""


def test_a_person_at_the_terminal_answers_while_output_is_captured(suite: pytest.Pytester) -> None:
    """--rungs-hand asks at the terminal, and not on the captured standard output."""
    suite.makepyfile("def test_a(by_hand):\n    by_hand('Look.')\n")
    bench, terminal = os.openpty()
    os.write(bench, b"\n")
    command = [sys.executable, "-c", AT_A_TERMINAL, *PLUGIN, "--rung=lamp", "--rungs-hand"]
    surroundings = {**os.environ, "PYTHONPATH": str(SCHEMA.parents[1])}
    with subprocess.Popen(
        command, cwd=suite.path, env=surroundings, stdin=terminal, stdout=subprocess.PIPE, text=True
    ) as run_there:
        said, _ = run_there.communicate(timeout=60)
    asked = os.read(bench, 4096).decode()
    for end in (bench, terminal):
        os.close(end)

    assert "1 passed" in said
    assert "DO: Look." in asked


HOLDS = """
import fcntl
file = open("lock", "w")
file.write("ben@bench")
file.flush()
fcntl.flock(file, fcntl.LOCK_EX)
print(flush=True)
input()
"""


def test_a_second_run_waits_for_the_first_and_goes_on_when_it_is_killed(suite: pytest.Pytester) -> None:
    """The waiting run names the lock's holder, and continues when the holder is killed."""
    suite.makepyfile("def test_a(rung):\n    pass\n")
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLDS], cwd=suite.path, **pipes) as first:
        first.stdout.readline()
        command = (sys.executable, "-m", "pytest", *PLUGIN, "--rung=lamp", "--rungs-lock=lock", "--rungs-wait=60")
        surroundings = {**os.environ, "PYTHONPATH": str(SCHEMA.parents[1]), "PYTHONUNBUFFERED": ""}
        with subprocess.Popen(
            [*command], cwd=suite.path, env=surroundings, stdout=subprocess.PIPE, text=True
        ) as second:
            lines = iter(second.stdout.readline, "")
            waiting = next(line for line in lines if line.startswith("Waiting"))
            first.kill()
            rest = "".join(lines)

    assert waiting == "Waiting for lock: held by ben@bench.\n"
    assert "1 passed" in rest


@pytest.mark.parametrize(
    ("body", "rung", "sentence"),
    [
        ("LAMP.md#9", "lamp", "LAMP.md has no heading that begins with "),
        ("LAMP.md#1", "moon", "--rung=moon: There is no rung 'moon'"),
    ],
)
def test_with_several_processes_the_sentence_and_the_status_are_the_same(
    suite: pytest.Pytester, body: str, rung: str, sentence: str
) -> None:
    """Under pytest-xdist the output has the same sentence, and the status says that it was a usage error."""
    pytest.importorskip("xdist")
    suite.makepyfile(f'import pytest\n@pytest.mark.promise("{body}")\ndef test_a(rung):\n    """It glows."""\n')

    result = run(suite, "-p", "xdist.plugin", "-n1", rungs=(rung,))

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines([f"{sentence}*"])


def test_a_device_without_a_port_has_a_person_alone(suite: pytest.Pytester) -> None:
    """On the rung `hand` tests that send bytes don't apply, nor do tests that need a person if nobody is there."""
    suite.makepyfile(
        'import pytest\n@pytest.mark.promise("LAMP.md#1")\ndef test_a(wire):\n    """It glows."""\n'
        '@pytest.mark.promise("LAMP.md#2")\ndef test_b(rung):\n    """It is dark."""\n    rung.do("press")\n'
    )

    run(suite, rungs=("hand",)).assert_outcomes(skipped=2)
    assert [each["reason"] for each in record(suite)["rungs"][0]["promises"]] == [
        "Nothing is sent to a device without a port, as in hand:/dev/ttyACM0.",
        "Nobody is at the bench who could press: run with --rungs-hand.",
    ]


AFTER = ("pass", "assert False", "pytest.skip('enough')", "raise SystemExit", "rung.do('kick')")


def test_every_test_finds_the_device_as_it_was_at_the_start(suite: pytest.Pytester) -> None:
    """The device is as at the start after a test that changes a setting, however that test ends."""
    suite.makepyfile(
        f"import itertools, pytest\n"
        f"AFTER = {AFTER!r}\n"
        "@pytest.mark.parametrize('after', list(itertools.chain(*itertools.product(AFTER, repeat=2))))\n"
        "def test_a(rung, after, request):\n"
        "    request.node.user_properties.append(('found', rung.level))\n"
        "    rung.level = 5\n"
        "    exec(after)\n"
    )

    run(suite, "--junitxml=junit.xml", "-q", "--tb=no")

    tree = ElementTree.parse(suite.path / "junit.xml")  # noqa: S314 - our own file
    found = [each.get("value") for each in tree.iter("property") if each.get("name") == "found"]
    assert found == ["0"] * 2 * len(AFTER) ** 2


@pytest.mark.parametrize(
    ("how", "fate"),
    [("stuck", "noticed by its promise"), ("unable", "not applicable")],
)
def test_a_device_fault_of_another_package_is_applied_before_each_test(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, how: str, fate: str
) -> None:
    """A fault's entry point is called with the rung; a fault that cannot be applied to the rung is not applicable."""
    installed(suite, "rungs.faults", "stuck = lamp_faults:stuck\nunable = lamp_faults:unable\n")
    suite.makepyfile(
        lamp_faults="from rungs import Unable\n"
        "def stuck(rung):\n    rung.level = 9\n"
        "def unable(rung):\n    raise Unable('A lamp has no such part.')\n"
    )
    suite.makefile(".toml", faults=f'[[fault]]\nname = "a"\nbreaks = "LAMP.md#1"\nhow = {{ device = "{how}" }}\n')
    suite.makepyfile(
        'import pytest\n@pytest.mark.promise("LAMP.md#1")\ndef test_a(rung):\n    """It is dark."""\n'
        "    assert rung.level == 0\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{suite.path}:{SCHEMA.parents[1]}")

    result = suite.runpytest_subprocess(*PLUGIN, "--rung=lamp", "--rungs-faults=all")

    result.stdout.fnmatch_lines([f"a * {fate} *LAMP.md#1*"])
    assert result.ret == (pytest.ExitCode.NO_TESTS_COLLECTED if how == "unable" else 0)


def installed(suite: pytest.Pytester, group: str, lines: str) -> None:
    """Install a package with entry points next to *suite*."""
    folder = suite.mkdir("lamp_faults-1.0.dist-info")
    folder.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: lamp-faults\nVersion: 1.0\n")
    folder.joinpath("entry_points.txt").write_text(f"[{group}]\n{lines}")


def test_a_rung_of_two_packages_is_one_sentence(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """If two packages have a rung of the same name, the error names both packages."""
    installed(suite, "rungs", "serial = lamp_faults:serial\n")
    suite.makepyfile("def test_a(rung):\n    pass\n")
    suite.syspathinsert()

    result = run(suite, rungs=("serial:/dev/none",))

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    both = "lamp_faults:serial and rungs.shipped:serial"
    result.stderr.fnmatch_lines([f"ERROR: --rung=serial:/dev/none: Two packages have a rung 'serial': {both}."])


FAULTS = """
[[fault]]
name = "dead"
breaks = "LAMP.md#1"
how = { env = { LAMP = "dead" } }

[[fault]]
name = "slow"
breaks = "LAMP.md#1"
how = { argument = "--slow" }

[[fault]]
name = "dim"
breaks = "LAMP.md#2"
how = { define = "DIM" }
"""
DIES = """
def pytest_rungs_rung(spec):
    if os.environ.get("LAMP") == "dead":
        raise Missing("The lamp does not glow.")
"""


def test_a_fault_always_has_a_row_with_its_reason(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault has a row with its reason if the device does not start, or no rung or no test fits it."""
    lines = CONFTEST.replace("from rungs import", "import os\nfrom rungs import Missing,").partition("def pytest_rungs")
    suite.makeconftest(f"{lines[0]}{DIES}    return Lamp()\n")
    suite.makefile(".toml", faults=FAULTS)
    suite.makepyfile('import pytest\n@pytest.mark.promise("LAMP.md#1")\ndef test_a(rung):\n    pass\n')
    monkeypatch.setenv("PYTHONPATH", str(SCHEMA.parents[1]))

    result = run(suite, "--rungs-faults=all")

    assert result.outlines == [
        "dead                     noticed by another       LAMP.md#1: "
        "the suite does not run: --rung=lamp: The lamp does not glow.",
        "slow                     not applicable           LAMP.md#1: "
        "no rung of this run is a `process:`, to whose command it could be added",
        "dim                      missed                   LAMP.md#2: no test that has run promises it",
        "0 noticed by its promise, 1 noticed by another, 1 missed, 1 not applicable, 0 not judged; "
        "exit status 1: 2 or more had to be noticed by their promises",
    ]
    assert result.errlines[:2] == ["the suite without a fault", "fault 1 of 3: dead"]
    assert result.ret == 1
    assert sorted(path.parent.name for path in suite.path.glob("report/**/record.json")) == ["dim", "report", "slow"]


BUSY = """
import os
from pathlib import Path
import pytest
from rungs.bench import BENCH

@pytest.mark.promise("LAMP.md#1")
def test_a(rung, measure, request):
    rung.live = True
    request.config.stash[BENCH].load.late(rung.now(), 0.1)
    with Path("runs").open("a") as runs:
        runs.write(".")
    measure("answer", 110 if "LAMP" in os.environ else 90, at_most=100, unit="ms")
"""


def test_a_fault_next_to_a_busy_machine_is_tried_again_and_not_judged(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault whose promise is not judged in three runs is neither noticed nor missed; its row says why."""
    suite.makefile(".toml", faults=FAULTS)
    suite.makepyprojecttoml('[tool.pytest-rungs]\nrungs = ["lamp"]\nreport = "there"\n')
    suite.makepyfile(BUSY)
    monkeypatch.setenv("PYTHONPATH", str(SCHEMA.parents[1]))

    result = suite.runpytest_inprocess(*PLUGIN, "--rungs-faults=dead")

    assert result.outlines == [
        "dead                     not judged               LAMP.md#1: "
        "answer: 110 ms <= 100: the machine stalled for 100 ms within 110 ms.",
        "0 noticed by its promise, 0 noticed by another, 0 missed, 0 not applicable, 1 not judged; "
        "faults that are not judged do not count; exit status 5: no fault has been judged on the rungs of this run",
    ]
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert (suite.path / "runs").read_text() == "...."
    faults = json.loads((suite.path / "there" / "faults.json").read_text())["faults"]
    assert [(each["name"], each["fate"], each["report"]) for each in faults] == [
        ("dead", "not judged", "dead/report.html")
    ]
    assert 'href="dead/report.html">dead</a>' in (suite.path / "there" / "faults.html").read_text()
    page = (suite.path / "there" / "dead" / "report.html").read_text()
    assert "<h1>With the fault dead: no promise broken, 1 not judged on 1 rung</h1>" in page
    assert "? not judged: this machine was late by up to 100 ms" in page
    assert ">? 110 ms</td>" in page


def test_a_suite_that_is_broken_without_a_fault_says_where(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence names the tests that fail without a fault, with their rungs and reasons."""
    suite.makefile(".toml", faults=FAULTS)
    suite.makepyfile(test_lamp=OUTCOMES)
    monkeypatch.setenv("PYTHONPATH", str(SCHEMA.parents[1]))

    result = run(suite, "--rungs-faults=dead")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    where = "test_lamp.py::test_broken on lamp (AssertionError: level: 3 lx >= 5)"
    result.stderr.fnmatch_lines([f"ERROR: Promises are broken without any fault, run pytest first: {where}."])


TWICE = '[[fault]]\nname = "a"\nbreaks = "LAMP.md#1"\nhow = { define = "A" }\n'


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("[[fault]]\nhow = {}\n", "the fault '?' has no 'name'."),
        (
            'breakz = "LAMP.md#1"\nhow = {}\n',
            "the fault 'a': 'breakz' is unknown, choose from name, breaks, how, tests.",
        ),
        ('breaks = "LAMP.md"\nhow = {}\n', "'breaks' is an anchor, such as PROTOCOL.md#3, not 'LAMP.md'."),
        ('breaks = "LAMP.md#1"\nhow = {}\n', "is switched on by one of argument, define, device, env, patch."),
        ('breaks = "LAMP.md#1"\nhow = { patsch = "a" }\n', "`how`: 'patsch' is unknown, choose from argument, *"),
        ('breaks = "LAMP.md#1"\nhow = { env = { A = 1 } }\n', "`how`: 'env' is a table of texts, not {'A': 1}."),
        ('breaks = "LAMP.md#1"\nhow = { env = {} }\n' + "tests = 5\n", "'tests' is a list of texts, not 5."),
        ("[[fault]]\nname = 5\n", "the fault 5: 'name' is a text that is not empty, not 5."),
        (TWICE + TWICE.replace('"a"', '"A"'), "the fault 'A' has no name of its own: *would be 'a'."),
        ('least = "many"\n[[fault]]\n', "faults.toml: 'least' is a whole number from 0, not 'many'."),
        ("[[fault]]\n[more]\n", "faults.toml: 'more' is unknown, choose from fault, least."),
        (
            'breaks = "LAMP.md#1"\nhow = { env = {} }\ntest = []\n',
            "'test' is unknown, choose from name, breaks, how, tests.",
        ),
        ('breaks = "LAMP.md#9"\nhow = { env = {} }\n', "LAMP.md has no heading*, but the fault 'a' of faults.toml"),
        (
            'breaks = "LAMP.md#1"\nhow = { patch = "none.diff" }\n',
            "The fault 'a' does not apply: none.diff can't be read",
        ),
    ],
)
def test_a_fault_that_is_written_wrongly_is_one_sentence(suite: pytest.Pytester, more: str, sentence: str) -> None:
    """A wrong entry in faults.toml is refused with one sentence before the first run."""
    suite.makefile(".toml", faults=more if "[[" in more else f'[[fault]]\nname = "a"\n{more}')

    result = run(suite, "--rungs-faults=all")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{sentence}*"])


def test_a_fault_names_tests_that_have_run(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that names a test which has not run gives one sentence, after the run without faults."""
    suite.makefile(
        ".toml", faults=FAULTS.replace('breaks = "LAMP.md#2"', 'breaks = "LAMP.md#2"\ntests = ["test_nowhere"]')
    )
    suite.makepyfile('import pytest\n@pytest.mark.promise("LAMP.md#1")\ndef test_a(rung):\n    pass\n')
    monkeypatch.setenv("PYTHONPATH", str(SCHEMA.parents[1]))

    result = run(suite, "--rungs-faults=dim")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: faults.toml: the fault 'dim' names test_nowhere, which has not run: *"])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("trouble('spoil')", "ValueError: The trouble 'spoil' needs a rate, the share of the bytes*"),
        ("trouble('stall', ms='long')", "Wrong: ms is a number, not 'long'."),
        ("trouble('spoil', share=1)", "TypeError: trouble() got an unexpected keyword argument 'share'"),
        ("measure('x', 3, exactly=4, unit='ms')", "AssertionError: x: 3 ms == 4"),
        ("measure('x', 3, between=(5, 2))", "ValueError: between=(low, high) begins with the lower limit, not (5, 2)."),
        ("measure('x', '3', at_most=4)", "Wrong: x is a number, not '3'."),
        ("measure('x', 3, at_most='4')", "Wrong: A limit is a number, not '4'."),
        ("measure('x', 3, at_most=4, of=0)", "Wrong: of is a whole number from 1, not 0."),
        ("share('x', 21, 20, at_least=0.9)", "ValueError: x: of 20 there can't be 21 good ones."),
        ("share('x', 19, 20, at_least=95)", "ValueError: A rate is a share from 0 to 1, or from 0% to 100%, not 95."),
        ("measure('x', 3, at_most=4, at_least=2)", "ValueError: A value has one limit: at_most, *"),
        ("worst('x', [3, 1], at_least=2)", "AssertionError: x: 1 >= 2"),
        ("worst('x', [], at_most=2)", "AssertionError: x: there are no values."),
        ("worst('x', [1])", "ValueError: worst needs one limit: at_most or at_least."),
        ("plug().write('ID')", "TypeError: write takes bytes, not 'ID'."),
        ("worst('x', [1], atmost=2)", "TypeError: worst() got an unexpected keyword argument 'atmost'*"),
    ],
)
def test_what_is_wrong_in_a_test_is_one_sentence_at_its_line(suite: pytest.Pytester, line: str, sentence: str) -> None:
    """An error in a fixture's call is reported as one sentence at the test's line, without lines of the plugin."""
    suite.makepyfile(f"def test_a(trouble, measure, worst, share, plug):\n    {line}\n")

    result = run(suite)

    (told,) = (each for each in result.outlines if each.startswith("E "))
    assert not any("the last lines of the wire" in each for each in result.outlines)
    assert fnmatchcase(told, f"E *{sentence}")
    result.stdout.fnmatch_lines(["test_*.py:2: *"])


def test_trouble_and_its_hits_are_those_of_a_block(suite: pytest.Pytester) -> None:
    """A delay hits each portion by default, a rate may be a percentage, and each block counts hits from 0."""
    suite.makepyfile(
        """
        def test_a(wire, trouble):
            with trouble("delay", ms=200, ways="to-host") as late:
                wire.write(b"a")
                assert wire.read(0.0) == b""
            with trouble("lose", rate="100%", ways="to-device") as lost:
                wire.write(b"b")
            wire.write(b"c")
            assert (late.hits, lost.hits) == (1, 1)
        """
    )

    run(suite).assert_outcomes(passed=1)


def test_a_test_is_on_a_rung_and_promises_or_the_run_says_so(suite: pytest.Pytester) -> None:
    """A promise without a rung or with an unknown word is refused; other tests are counted separately."""
    suite.makepyfile("def test_a(rung):\n    assert False\ndef test_b(wire):\n    pass\ndef test_c():\n    pass\n")
    bare = run(suite)
    suite.makepyfile('import pytest\n@pytest.mark.promise("LAMP.md#1")\ndef test_a():\n    pass\n')
    nowhere = run(suite)
    suite.makepyfile('import pytest\n@pytest.mark.promise("LAMP.md#1", txt="On.")\ndef test_a(rung):\n    pass\n')
    odd = run(suite)

    bare.stdout.fnmatch_lines(["tests without a promise: 1 of 2 failed"])
    sentence = "ERROR: *::test_a promises LAMP.md#1, but asks for no rung: no `rung`, no `wire`."
    nowhere.stderr.fnmatch_lines([sentence])
    wrong = (
        "has promise('LAMP.md#1', txt='On.'), but promise(anchor, text=None) takes an anchor, such as PROTOCOL.md#3."
    )
    odd.stderr.fnmatch_lines([f"ERROR: *::test_a {wrong}"])


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        ("promise", "has promise(), but promise(anchor, text=None) takes an anchor, such as PROTOCOL.md#3."),
        ("promise('LAMP.md')", "has promise('LAMP.md'), but promise(anchor, text=None) takes an anchor, *"),
        ("waits", "has waits(), but waits(seconds) takes a number from 0."),
        ("waits('long')", "has waits('long'), but waits(seconds) takes a number from 0."),
        ("deed(0)", "has deed(0), but deed(times) takes a whole number from 1."),
        ("needs", "has needs(), but needs(*capabilities) takes a text that is not empty."),
    ],
)
def test_a_marker_that_is_wrong_is_one_sentence(suite: pytest.Pytester, mark: str, sentence: str) -> None:
    """A wrong argument is refused before the first test, with the test, the argument and the expected value."""
    suite.makepyfile(f"import pytest\n@pytest.mark.{mark}\ndef test_a(rung):\n    pass\n")

    result = run(suite)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *::test_a {sentence}"])


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--rungs-report=LAMP.md", "argument --rungs-report: a folder, which may be new, not 'LAMP.md'"),
        ("--rungs-capture=LAMP.md/a", "argument --rungs-capture: a folder, which may be new, not 'LAMP.md/a'"),
        ("--rungs-load=-3", "argument --rungs-load: a number from 0, not '-3'"),
        ("--rungs-longest=long", "argument --rungs-longest: a number from 0, not 'long'"),
        ("--rungs-hand=nowhere", "argument --rungs-hand: an address HOST:PORT, or nothing, not 'nowhere'"),
        ("--rungs-lock=none/lock", "argument --rungs-lock: a file in a folder that exists, not 'none/lock'"),
        ("--rungs-seed=x", "argument --rungs-seed: a whole number, not 'x'"),
        ("--rungs-least=7", "--rungs-least needs --rungs-faults."),
        ("--rungs-wait=0", "--rungs-wait needs --rungs-lock."),
        ("--rung=lamp", "--rung=lamp is given twice."),
    ],
)
def test_an_option_that_is_wrong_is_one_sentence(suite: pytest.Pytester, option: str, sentence: str) -> None:
    """A wrong value is refused before the first test; the message names the option and the expected value."""
    suite.makepyfile("def test_a(rung):\n    pass\n")

    result = suite.runpytest_inprocess(*PLUGIN, "--rung=lamp", option)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{sentence}"])
    assert not suite.path.joinpath("none").exists()


@pytest.mark.parametrize(
    ("hook", "sentence"),
    [
        ("rung(spec):\n    return 5", "--rung=lamp: What makes the rung 'lamp' has returned 5, which is no Rung."),
        ("chosen(config, asked):\n    return [5]", "A rung of pytest_rungs_chosen is a text, not 5."),
    ],
)
def test_what_a_hook_returns_is_checked(suite: pytest.Pytester, hook: str, sentence: str) -> None:
    """A hook that returns something other than a rung or a rung's name gives one sentence with the returned value."""
    suite.makeconftest(f"def pytest_rungs_{hook}\n")
    suite.makepyfile("def test_a(rung):\n    pass\n")

    result = run(suite, rungs=("lamp:",))

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {sentence}"])


SKIPPED = """
import pytest

pytestmark = pytest.mark.promise("LAMP.md#1")

@pytest.mark.skip
def test_it_glows_at_night(rung):
    pass

@pytest.mark.xfail(reason="bug 12")
def test_xfail(rung):
    assert False

@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.needs("dim")
def test_dims(rung, times):
    pass
"""


def test_what_is_skipped_has_its_reason_and_its_line(suite: pytest.Pytester) -> None:
    """A skip mark without a reason breaks the promise; a promise without a text has its test's name."""
    suite.makepyfile(SKIPPED)

    result = run(suite, "-rs")

    result.stdout.fnmatch_lines(["SKIPPED [[]2[]] test_*.py:13: This lamp has no dimmer."])
    assert [(each["text"], each["outcome"], each["reason"]) for each in record(suite)["rungs"][0]["promises"]] == [
        ("it glows at night", "broken", "A promise was skipped without a reason: pytest.skip(reason)."),
        ("xfail", "not applicable", "Expected to fail: bug 12"),
        *[("dims", "not applicable", "This lamp has no dimmer.")] * 2,
    ]


SETTINGS = """
[tool.pytest-rungs]
capabilities = ["dim", "button"]

[tool.pytest-rungs.cannot]
lamp = { button = "A lamp has no button." }
"""


@pytest.mark.parametrize(
    ("settings", "need", "sentence"),
    [
        (SETTINGS, "button", "1 skipped"),
        (SETTINGS, "buton", "ERROR: *::test_a needs 'buton', but the suite's capabilities are dim, button."),
        (
            '[tool.pytest-rungs]\nrestor = "x"\n',
            "",
            "ERROR: [[]tool.pytest-rungs[]]: 'restor' is unknown, choose from baud, *",
        ),
        ('[tool.pytest-rungs]\nbaud = "x"\n', "", "*: 'baud' is a whole number from 1, not 'x'."),
        ("[tool.pytest-rungs]\nrungs = [1]\n", "", "*: 'rungs' is a list of different texts, not [[]1[]]."),
        (
            SETTINGS.replace("lamp = { button", "lamp = { buton"),
            "",
            "*: 'cannot.lamp' has 'buton', but the suite's capabilities are dim, button.",
        ),
    ],
)
def test_the_settings_say_what_there_is(suite: pytest.Pytester, settings: str, need: str, sentence: str) -> None:
    """The settings list the capabilities, and those that a rung lacks; a wrong key or value gives one error message."""
    suite.makepyprojecttoml(settings)
    suite.makepyfile(f"import pytest\n@pytest.mark.needs('{need}')\ndef test_a(rung):\n    pass\n")

    result = run(suite)

    assert any(fnmatchcase(line, f"*{sentence}*") for line in [*result.outlines, *result.errlines])


def test_a_rung_with_time_of_its_own_has_no_stalls(suite: pytest.Pytester) -> None:
    """Stalls of the machine count only on a rung that runs in real time."""
    suite.makepyfile(
        'import pytest\nfrom rungs.bench import BENCH\n@pytest.mark.promise("LAMP.md#1")\n'
        "def test_a(rung, request):\n    request.config.stash[BENCH].load.late(rung.now(), 0.1)\n"
    )
    stalled = []
    for live in ("False", "True"):
        suite.makeconftest(CONFTEST.replace("live = False", f"live = {live}"))
        run(suite)
        stalled.append(record(suite)["rungs"][0]["promises"][0]["stalled_ms"])

    assert stalled[0] == 0.0
    assert stalled[1] >= 100.0

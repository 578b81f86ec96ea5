"""Re-check of recorded passages: the same readings with another judge, and the differences."""

from __future__ import annotations

import json

import pytest

from companion.ports.ring import Judgement, RingEventKind
from firmware_bridge.capture.files import captures
from firmware_bridge.capture.reader import read_tape
from firmware_bridge.capture.reclassify import as_json, as_text, judged_again
from firmware_bridge.capture.writer import CaptureWriter
from firmware_bridge.device.framing import seal

LINES = (
    "hello v=1 to=s1 fw=0.1.0 id=bench sensor=tcs34725 sim=1 can=gls b=00000001 from=1",
    "ref b=00000001 n=1 t=5 white=1080:1200:968:3216 dark=0:0:0:0 sum=8",
    "ref b=00000001 n=2 t=5 black=160:184:144:488 sum=8",
    "frame b=00000001 n=3 t=5 f=54166:56:28:24:103,62500:56:28:24:103",
    "edge b=00000001 n=4 t=5 e=A+0,B+50000,A-100000,B-150000",
    "pass b=00000001 n=5 t=5 k=out tok=17 parts=4 len=100 us=150000",
    "edge b=00000001 n=6 t=9 e=A+0,A-100000",
    "pass b=00000001 n=7 t=9 k=poke tok=17 parts=1 us=100000",
)


class Constant:
    """A judge that always returns the same colour."""

    def __init__(self, colour: str | None) -> None:
        self._colour = colour

    def judge(self, reading, under):
        """Return that colour."""
        return Judgement(self._colour, (("red", 0.75), ("blue", 0.25)), "" if self._colour else "ambiguous")


@pytest.fixture
def log(tmp_path):
    """A capture with one cube classified as red, and one touched beam."""
    capture = CaptureWriter(tmp_path / "captures", "companion 9")
    capture.received(b"".join(map(seal, LINES)))
    capture.note("judged 00000001 5 red")
    capture.close()
    return captures(tmp_path / "captures")[0]


def test_each_passage_is_judged_from_its_own_readings(log):
    """The judge gets each passage's frames and references; a touched beam has no colour."""
    seen = []

    class Curious(Constant):
        def judge(self, reading, under):
            seen.append(reading)
            return super().judge(reading, under)

    out, poke = judged_again(read_tape(log), Curious("blue"))

    assert [reading.white[3] for reading in seen] == [402.0]
    assert len(seen[0].frames) == 2
    assert (out.then, out.now, out.changed) == ("red", "blue", True)
    assert (poke.event.kind, poke.then, poke.now, poke.changed) == (RingEventKind.POKE, None, None, False)


def test_a_judge_that_agrees_changes_nothing(log):
    """If the judge agrees, no passage is marked."""
    passages = judged_again(read_tape(log), Constant("red"))

    assert "2 passages, 0 judged differently now" in list(as_text(passages))[-1]


def test_the_table_names_time_kind_then_now_and_ranking(log):
    """In the table, passages with a new classification are marked."""
    text = list(as_text(judged_again(read_tape(log), Constant(None))))

    assert text[1].split()[1:] == ["*", "out", "red", "unsure", "red", "75.0%,", "blue", "25.0%", "(ambiguous)"]
    assert text[2].split()[1:] == ["poke", "-", "-"]


def test_json_holds_it_all(log):
    """The JSON has the names of log and calibration, and the number of differences."""
    line = json.loads(json.dumps(as_json("log", "c1", judged_again(read_tape(log), Constant("blue")))))

    assert line["changed"] == 1
    assert line["passages"][0]["ranking"] == [["red", 0.75], ["blue", 0.25]]
    assert line["passages"][0] | {"then": "red", "now": "blue", "seq": 5, "token": 17} == line["passages"][0]


def test_the_command_prints_a_table_and_json(ring_command, log):
    """The command prints a table or JSON, and says so if there is no calibration."""
    process = ring_command("judge", log)
    out, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (0, "")
    assert "no calibration" in out

    out, _ = ring_command("judge", log, "--json").communicate(timeout=60)
    assert len(json.loads(out)["passages"]) == 2


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"calibration": 9}', "[" * 100_000])
def test_a_calibration_that_is_none_is_refused(ring_command, log, tmp_path, text):
    """A file that isn't a calibration gives one line with its name and status 2."""
    (tmp_path / "calibration").write_text(text)
    process = ring_command("judge", log, "--calibration", tmp_path / "calibration")
    _, error = process.communicate(timeout=60)

    assert process.returncode == 2
    assert str(tmp_path / "calibration") in error
    assert error.count("\n") == 1

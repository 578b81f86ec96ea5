"""PROTOCOL 7, last row: well-formed lines with nonsense disturb neither end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ports.calibration import BadCalibration
from companion.ports.ring import Judgement, RingEventKind, RingState
from firmware_bridge import InputError, Nominal
from firmware_bridge.calibration.service import CalibrationService
from firmware_bridge.client.status import StatusPublisher, missing
from firmware_bridge.colour import METHODS, Reading, calibration_of, closeness, judge_of, leave_one_out
from firmware_bridge.device.codec import bits
from firmware_bridge.device.framing import LONGEST_BODY, seal
from firmware_bridge.passages.passage import NO_GAME, Passages, measured_again
from firmware_bridge.protocol.connection import Connection
from firmware_bridge.protocol.messages import Event, read
from firmware_bridge.protocol.timeouts import HOLE_S
from tests.effort import examples

WORDS = [
    "hi",
    "hello",
    "ack",
    "replay",
    "dump",
    "ping",
    "beat",
    "state",
    "tally",
    "pong",
    "done",
    "sorry",
    "gate",
    "lift",
    "fault",
    "ref",
    "frame",
    "edge",
    "pass",
    "arm",
    "set",
]
KEYS = [
    "h",
    "b",
    "n",
    "t",
    "v",
    "to",
    "fw",
    "id",
    "sensor",
    "sim",
    "can",
    "from",
    "last",
    "tok",
    "gate",
    "lift",
    "first",
    "lost",
    "bad",
    "again",
    "c",
    "why",
    "k",
    "parts",
    "e",
    "f",
    "u",
    "got",
]
VALUES = st.one_of(
    st.integers(0, 300).map(str), st.sampled_from(["s2", "s3", "00000001", "x", "out", "-1", "a:b", "ff"])
)
NONSENSE = st.builds(
    lambda word, fields: " ".join([word, *(f"{key}={value}" for key, value in fields.items())])[:LONGEST_BODY].strip(),
    st.sampled_from(WORDS),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=12),
)


@given(st.lists(NONSENSE, max_size=20))
def test_a_host_survives_any_whole_lines(conversation, bodies):
    """Any lines of a faulty device leave the host working."""
    talk = conversation().pass_time(0.01)
    talk.host.receive(b"".join(map(seal, bodies)), talk.now)
    talk.host.outgoing(talk.now)

    assert talk.host.due(talk.now) < talk.now + 10


@given(st.lists(NONSENSE, max_size=20))
def test_a_device_survives_any_whole_lines(conversation, bodies):
    """Any lines of a faulty host leave the device working."""
    talk = conversation().pass_time(0.01)
    for _, fields in talk.device.receive(b"".join(map(seal, bodies)), talk.now_us):
        talk.device.answer(int(fields["c"]))

    assert talk.device.outgoing(talk.now_us + 2_000_000)


def told(word: str, number: int, **fields: str) -> Event:
    """Return an event with *fields*."""
    return Event(word, "00000001", number, 0, fields, f"${word}")


def take(*events: Event, under: Mapping[str, int] | None = None):
    """Return what a sequence of events leads to."""
    passages = Passages("d")
    return [made for event in events if (made := passages.take(event, Nominal(), under or {}))]


def test_a_passage_without_readable_parts_still_counts():
    """A passage without readable parts counts as a cube, with an unknown colour."""
    (made,) = take(told("edge", 1, e="nonsense"), told("frame", 2), told("pass", 3, k="out", tok="5", parts="2"))

    assert (made.kind, made.token, made.judgement) == (RingEventKind.OUT, 5, Judgement(None, why="unread"))


def test_a_passage_without_a_dark_reference_is_judged_as_if_it_were_zero():
    """A passage without a dark reference is classified as if dark were zero."""
    edges = told("edge", 3, e="A+0,B+50000,A-100000,B-150000")
    white, frame = "1080:1200:968:3216", told("frame", 2, f="75000:40:12:10:55")
    passage = told("pass", 4, k="out", tok="5", parts="3", us="150000")

    (without,) = take(told("ref", 1, white=white, sum="8"), frame, edges, passage)
    (with_zero,) = take(told("ref", 1, white=white, dark="0:0:0:0", sum="8"), frame, edges, passage)

    assert without.judgement == with_zero.judgement
    assert without.judgement.colour is not None


@pytest.mark.parametrize(
    "fields", [{}, {"k": "dance", "tok": "1", "parts": "0"}, {"k": "out", "tok": "x", "parts": "0"}]
)
def test_a_passage_without_a_verdict_is_on_record_as_a_fault(fields):
    """A passage without a verdict is recorded as a fault with its raw lines."""
    (made,) = take(told("pass", 1, **fields))

    assert (made.kind, made.detail["fault"], made.raw) == (RingEventKind.FAULT, "unreadable-passage", ("$pass",))


def test_parts_of_another_passage_are_not_mixed_in():
    """Only the events numbered just before a passage are its parts."""
    (made,) = take(
        told("edge", 1, e="A+0"), told("edge", 7, e="A+0,A-5000"), told("pass", 8, k="poke", tok="0", parts="1")
    )

    assert made.raw == ("$edge", "$pass")


def test_an_event_of_an_unknown_word_is_on_record_as_a_fault():
    """An event with an unknown word is recorded as a fault, so that its number doesn't stay open."""
    (made,) = take(told("weather", 1))

    assert (made.kind, made.detail) == (RingEventKind.FAULT, {"fault": "unknown-event", "word": "weather"})


@pytest.mark.parametrize(
    "body", ["", "gate", "gate n=1", "gate b=1 n=x t=1", "beat b=1 t=1 last=1 tok=0 gate=2 lift=0"]
)
def test_a_line_that_is_no_message_is_none(body):
    """A line with a missing or an invalid field is not a message."""
    assert read(body, spoken=1) is None


@pytest.mark.parametrize("time", ["", " t=x", " t=-1", " t=1.5", " t=" + "1" * 16])
def test_an_event_without_a_readable_time_does_not_stop_the_link(talk, time):
    """An event with an unreadable time is dropped four times, then recorded as a fault; later events follow it."""
    talk.happen(2)
    talk.pass_time(0.1)
    before, nonsense = list(talk.told), seal(f"gate b={talk.host.hello.boot} n=3{time} open=1")
    later = seal(f"gate b={talk.host.hello.boot} n=4 t=900 open=0")

    heard = [talk.host.receive(line, talk.now) for line in (later, *[nonsense] * 6)]

    assert before == [1, 2]
    assert heard[:5] == [[]] * 5
    assert [(event.number, event.word, dict(event.fields)) for event in heard[5]] == [
        (3, "?", {"said": "gate"}),
        (4, "gate", {"open": "0"}),
    ]
    assert heard[6] == []
    (fault,) = take(heard[5][0])
    assert (fault.kind, fault.detail) == (RingEventKind.FAULT, {"fault": "unreadable-line", "word": "gate"})


def test_an_event_that_never_comes_while_later_ones_wait_is_named_after_ten_seconds(talk):
    """A missing event is requested again and again, never skipped, and reported after ten seconds."""
    boot = talk.host.hello.boot
    talk.host.receive(seal(f"gate b={boot} n=2 t=900 open=0"), talk.now)
    at_first, soon, late = (talk.host.missing(talk.now + later) for later in (0, HOLE_S, HOLE_S + 0.1))
    talk.host.receive(seal(f"gate b={boot} n=1 t=800 open=1"), talk.now + HOLE_S)

    assert (at_first, soon, late) == (None, None, 1)
    assert talk.host.missing(talk.now + 3 * HOLE_S) is None


def test_the_table_is_told_that_something_is_missing_until_it_has_come(listener):
    """The sentence about a missing event is shown after any other trouble, and disappears when the event arrives."""
    showing = StatusPublisher(listener, Connection(lambda: "abc"), lambda: 0.0, "usb")
    showing.show(state=RingState.LIVE, trouble="The eye is dirty.")
    showing.miss(missing(7))
    behind = showing.view.trouble
    showing.show(trouble="")
    showing.miss(missing(7))
    told = showing.view.trouble
    showing.miss(missing(None))

    assert behind == "The eye is dirty."
    assert "isn't arriving" in told
    assert [view.trouble for view in listener.views] == ["The eye is dirty.", "", told, ""]


def test_a_readable_telling_is_the_one_that_counts(talk):
    """An event that arrives first without a time, and then with one, is accepted with the time."""
    boot = talk.host.hello.boot
    for _ in range(4):
        talk.host.receive(seal(f"gate b={boot} n=1 t=x open=1"), talk.now)

    (event,) = talk.host.receive(seal(f"gate b={boot} n=1 t=7 open=1"), talk.now)

    assert (event.word, event.at_us) == ("gate", 7)


def test_a_senseless_line_of_another_boot_or_far_ahead_is_dropped(talk):
    """An invalid line of another boot, or with a number far ahead, is dropped, however often it comes."""
    boot = talk.host.hello.boot
    for line in (seal("gate b=ffffffff n=1 t=x"), seal(f"gate b={boot} n=900 t=x")):
        heard = [talk.host.receive(line, talk.now) for _ in range(9)]
        assert heard == [[]] * 9


@pytest.mark.parametrize("text", ["-1", "g", "0x1", "1" * 49])
def test_bits_are_hexadecimal_digits_and_nothing_else(text):
    """Bits are up to 48 hexadecimal digits, for 192 events."""
    with pytest.raises(ValueError, match="no bits"):
        bits(text)


@pytest.mark.parametrize("fields", [{}, {"what": "white"}, {"what": "white", "counts": "1:2:3", "sum": "8"}])
def test_a_look_without_sense_is_on_record_as_a_fault(fields):
    """An invalid look is recorded as a fault with its raw line, and isn't used as a reference."""
    (made,) = take(told("look", 1, **fields))

    assert (made.kind, made.detail) == (RingEventKind.FAULT, {"fault": "unreadable-event", "word": "look"})


def test_a_sum_of_no_frames_is_no_reference():
    """A reference of zero frames is not used."""
    ref = {"white": "1:2:3:4", "dark": "0:0:0:0", "sum": "0"}
    (made,) = take(told("ref", 1, **ref), told("edge", 2, e="A+0,A-5"), told("pass", 3, k="out", tok="5", parts="2"))

    assert made.judgement == Judgement(None, why="unread")


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=80),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
)
COUNTS = st.lists(
    st.one_of(st.integers(-20, 1100), st.floats(allow_nan=True, allow_infinity=True), LEAVES), min_size=3, max_size=5
)
PASS = st.fixed_dictionaries(
    {
        "colour": st.sampled_from(["red", "blue", ""]),
        "frames": st.lists(COUNTS, max_size=3),
        "white": COUNTS,
        "dark": COUNTS,
    }
)
CALIBRATION = st.fixed_dictionaries(
    {
        "calibration": st.sampled_from([1, 1, 1, 2, "1"]),
        "device": st.text(max_size=61),
        "sensor": st.text(max_size=8),
        "copy": st.text(max_size=8),
        "made": st.text(max_size=8),
        "black": COUNTS,
        "white": COUNTS,
        "passes": st.lists(PASS, max_size=12),
    }
)


@given(st.one_of(JSON, CALIBRATION))
def test_a_calibration_without_sense_is_refused_with_a_reason(line):
    """An invalid calibration is refused with one sentence."""
    with pytest.raises(InputError) as refused:
        calibration_of(line)

    assert str(refused.value)


@given(st.one_of(JSON, CALIBRATION))
def test_a_calibration_without_sense_is_refused_by_the_instrument(line):
    """An invalid calibration is refused by the instrument with a sentence; a recorded one is skipped and named."""
    instrument = CalibrationService(
        Nominal(), count(NO_GAME), lambda what: True, lambda colours: None, lambda facts: {}, int
    )
    with pytest.raises(BadCalibration):
        instrument.check_line(line)
    instrument.offer([line])

    assert instrument.view.uncalibrated.startswith("Calibration 1 of 1 can't be used: ")


EIGHT = st.tuples(*[st.floats(-16, 1024)] * 4).map(list)


@examples(10)
@given(st.lists(EIGHT, min_size=10, max_size=10), EIGHT, EIGHT, EIGHT, EIGHT)
def test_a_calibration_of_any_counts_judges_without_breaking(frames, black, white, dark, seen):
    """A valid calibration with absurd counts never raises an exception when it is used."""
    white = [max(high, low + 1, room + 1) for high, low, room in zip(white, black, dark, strict=True)]
    passes = [
        {"colour": "red" if n < 5 else "blue", "frames": [each], "white": white, "dark": dark}
        for n, each in enumerate(frames)
    ]
    line = {"calibration": 1, "device": "d", "sensor": "s", "copy": "c", "made": "m", "black": black, "white": white}
    try:
        calibration = calibration_of({**line, "passes": passes})
    except InputError:
        return  # a white above full scale
    reading = Reading([tuple(seen)], tuple(black), tuple(white), tuple(dark))
    for method in METHODS:
        named = replace(calibration, method=method)
        shares = [share for _, share in judge_of(named).judge(reading, {}).ranking]

        assert all(0 <= share <= 1 for share in shares)
        assert sum(leave_one_out(named)["red"].values()) == 5
    assert closeness(calibration)[0][2] >= 0


RAW = st.one_of(st.text(max_size=120), NONSENSE.map(lambda body: seal(body).decode().strip()))


@given(st.lists(RAW, max_size=8))
def test_raw_lines_without_sense_are_judged_as_nothing(raw):
    """Raw lines of any kind in a ledger give a reading or None, never an exception."""
    assert measured_again(raw) is None or measured_again(raw).kind is not None

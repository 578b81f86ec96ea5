"""PROTOCOL 6: verdicts, from the edges of two beams."""

from __future__ import annotations

import pytest

from firmware_bridge.device.beam_recogniser import Recogniser

pytestmark = [pytest.mark.promise("hardware/PROTOCOL.md#6"), pytest.mark.needs("slides", "leisure")]

LONGEST_FILTER_US = 99_999
SPEEDS = (20, 50, 100, 200, 500, 1000, 2000)
FULL_FRAME_UP_TO = 500


@pytest.mark.needs("speed")
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_cube_that_leaves_is_out(host, measure, speed):
    """A+ B+ A- B- is `out`, with the cube's length, at any speed up to 2 m/s."""
    passage = host.slide("red", speed)

    assert (passage.kind, passage.path) == ("out", "A+ B+ A- B-")
    measure(f"length at {speed} mm/s, off one edge", abs(passage.seen.length - 1) * 100, at_most=5, unit="hundredths")


@pytest.mark.deed(3)
def test_the_length_is_what_the_edges_say(host):
    """The length formula with the reported edges gives exactly the reported length, however the speed changes."""
    for _ in range(3):
        passage = host.slide("red")
        again = [each for each in map(Recogniser().edge, *zip(*passage.seen.edges, strict=True)) if each]

        assert [(each.kind, each.length) for each in again] == [
            (passage.kind, int(passage.verdict.fields.get("len", -1)))
        ]


@pytest.mark.needs("speed")
@pytest.mark.parametrize("speed", [speed for speed in SPEEDS if speed <= FULL_FRAME_UP_TO])
def test_a_cube_is_seen_as_what_it_is(host, measure, speed):
    """Up to 0.5 m/s at least one frame shows nothing but the cube, and the cube's colour is recognised by it."""
    host.rung.taught("blue")
    passage = host.slide("blue", speed)

    measure(f"full frames at {speed} mm/s", len(passage.seen.full), at_least=1, unit="frames")
    assert passage.colour == "blue"


@pytest.mark.needs("speed")
@pytest.mark.parametrize("speed", [1000, 2000])
def test_a_cube_too_fast_for_a_full_frame_is_seen_in_part(host, measure, speed):
    """For a cube too fast for a full frame, up to three frames between its edges are sent, and it still counts."""
    passage = host.slide("blue", speed)

    assert passage.kind == "out"
    measure(f"frames at {speed} mm/s", len(passage.seen.frames), at_most=3, unit="frames")
    last = passage.seen.edges[-1][2]
    assert all(0 <= at <= last for at, _ in passage.seen.frames)


@pytest.mark.parametrize("colour", ["red", "yellow", "green", "blue", "white", "black"])
def test_colours_are_told_by_their_frames(host, colour):
    """The host recognises the cube's colour by frames and references; if it is unsure, the cube is slid again."""
    host.rung.taught(colour)

    assert (host.slide(colour).colour or host.slide(colour).colour) == colour


@pytest.mark.parametrize("speed", [30, 100, 300])
def test_two_that_leave_together_are_a_pair(host, measure, speed):
    """A+ B+ A- B- with a length of more than 1.65 cube edges is `pair`."""
    passage = host.slide("red", speed, "pair")

    assert (passage.kind, passage.path) == ("pair", "A+ B+ A- B-")
    measure(
        f"length of two at {speed} mm/s, off two edges",
        abs(passage.seen.length - 2) * 100,
        at_most=10,
        unit="hundredths",
    )


@pytest.mark.needs("speed", "leisure")
def test_a_pair_is_longer_than_its_setting(host):
    """A length equal to the setting `pair` is one cube; only a greater length is a pair."""
    host.done("set", ("edge", 7_000))
    length = int(host.slide("red", 80).verdict.fields["len"])
    host.done("set", ("pair", length))

    passages = [host.slide("red", 80) for _ in range(3)]

    for passage in passages:
        assert passage.kind == ("pair" if int(passage.verdict.fields["len"]) > length else "out")


def test_a_cube_that_goes_back_is_back(host):
    """A+ B+ B- A- is `back`."""
    passage = host.slide("red", fault="back")

    assert (passage.kind, passage.path) == ("back", "A+ B+ B- A-")


def test_what_touches_the_inner_beam_only_is_a_poke(host):
    """A+ A- is `poke`; it has no frames and no length."""
    passage = host.slide("red", fault="poke")

    assert (passage.kind, passage.path) == ("poke", "A+ A-")
    assert {event.word for event in passage.parts} == {"edge"}
    assert passage.seen.length is None


@pytest.mark.needs("blink")
def test_a_blink_of_a_beam_is_a_glitch(host):
    """A beam that is blocked for less than a millisecond is a `glitch`, because no cube moves like this."""
    passage = host.slide("red", fault="glitch")

    assert passage.kind == "glitch"
    assert int(passage.verdict.fields["us"]) < 1000


@pytest.mark.waits(3.5)
def test_a_cube_that_sits_in_the_gate_is_stuck_and_its_end_is_told(host, measure):
    """`stuck` is reported once, 2.5 s after the last edge; when the cube then leaves, it is `out` without a length."""
    before = host.newest
    passage = host.slide("red", fault="stuck", kind="out")

    kinds = [each.kind for each in host.passages(before)]
    assert kinds == ["stuck", "out"]
    assert passage.seen.length is None


@pytest.mark.needs("leisure", "speed")
def test_a_cube_that_moves_on_is_not_stuck(host):
    """The `stuck` time restarts with each edge: a slow cube whose edges come sooner than that is only `out`."""
    host.done("set", ("stuck", 600))
    before = host.newest
    host.slide("red", 10)

    assert [each.kind for each in host.passages(before)] == ["out"]


@pytest.mark.needs("leisure")
def test_a_poke_as_long_as_the_filter_is_a_poke(host):
    """A touch of the inner beam that is as long as `filter` is a `poke`; only a shorter one is a `glitch`."""
    length = int(host.slide("red", fault="poke").verdict.fields["us"])
    if length > LONGEST_FILTER_US:
        pytest.skip("this hand's poke was longer than any filter")
    host.done("set", ("filter", length))

    again = host.slide("red", fault="poke")

    assert again.kind == ("glitch" if int(again.verdict.fields["us"]) < length else "poke")


@pytest.mark.needs("leisure")
@pytest.mark.parametrize("limit", [20, 200])
def test_a_passage_is_stuck_once(host, limit):
    """However often the cube moves and stops again, `stuck` is reported only once, and its `out` has no length."""
    host.done("set", ("stuck", limit))
    before = host.newest
    passage = host.slide("red", 60, "stuck", "out")

    assert [each.kind for each in host.passages(before)] == ["stuck", "out"]
    assert passage.seen.length is None


@pytest.mark.needs("leisure", "speed")
def test_a_passage_after_a_stuck_has_no_length(host):
    """A cube that was reported as stuck although it never stopped is `out` without a length, and never `pair`."""
    host.done("set", ("stuck", 10))

    passages = [host.slide("red", 80, kind="out"), host.slide("red", 80, "pair", "out")]

    assert [each.seen.length for each in passages] == [None, None]


@pytest.mark.needs("leisure", "speed")
def test_what_is_longer_than_three_and_a_half_edges_has_no_length(host):
    """A passage longer than 3.5 cube edges is one cube that rested: `out` without a length, and no `pair`."""
    host.done("set", ("edge", 2_000))

    passage = host.slide("red", 80)

    assert (passage.kind, passage.seen.length) == ("out", None)


@pytest.mark.needs("leisure", "speed")
@pytest.mark.parametrize("limit", [30_000, 99_999])
def test_no_filter_makes_a_cube_a_bounce(host, limit):
    """Only edges of one beam less than a millisecond apart are bounces, however long the filter is."""
    host.done("set", ("filter", limit))

    assert host.slide("red", 120).kind == "out"


@pytest.mark.deed(2)
def test_one_that_follows_is_counted_by_itself(host):
    """There is no dead time after a passage: a second cube in the same slide is a second `out`."""
    before = host.newest
    host.hand({"load": {"red": 2}})
    host.hand({"slide": 1, "fault": "surplus"})
    host.passage(host.passage(before).verdict.number)
    host.closed(before)

    assert [each.kind for each in host.passages(before)] == ["out", "out"]


@pytest.mark.waits(3.5)
def test_a_cube_is_told_though_the_next_one_rests_at_the_inner_beam(host):
    """`out` is reported immediately, even if the next cube's A+ has begun a passage before this cube's B-."""
    before = host.newest
    host.slide("red", fault="waiting", kind="poke")

    left, stuck, after = host.passages(before)
    assert [each.kind for each in (left, stuck, after)] == ["out", "stuck", "poke"]
    assert (left.path, after.path) == ("A+ B+ A- B-", "A+ A-")
    assert left.seen.length is not None
    assert left.verdict.at_us < after.verdict.at_us < left.verdict.at_us + int(left.verdict.fields["us"])
    assert stuck.verdict.at_us == after.verdict.at_us


def test_a_slide_is_a_gate_a_passage_and_a_gate(host):
    """Events at the gate are reported in the order in which they happened."""
    before = host.newest
    host.slide("red")

    words = [event.word for event in host.events.values() if event.number > before]
    assert [word for word in words if word in ("gate", "pass")] == ["gate", "pass", "gate"]

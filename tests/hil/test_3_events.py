"""PROTOCOL 3: events, which a device stores until they are on record, and sends in order with their numbers."""

from __future__ import annotations

from itertools import pairwise
from math import log2
from statistics import mean

import pytest

from firmware_bridge.device.framing import seal
from tests.hil.sitting import beyond

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#3")

AGAIN_S = 2.2  # Slightly more than the longest wait until an event is sent again.
TOLD_S = 8.0
KEPT = WINDOW = 64
REACH = 192
ANSWERED_LATE_S, AT_ONCE_S = 0.08, 0.05
LATE_S = 4.0
DOUBLED_S = 2.0
SHORTEST_WAIT_S = 0.005
MOST_LINES = MOST_EDGES = 16


def times(host, number: int) -> int:
    """Return how often event *number* was received."""
    return len(host.talk.events.get(number, []))


@pytest.mark.needs("restart")
def test_the_first_event_of_a_boot_is_boot(host):
    """A boot begins with event 1, `boot`, which says why the device has started."""
    host.started_anew()

    first = host.event(lambda event: event.number == 1, 0)
    assert first.word == "boot"
    assert first.fields["why"] in ("power", "reset", "watchdog")


def test_numbers_have_no_gaps_and_times_do_not_run_back(host):
    """Event numbers increase by one, and event times never decrease."""
    told = [host.happens() for _ in range(4)]

    assert [event.number for event in told] == list(range(told[0].number, told[0].number + 4))
    assert [event.at_us for event in told] == sorted(event.at_us for event in told)
    assert {event.boot for event in told} == {host.talk.boot}


@pytest.mark.needs("hand")
@pytest.mark.parametrize(
    ("deed", "word", "key", "value"),
    [
        ("open", "gate", "open", "1"),
        ("close", "gate", "open", "0"),
        ("lift", "lift", "up", "1"),
        ("set-down", "lift", "up", "0"),
    ],
)
def test_switches_are_told(host, deed, word, key, value):
    """An event reports when the gate opens (1) and closes (0), and when the ring is lifted (1) and set down (0)."""
    host.able("g", "l")
    before = {"close": "open", "set-down": "lift"}.get(deed)
    known = host.newest
    if before:
        host.do(before)
        known = host.word(word, known).number

    host.do(deed)

    assert host.word(word, known).fields[key] == value


@pytest.mark.needs("hand")
def test_a_switch_that_bounces_is_told_once(host):
    """A gate that is opened once is reported only once, even if its switch bounces."""
    host.able("g")
    known = host.newest
    host.do("open")
    host.word("gate", known)
    host.listen(0.2)

    assert [event.word for event in host.events.values() if event.number > known] == ["gate"]


def test_an_event_is_sent_again_until_it_is_answered(host):
    """While the host does not answer, the oldest events are sent again after 2 s at most."""
    told = host.happens()
    known = times(host, told.number)

    found = host.talk.wait(lambda line: times(host, told.number) > known, AGAIN_S)

    assert found
    assert {line.body for line in host.talk.events[told.number]} == {host.talk.events[told.number][0].body}


def test_what_is_acknowledged_is_forgotten(host):
    """After `ack n=` the oldest stored event is number n + 1, and no event before it is ever sent again."""
    told = host.happens()
    host.talk.ack()

    assert host.status()[1].first == told.number + 1
    assert host.again().first == told.number + 1


def test_what_has_arrived_is_kept_and_not_sent_again(host):
    """An event that `got` reports as arrived is not sent again, but stays stored."""
    told = host.happens()
    beyond(host, told.number - 1, [told.number])
    host.listen(0.1)
    known = times(host, told.number)

    host.listen(1.0)

    assert times(host, told.number) == known
    assert host.status()[1].first == told.number


def test_a_replay_sends_everything_from_a_number_on(host):
    """A `replay` sends the events from its number on again, even if they have arrived, but none before that number."""
    first, second = host.happens(), host.happens()
    beyond(host, first.number - 1, [first.number, second.number])
    host.listen(0.1)
    known = times(host, first.number), times(host, second.number)

    host.talk.say("replay", ("n", second.number))

    assert host.talk.wait(lambda line: times(host, second.number) > known[1], 1.0)
    assert times(host, first.number) == known[0]


def test_an_acknowledgement_of_another_boot_is_ignored(host):
    """An `ack` with another boot is ignored, because event numbers of different boots are unrelated."""
    told = host.happens()

    host.talk.say("ack", ("b", "ffffffffffff"), ("n", told.number), ("got", "0"))

    assert host.status()[1].first == told.number


def test_an_event_that_others_have_overtaken_is_lost_and_sent_at_once(host):
    """If later events have arrived and an earlier one has not, it is sent again at once, twice in a row."""
    at_once = [sent_at_once(host) for _ in range(3)]

    assert at_once.count(True) >= 2, "a busy machine may hold one up"


def sent_at_once(host) -> bool:
    """Cause three events, report only the later two as arrived, and return whether the first is sent again at once.

    In a new session no round trip has been measured yet. Here the report is sent late, so the wait becomes twice as
    long as that delay, and has not run out when the first event is sent again.
    """
    first, *rest = [host.happens().number for _ in range(3)]
    since = len(host.talk.lines)
    host.greet()
    host.talk.wait(lambda line: f" n={rest[-1]} " in line.body, 1.0, since)
    host.listen(ANSWERED_LATE_S)
    known = len(host.rung.heard)

    beyond(host, first - 1, rest)
    host.listen(AT_ONCE_S)

    line = host.events[first].raw.encode() + b"\n"
    found = line * 2 in host.rung.heard[known:]
    host.take()
    return found


def answered_soon(host) -> None:
    """Answer some events as soon as they arrive, so that the device measures a short round trip."""
    for _ in range(6):
        host.happens()
        host.talk.ack()
        host.listen(0.02)


def test_the_wait_follows_the_measured_round_trip(host, measure):
    """After events that were answered at once, an unanswered event is sent again long before the initial 200 ms."""
    answered_soon(host)
    gaps = []
    for _ in range(5):
        told = host.happens()
        host.talk.wait(lambda line, told=told: times(host, told.number) > 1, 1.0)
        first, *again = [line.at for line in host.talk.events[told.number]]
        gaps += [again[0] - first] if again else []
        host.talk.ack()
        answered_soon(host)

    measure("shortest wait of five, answers coming soon", min(gaps) * 1000, at_most=150, unit="ms of the wait")


def test_a_wait_that_runs_out_is_doubled(host, measure):
    """An unanswered event is sent again at longer and longer intervals, whatever the round trip was before."""
    answered_soon(host)
    told = host.happens()

    host.listen(DOUBLED_S)

    first, *again = [line.at for line in host.talk.events[told.number]]
    wait = max(
        again[0] - first - host.load.worst_s(first), SHORTEST_WAIT_S
    )  # A stall of this machine must not count as a wait of the ring.
    most = 2 + log2(1 + DOUBLED_S / wait)
    measure("times that one event was sent again in 2 s", len(again) / 2, at_most=round(most, 1), unit="times")


@pytest.mark.waits(4.5)
def test_the_wait_of_several_events_is_doubled_each_time(host, measure):
    """If several events are late together, the wait is doubled once; it is doubled again when all are late again."""
    first, *_ = [host.happens() for _ in range(3)]
    host.greet()
    known = times(host, first.number)

    host.listen(LATE_S)

    again = [line.at for line in host.talk.events[first.number][known + 1 :: 2]]
    measure("times that the first of three events was sent again in 4 s", len(again), at_most=6, unit="times")
    measure("wait of three events, doubled once", again[1] - again[0], at_most=1.0, unit="s")


@pytest.mark.waits(2.0)
def test_the_first_wait_of_a_session_is_two_round_trips(host, measure):
    """After the first round trip R of a session the wait is 2 R, that is S + 2 V with S = R and V = R / 2."""
    ratios = []
    for _ in range(3):
        host.take()
        host.greet()
        told = host.happens()
        host.listen(ANSWERED_LATE_S)
        trip = host.rung.now() - host.talk.events[told.number][0].at
        host.talk.ack()
        told = host.happens()
        host.talk.wait(lambda line, told=told: times(host, told.number) > 1, 1.0)
        sent, again, *_ = [line.at for line in host.talk.events[told.number]]
        ratios.append((again - sent) / trip)

    measure("shortest wait of three after one round trip", min(ratios), at_most=2.5, unit="round trips")
    measure("longest wait of three after one round trip", max(ratios), at_least=1.5, unit="round trips")


@pytest.mark.waits(2.0)
def test_an_event_that_was_sent_twice_measures_nothing(host, measure):
    """After an `ack` for an event that was sent again, the wait stays doubled: nobody knows which sending arrived."""
    gaps = []
    for _ in range(2):
        host.take()
        host.greet()
        told = host.happens()
        host.talk.wait(lambda line, told=told: times(host, told.number) > 1, 1.0)
        host.listen(0.3)
        host.talk.ack()
        told = host.happens()
        host.talk.wait(lambda line, told=told: times(host, told.number) > 1, 2.0)
        sent, again, *_ = [line.at for line in host.talk.events[told.number]]
        gaps.append(again - sent)

    measure("shorter wait of two, of 200 ms doubled once", min(gaps), at_most=0.5, unit="s")
    measure("longer wait of two, of 200 ms doubled once", max(gaps), at_least=0.3, unit="s")


@pytest.mark.needs("slides")
@pytest.mark.deed(4)
def test_white_and_dark_are_taken_anew_for_each_slide(host):
    """White and dark are measured again for each slide, so the references of four passages are not all equal."""
    passages = [host.slide("red").seen for _ in range(4)]

    assert len({(seen.white, seen.dark) for seen in passages}) > 1


@pytest.mark.needs("slides", "leisure", "weather")
def test_dark_follows_the_light_of_the_room(host):
    """If the room gets brighter, the dark reference of the next slide is higher."""
    before, after = host.slide("red").seen, host.slide("red", fault="ambient_light").seen

    assert before.dark[3] < after.dark[3]


@pytest.mark.needs("slides")
def test_the_parts_of_a_passage_come_just_before_it(host, measure):
    """`parts` says how many events just before `pass` are its parts; a passage has at most 16 lines and 16 edges."""
    passage = host.slide("green")

    numbers = [event.number for event in passage.lines]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert {event.word for event in passage.parts} <= {"ref", "frame", "edge"}
    measure("lines of a passage", len(passage.lines), at_most=MOST_LINES, unit="lines")
    measure("edges of a passage", len(passage.seen.edges), at_most=MOST_EDGES, unit="edges")


@pytest.mark.needs("leisure", "slides")
def test_a_passage_begins_with_its_first_edge(host):
    """`t` is the time of the first edge, from which edge times count; `us` is the time from first to last edge."""
    passage = host.slide("green")

    times_us = [at for _, _, at in passage.seen.edges]
    assert times_us[0] == 0
    assert times_us == sorted(times_us)
    assert int(passage.verdict.fields["us"]) == times_us[-1]
    opened = next(
        event for event in reversed(host.events.values()) if event.word == "gate" and event.fields["open"] == "1"
    )
    closed = host.word("gate", passage.verdict.number)
    assert opened.at_us <= passage.verdict.at_us <= closed.at_us - times_us[-1]


@pytest.mark.needs("leisure", "slides")
def test_references_are_sums_of_eight_frames_at_most(host, measure):
    """For an `out`, a ring with a sensor reports white, dark and black in `ref` as sums of `sum` frames, at most 8."""
    passage = host.slide("yellow")

    refs = [event for event in passage.parts if event.word == "ref"]
    assert {name for event in refs for name in event.fields} >= {"white"}
    measure("frames in a reference", max(int(event.fields.get("sum", "1")) for event in refs), at_most=8, unit="frames")
    white, dark = passage.seen.white, passage.seen.dark or (0.0,) * 4
    assert all(light > room for light, room in zip(white, dark, strict=True))


@pytest.mark.needs("leisure", "slides")
def test_frames_are_of_the_time_while_both_beams_were_blocked(host, measure):
    """A passage has at most eight frames, in order, taken while both beams were blocked.

    The middle of each frame is at least half a frame away from the start and the end of that time.
    """
    passage = host.slide("yellow", 60)

    frames = passage.seen.frames
    assert [at for at, _ in frames] == sorted(at for at, _ in frames)
    assert len(passage.seen.full) == len(frames)
    measure("frames of a passage", len(frames), at_most=8, unit="frames")
    measure("frames of a cube at 60 mm/s", len(frames), at_least=4, unit="frames")


@pytest.mark.needs("slides")
def test_a_passage_is_told_again_as_it_was(host):
    """A passage that is not acknowledged is sent to the next session with exactly the same lines."""
    passage = host.slide("red")

    host.again()
    known = passage.lines[0].number - 1

    assert [event.raw for event in host.passage(known).lines] == [event.raw for event in passage.lines]


@pytest.mark.needs("room")
@pytest.mark.waits(5.0)
def test_at_most_64_events_are_on_their_way(host, measure):
    """At most 64 events that have not arrived are on their way at a time, however many are stored."""
    host.rung.trouble("store-full")
    host.again()
    host.listen(1.0)

    first = host.status()[1].first
    measure(
        "events on their way", len([number for number in host.events if number >= first]), at_most=WINDOW, unit="events"
    )
    measure("events on their way, of many", len(host.events), at_least=WINDOW, unit="events")


@pytest.mark.needs("room")
@pytest.mark.waits(5.0)
def test_nothing_beyond_191_numbers_is_sent(host, measure):
    """Events 192 or more numbers beyond the oldest unacknowledged event are not sent yet, whatever has arrived."""
    host.rung.trouble("store-full")
    first = host.again().first

    known = -1
    while known != host.newest:
        known = host.newest
        beyond(host, first - 1, host.events)
        host.listen(0.3)

    last = host.status()[0].last
    measure("newest number sent, beyond the oldest", host.newest - first, at_most=REACH - 1, unit="numbers")
    assert host.newest == min(last, first + REACH - 1)


@pytest.mark.needs("room")
@pytest.mark.waits(5.0)
def test_at_least_64_events_are_kept(host, measure):
    """A device stores events that are not acknowledged, at least 64 lines."""
    host.rung.trouble("store-full")
    host.again()

    standing, tally = host.status()
    measure("events kept", standing.last - tally.first + 1, at_least=KEPT, unit="events")


@pytest.mark.needs("room")
@pytest.mark.waits(5.0)
def test_a_full_store_keeps_the_oldest_and_says_how_many_were_refused(host):
    """A full store refuses and counts new events, and a fault reports their number when half of it is free again."""
    first = host.status()[0].last + 1
    host.rung.trouble("store-full")
    host.again()
    lost = host.status()[1].lost
    assert lost > 0

    host.take()

    fault = host.word("fault", 0)
    assert fault.fields == {"what": "store-full", "lost": str(lost)}
    assert sorted(host.events) == list(range(first, host.newest + 1))
    assert host.happens().number == host.newest


@pytest.mark.needs("room")
@pytest.mark.waits(5.0)
def test_nothing_is_stored_until_half_of_the_store_is_free(host):
    """After an event was refused, later ones are also refused and counted until half of the store is free."""
    host.rung.trouble("store-full")
    host.again()
    standing, tally = host.status()
    assert tally.lost > 0

    host.talk.say("ack", ("b", host.talk.boot), ("n", tally.first + 9), ("got", "0"))
    host.done("look", ("what", "white"))
    host.listen(0.3)

    after, counted = host.status()
    assert after.last == standing.last
    assert counted.lost == tally.lost + 1


@pytest.mark.needs("room", "slides", "leisure", "edge times")
@pytest.mark.waits(20.0)
def test_the_lines_of_a_passage_are_stored_together_or_not_at_all(host):
    """If only some lines of a passage have room, none of them is stored, and the passage counts as one lost event."""
    if host.rung.name.startswith("gpio"):
        pytest.skip("five hundred looks take a minute of this machine's time here: held where they are quick")
    room = looked(host, 10_000)
    host.take()
    last = host.status()[0].last
    looked(host, room - 3)
    lost = host.status()[1].lost

    host.hand({"slide": 1, "colours": ["red"]})
    until = host.rung.now() + TOLD_S
    while host.status()[1].lost == lost and host.rung.now() < until:
        host.listen(0.3)
    assert host.status()[1].lost > lost
    host.take()

    words = [event.word for number, event in sorted(host.events.items()) if number > last]
    assert [word for word in words if word in ("ref", "frame", "edge", "pass")] == []


def looked(host, most: int) -> int:
    """Have the ring look at white until it stores *most* lines or refuses one, and return how many it stores."""
    before = host.status()[1].lost
    while True:
        standing, tally = host.status()
        stored = standing.last - tally.first + 1
        if stored >= most or tally.lost > before:
            return stored
        host.done("look", ("what", "white"))


def test_an_event_that_was_sent_again_later_is_not_lost(host):
    """An event is not lost if it was sent again after the first sending of a later event that has arrived."""
    first, second = host.happens().number, host.happens().number
    host.talk.wait(lambda line: times(host, first) > 1, AGAIN_S)
    host.listen(0.02)  # each repetition is two lines
    known = times(host, first)

    beyond(host, first - 1, [second])
    host.listen(0.1)

    assert times(host, first) == known


def test_an_acknowledgement_without_sense_forgets_nothing(host):
    """An `ack` whose `got` is not hexadecimal or has more than 48 digits is senseless, and no event is deleted."""
    told = host.happens()

    for got in ("xyz", "f" * 49):
        host.talk.put(seal(f"ack h={host.talk.session} b={told.boot} n={told.number} got={got}"))

    assert host.status()[1].first == told.number


@pytest.mark.needs("restart")
def test_a_self_test_tells_what_is_wrong_by_name(host):
    """A device that tests itself reports in `boot` either `ok` or names from the list, joined by commas."""
    host.started_anew()

    first = host.event(lambda event: event.number == 1, 0)
    found = set(first.fields.get("test", "ok").split(","))
    assert found == {"ok"} or found <= {"lit-a", "lit-b", "dark-a", "dark-b", "sensor", "flash", "crash", "custom"}


@pytest.mark.needs("slides", "edge times", "midway", "leisure")
def test_a_passage_has_the_token_of_its_end(host):
    """If a new token is armed every 50 ms during a passage of 600 ms, its `tok` is one of the last."""
    before, token = host.newest, 0
    host.hand({"slide": 1, "colours": ["red"], "speed_mm_s": 20})
    while not host.passages(before):
        token += 1
        host.armed(token)
        host.listen(0.05)

    assert int(host.passage(before).verdict.fields["tok"]) > token - 5
    host.closed(before)


@pytest.mark.needs("slides", "leisure")
@pytest.mark.parametrize("fault", ["", "pair", "back"])
def test_what_has_shown_its_colour_comes_with_frames_and_references(host, fault):
    """Every passage has `edge` lines; `out`, `pair` and `back` also have `ref` and `frame` lines."""
    passage = host.slide("red", fault=fault)

    assert passage.kind == (fault or "out")
    assert {event.word for event in passage.parts} == {"ref", "frame", "edge"}


@pytest.mark.needs("slides", "leisure")
def test_black_is_the_last_that_was_looked_at(host):
    """The `black` of a passage has the counts of the last `look what=black`."""
    before = host.newest
    host.card()
    host.done("look", ("what", "black"))
    look = host.word("look", before)
    host.do("close")

    refs = [event for event in host.slide("red").parts if event.word == "ref" and "black" in event.fields]
    assert [(ref.fields["black"], ref.fields.get("sum", "1")) for ref in refs] == [
        (look.fields["counts"], look.fields.get("sum", "1"))
    ]


@pytest.mark.needs("slides", "speed", "edge times", "leisure")
def test_eight_frames_are_spread_evenly(host):
    """For a slow cube eight frames are sent, spread evenly over the time in which both beams were blocked."""
    passage = host.slide("yellow", 10)

    at = {(beam, on): us for beam, on, us in passage.seen.edges}
    begin, end = at["B", True], at["A", False]
    found = [us for us, _ in passage.seen.frames]
    gaps = [later - sooner for sooner, later in pairwise(found)]
    assert len(found) == 8
    assert max(found[0] - begin, end - found[-1]) < (end - begin) / 4
    assert abs(mean(found) - (begin + end) / 2) < (end - begin) / 20
    # A sensor that is read late skips a frame now and then, so a gap may be longer than the others.
    assert max(gaps) < (end - begin) / 4


@pytest.mark.needs("slides", "speed")
@pytest.mark.parametrize("speed", [100, 400, 600, 1000])
def test_frames_come_in_the_order_of_their_times(host, speed):
    """Frames are sent in the order of their times, however fast the cube is and however few frames are full."""
    times = [us for us, _ in host.slide("white", speed).seen.frames]

    assert times == sorted(times)


@pytest.mark.needs("room", "slides")
@pytest.mark.waits(7.0)
def test_a_passage_that_is_refused_counts_once(host):
    """A full store refuses all lines of a passage; `lost` grows by one for it and by one for each gate event."""
    host.rung.trouble("store-full")
    host.again()
    before, lost = host.newest, host.status()[1].lost

    host.hand({"slide": 1, "colours": ["red"]})
    host.listen(2.0)

    assert host.newest == before
    assert host.status()[1].lost - lost <= 3


def test_got_is_a_mask_of_many_bits(host):
    """Bit 39 of `got` says that the fortieth event has arrived: it is not sent again, but those before it are."""
    first = host.happens().number
    while host.newest < first + 39:
        host.happens()
    since = len(host.talk.lines)
    host.greet()
    host.talk.wait(lambda line: f" n={first + 39} " in line.body, 2.0, since)
    known = times(host, first), times(host, first + 39)

    beyond(host, first - 1, [first + 39])
    host.listen(ANSWERED_LATE_S)

    assert times(host, first) > known[0]
    assert times(host, first + 39) == known[1]


def test_an_acknowledgement_replaces_the_one_before(host):
    """An event that an earlier `got` reported as arrived, and the newest `got` does not, is sent again."""
    told = host.happens()
    beyond(host, told.number - 1, [told.number])
    host.listen(0.1)
    known = times(host, told.number)

    beyond(host, told.number - 1, [])

    assert host.talk.wait(lambda line: times(host, told.number) > known, AGAIN_S)


def test_an_acknowledgement_beyond_the_newest_means_all(host):
    """An `ack` whose `n` is beyond the newest event acknowledges all events."""
    told = host.happens()

    host.talk.say("ack", ("b", told.boot), ("n", told.number + 100), ("got", "0"))

    assert host.status()[1].first == told.number + 1


@pytest.mark.parametrize("word", ["new session", "replay"])
def test_what_counts_as_never_sent_is_sent_once(host, word):
    """After a `replay` and in a new session an event is sent once, not twice in a row."""
    told = host.happens()
    host.greet()
    host.listen(AT_ONCE_S)
    if word == "replay":
        beyond(host, told.number - 1, [told.number])
        host.listen(AT_ONCE_S)
        host.talk.say("replay", ("n", told.number))
        host.listen(AT_ONCE_S)

    assert times(host, told.number) in ({3} if word == "replay" else {2})


def test_only_the_oldest_eight_are_sent_again(host):
    """While the host does not answer, only the oldest eight events are sent again, not those after them."""
    numbers = [host.happens().number for _ in range(12)]
    host.greet()
    host.listen(AT_ONCE_S)
    known = {number: times(host, number) for number in numbers}

    host.listen(1.0)

    again = [number for number in numbers if times(host, number) > known[number]]
    assert again == numbers[:8]


def test_each_session_begins_with_a_wait_of_200_ms(host, measure):
    """The first wait of each session is 200 ms, however short the round trip of the previous session was."""
    gaps = []
    for _ in range(3):
        answered_soon(host)
        told = host.happens()
        host.greet()
        known = times(host, told.number)
        host.talk.wait(lambda line, told=told, known=known: times(host, told.number) > known, 1.0)
        *_, sent, again = [line.at for line in host.talk.events[told.number]][: known + 1]
        gaps.append((again - sent) * 1000)
        host.take()

    measure("longest first wait of three sessions", max(gaps), at_least=190, unit="ms of the wait")

"""PROTOCOL 3: events, which a device stores until they are on record, and sends in order with their numbers."""

from __future__ import annotations

from itertools import pairwise
from math import log2

import pytest

from firmware_bridge.device.framing import seal

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#3")

AGAIN_S = 2.2  # The longest wait between two sendings, and a little more.
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


def beyond(host, floor: int, arrived) -> None:
    """Acknowledge everything up to *floor*, and say that the numbers in *arrived* have arrived too."""
    bits = sum(1 << (number - floor - 1) for number in arrived if number > floor)
    host.talk.say("ack", ("b", host.talk.boot), ("n", floor), ("got", f"{bits:x}"))


@pytest.mark.needs("restart")
def test_the_first_event_of_a_boot_is_boot(host):
    """A boot begins with event 1, `boot`, which says why the device has started."""
    host.started_anew()

    first = host.event(lambda event: event.number == 1, 0)
    assert first.word == "boot"
    assert first.fields["why"] in ("power", "reset", "watchdog")


def test_numbers_have_no_gaps_and_times_do_not_run_back(host):
    """Each event's number is the one after the last, and its time is not before it."""
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
    """Opened once, reported once."""
    host.able("g")
    known = host.newest
    host.do("open")
    host.word("gate", known)
    host.listen(0.2)

    assert [event.word for event in host.events.values() if event.number > known] == ["gate"]


def test_an_event_is_sent_again_until_it_is_answered(host):
    """While nobody answers, the oldest events come again, after 2 s at most."""
    told = host.happens()
    known = times(host, told.number)

    found = host.talk.wait(lambda line: times(host, told.number) > known, AGAIN_S)

    assert found
    assert {line.body for line in host.talk.events[told.number]} == {host.talk.events[told.number][0].body}


def test_what_is_acknowledged_is_forgotten(host):
    """After `ack n=` the oldest stored event is the next one, and no event before it is ever sent again."""
    told = host.happens()
    host.talk.ack()

    assert host.status()[1].first == told.number + 1
    assert host.again().first == told.number + 1


def test_what_has_arrived_is_kept_and_not_sent_again(host):
    """A bit in `got` ends the sending, not the keeping."""
    told = host.happens()
    beyond(host, told.number - 1, [told.number])
    host.listen(0.1)
    known = times(host, told.number)

    host.listen(1.0)

    assert times(host, told.number) == known
    assert host.status()[1].first == told.number


def test_a_replay_sends_everything_from_a_number_on(host):
    """What has arrived is sent once more when the host asks for it, and what is before that number is not."""
    first, second = host.happens(), host.happens()
    beyond(host, first.number - 1, [first.number, second.number])
    host.listen(0.1)
    known = times(host, first.number), times(host, second.number)

    host.talk.say("replay", ("n", second.number))

    assert host.talk.wait(lambda line: times(host, second.number) > known[1], 1.0)
    assert times(host, first.number) == known[0]


def test_an_acknowledgement_of_another_boot_is_ignored(host):
    """What an earlier boot's events were called says nothing of this one's."""
    told = host.happens()

    host.talk.say("ack", ("b", "ffffffffffff"), ("n", told.number), ("got", "0"))

    assert host.status()[1].first == told.number


def test_an_event_that_others_have_overtaken_is_lost_and_sent_at_once(host):
    """Lines do not overtake each other: when later ones have arrived, the one before is sent again, twice in a row."""
    at_once = [sent_at_once(host) for _ in range(3)]

    assert at_once.count(True) >= 2, "a busy machine may hold one up"


def sent_at_once(host) -> bool:
    """Cause three events, acknowledge only the later two, and tell whether the first is sent again at once.

    In a new session no round trip has been measured. The answer comes late here, so the wait is twice as long, and it
    is not over when the first event comes again.
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
    """After some that were answered at once, an event that is not comes again long before the first wait of 200 ms."""
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
    """An event that nobody answers comes again more and more seldom, whatever the round trip was before."""
    answered_soon(host)
    told = host.happens()

    host.listen(DOUBLED_S)

    first, *again = [line.at for line in host.talk.events[told.number]]
    wait = max(
        again[0] - first - host.load.worst_s(first), SHORTEST_WAIT_S
    )  # A stall of the machine is not the ring's.
    most = 2 + log2(1 + DOUBLED_S / wait)
    measure("times that one event was sent again in 2 s", len(again) / 2, at_most=round(most, 1), unit="times")


@pytest.mark.waits(4.5)
def test_the_wait_of_several_events_is_doubled_each_time(host, measure):
    """Events that are late together double the wait once, and once more each time when all of them are late again."""
    first, *_ = [host.happens() for _ in range(3)]

    host.listen(LATE_S)

    sendings = len(host.talk.events[first.number]) // 2
    measure("times that the first of three events was sent again in 4 s", sendings, at_most=6, unit="times")


@pytest.mark.needs("slides")
@pytest.mark.deed(4)
def test_white_and_dark_are_taken_anew_for_each_slide(host):
    """The references of four passages are not all the same numbers: no sensor counts the same again and again."""
    passages = [host.slide("red").seen for _ in range(4)]

    assert len({(seen.white, seen.dark) for seen in passages}) > 1


@pytest.mark.needs("slides", "leisure", "weather")
def test_dark_follows_the_light_of_the_room(host):
    """A room that gets brighter is in the dark reference of the next slide."""
    before, after = host.slide("red").seen, host.slide("red", fault="ambient_light").seen

    assert before.dark[3] < after.dark[3]


@pytest.mark.needs("slides")
def test_the_parts_of_a_passage_come_just_before_it(host, measure):
    """The numbers before `pass` are its parts, as many as `parts` says: 16 lines and 16 edges at most, all of it."""
    passage = host.slide("green")

    numbers = [event.number for event in passage.lines]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert {event.word for event in passage.parts} <= {"ref", "frame", "edge"}
    measure("lines of a passage", len(passage.lines), at_most=MOST_LINES, unit="lines")
    measure("edges of a passage", len(passage.seen.edges), at_most=MOST_EDGES, unit="edges")


@pytest.mark.needs("leisure", "slides")
def test_a_passage_begins_with_its_first_edge(host):
    """`t` is the time of the first edge, edges count from there, and `us` is the time from the first to the last."""
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
    """`ref` tells white, dark and black as sums of `sum` frames, with an `out` of a ring that has a sensor."""
    passage = host.slide("yellow")

    refs = [event for event in passage.parts if event.word == "ref"]
    assert {name for event in refs for name in event.fields} >= {"white"}
    measure("frames in a reference", max(int(event.fields.get("sum", "1")) for event in refs), at_most=8, unit="frames")
    white, dark = passage.seen.white, passage.seen.dark or (0.0,) * 4
    assert all(light > room for light, room in zip(white, dark, strict=True))


@pytest.mark.needs("leisure", "slides")
def test_frames_are_of_the_time_while_both_beams_were_blocked(host, measure):
    """At most eight frames, in order, each with its middle at least half a frame inside that time."""
    passage = host.slide("yellow", 60)

    frames = passage.seen.frames
    assert [at for at, _ in frames] == sorted(at for at, _ in frames)
    assert len(passage.seen.full) == len(frames)
    measure("frames of a passage", len(frames), at_most=8, unit="frames")
    measure("frames of a cube at 60 mm/s", len(frames), at_least=4, unit="frames")


@pytest.mark.needs("slides")
def test_a_passage_is_told_again_as_it_was(host):
    """What is not on record is sent to the next session line for line."""
    passage = host.slide("red")

    host.again()
    known = passage.lines[0].number - 1

    assert [event.raw for event in host.passage(known).lines] == [event.raw for event in passage.lines]


@pytest.mark.needs("room")
@pytest.mark.waits(5.0)
def test_at_most_64_events_are_on_their_way(host, measure):
    """However many there are, more than 64 that have not arrived are never sent."""
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
    """While the oldest event is not on record, numbers of 192 and more beyond it wait, whatever has arrived."""
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
    """A device keeps what is not acknowledged, 64 lines at least."""
    host.rung.trouble("store-full")
    host.again()

    standing, tally = host.status()
    measure("events kept", standing.last - tally.first + 1, at_least=KEPT, unit="events")


@pytest.mark.needs("room")
@pytest.mark.waits(5.0)
def test_a_full_store_keeps_the_oldest_and_says_how_many_were_refused(host):
    """The newest are counted, and a fault tells their number as soon as half of the store is free again."""
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
    """Once an event was refused, a few free places are not enough: the next event is refused and counted, too."""
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
    """Where only some of its lines have room, none of them is stored, and the passage counts as one lost event."""
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
    """When a later event's first sending is known to have arrived, one that was sent again since then is on its way."""
    first, second = host.happens().number, host.happens().number
    host.talk.wait(lambda line: times(host, first) > 1, AGAIN_S)
    host.listen(0.02)  # each repetition is two lines
    known = times(host, first)

    beyond(host, first - 1, [second])
    host.listen(0.1)

    assert times(host, first) == known


def test_an_acknowledgement_without_sense_forgets_nothing(host):
    """`got` of other digits, or of more than 48, is a line without sense."""
    told = host.happens()

    for got in ("xyz", "f" * 49):
        host.talk.put(seal(f"ack h={host.talk.session} b={told.boot} n={told.number} got={got}"))

    assert host.status()[1].first == told.number


@pytest.mark.needs("restart")
def test_a_self_test_tells_what_is_wrong_by_name(host):
    """A device that tests itself says `ok` in its `boot`, or names from the list, joined by commas."""
    host.started_anew()

    first = host.event(lambda event: event.number == 1, 0)
    found = set(first.fields.get("test", "ok").split(","))
    assert found == {"ok"} or found <= {"lit-a", "lit-b", "dark-a", "dark-b", "sensor", "flash", "crash", "custom"}


@pytest.mark.needs("slides", "edge times", "midway", "leisure")
def test_a_passage_has_the_token_of_its_end(host):
    """Armed with another token every 50 ms while a cube takes 600 ms: `tok` is one of the last."""
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
    """`edge` comes with every passage; `ref` and `frame` with `out`, `pair` and `back`."""
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
    """Of many frames of a slow cube, eight, from all of the time while both beams were blocked."""
    passage = host.slide("yellow", 60)

    at = {(beam, on): us for beam, on, us in passage.seen.edges}
    begin, end = at["B", True], at["A", False]
    found = [us for us, _ in passage.seen.frames]
    gaps = [later - sooner for sooner, later in pairwise(found)]
    assert len(found) == 8
    assert max(found[0] - begin, end - found[-1]) < (end - begin) / 4
    # A sensor that is read late skips a frame now and then, so a gap may be one frame longer than the others.
    assert max(gaps) < (end - begin) / 3


@pytest.mark.needs("slides", "speed")
@pytest.mark.parametrize("speed", [100, 400, 600, 1000])
def test_frames_come_in_the_order_of_their_times(host, speed):
    """However fast the cube is, and however few of its frames are full."""
    times = [us for us, _ in host.slide("white", speed).seen.frames]

    assert times == sorted(times)


@pytest.mark.needs("room", "slides")
@pytest.mark.waits(7.0)
def test_a_passage_that_is_refused_counts_once(host):
    """A full store refuses all lines of a passage, and `lost` grows by one event for it and one for each gate."""
    host.rung.trouble("store-full")
    host.again()
    before, lost = host.newest, host.status()[1].lost

    host.hand({"slide": 1, "colours": ["red"]})
    host.listen(2.0)

    assert host.newest == before
    assert host.status()[1].lost - lost <= 3


def test_got_is_a_mask_of_many_bits(host):
    """Bit 39 says that the fortieth number has arrived: it is not sent again, and those before it are."""
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
    """What an earlier `got` reported, and this one does not, has not arrived: it is sent again."""
    told = host.happens()
    beyond(host, told.number - 1, [told.number])
    host.listen(0.1)
    known = times(host, told.number)

    beyond(host, told.number - 1, [])

    assert host.talk.wait(lambda line: times(host, told.number) > known, AGAIN_S)


def test_an_acknowledgement_beyond_the_newest_means_all(host):
    """`n` may be any number: all events up to it are on record."""
    told = host.happens()

    host.talk.say("ack", ("b", told.boot), ("n", told.number + 100), ("got", "0"))

    assert host.status()[1].first == told.number + 1


@pytest.mark.parametrize("word", ["new session", "replay"])
def test_what_counts_as_never_sent_is_sent_once(host, word):
    """After a `replay` and in a new session an event is sent, and not twice in a row."""
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
    """While nobody answers, the wait of eight events runs out, and not of those behind them."""
    numbers = [host.happens().number for _ in range(12)]
    host.greet()
    host.listen(AT_ONCE_S)
    known = {number: times(host, number) for number in numbers}

    host.listen(1.0)

    again = [number for number in numbers if times(host, number) > known[number]]
    assert again == numbers[:8]


def test_each_session_begins_with_a_wait_of_200_ms(host, measure):
    """However short the round trip was before: nothing has been measured in a new session."""
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

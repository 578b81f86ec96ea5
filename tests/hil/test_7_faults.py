"""PROTOCOL 7: faults, and what each side does.

Whatever goes wrong, each event at the gate is on record exactly once.
"""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.protocol.messages import Pong
from firmware_bridge.simulation.fault_injection.troubles import troubled
from tests.hil.recording import Recording

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#7")

COLOURS = ("red", "blue", "green", "yellow", "white", "orange", "red", "red", "blue", "green", "white", "blue")
A_FEW = 3  # slides on a rung where each takes real time
RATE, PORTIONS = 0.01, 0.3  # the share of the bytes, and of the chunks, that are hit
SLOW_MM_S = 20.0
TO_THE_MIDDLE_S = 0.7  # The middle of such a slow passage, counted from when the gate opens.
WRAPS_S = 5.0
NOBODY_S = 12.0  # Longer than the 5 s after which a session ends; a watchdog would act too.
SENSOR_BACK_S = 10.0
CLOCK_OFF = 0.02


def slides(rung, colours, speed: float = 0.0) -> list[tuple[str, str]]:
    """Let the hand slide out cubes of *colours*. Returns the passages that must be on record in the end."""
    rung.taught(*colours)
    for colour in colours:
        rung.hand({"slide": 1, "colours": [colour], **({"speed_mm_s": speed} if speed else {})})
    return [("out", colour) for colour in colours]


def some(rung) -> tuple[str, ...]:
    """Return the colours of the cubes to slide: only a few on a rung where each slide takes real time."""
    return COLOURS[:A_FEW] if rung.live else COLOURS


@pytest.mark.needs("slides")
@pytest.mark.parametrize(
    "word",
    ["damaged", *(pytest.param(word, marks=pytest.mark.needs("leisure")) for word in ("lost", "doubled", "delayed"))],
)
def test_a_bad_line_loses_and_doubles_nothing(rung, host, measure, word):
    """If bytes are damaged, lost or doubled (1 % each way) or chunks are late, each event arrives once and in order."""
    host.leave()
    rate = PORTIONS if word == "delayed" else RATE
    lots, wires = Random(7), []

    def spoil(wire):
        wires.append(troubled(wire, word, rung.now, rung.wait, lots, rate))
        return wires[-1]

    recording = Recording(host, spoil)
    wanted = slides(rung, some(rung))
    recording.until(lambda told: len(told.passages) >= len(wanted))
    recording.go(0.3)
    recording.close()

    assert recording.cubes == wanted
    measure(f"{word}: bytes or portions hit", sum(wire.hits for wire in wires), at_least=1, unit="hits")


def test_what_is_damaged_on_its_way_to_the_ring_is_counted_by_it(rung, host):
    """The ring counts each damaged piece that it receives in `bad`."""
    before = host.status()[1].bad
    _, ping = host.talk.ping_line()
    for _ in range(3):
        host.talk.put(ping.replace(b"ping", b"pong"))

    assert host.status()[1].bad == before + 3


@pytest.mark.needs("slides")
@pytest.mark.waits(3.5)
def test_a_host_that_does_not_read_loses_nothing(rung, host):
    """Events that happen while the host does not read are stored, and sent when it reads again."""
    host.leave()
    recording = Recording(host, lambda wire: troubled(wire, "unread", rung.now, rung.wait, Random(1), unread_s=3.0))
    wanted = slides(rung, some(rung)[:6])

    recording.until(lambda told: len(told.passages) >= len(wanted))
    recording.go(0.3)
    recording.close()

    assert recording.cubes == wanted


@pytest.mark.needs("slides", "closed")
@pytest.mark.waits(13.0)
@pytest.mark.parametrize("port", ["closed", pytest.param("open", marks=pytest.mark.needs("unread"))])
def test_a_ring_counts_on_though_nobody_reads(rung, host, port):
    """Cubes that leave while the port is closed or never read are reported to the next host, in the same boot."""
    known, boot = host.newest, host.talk.boot
    host.leave()
    wanted = slides(rung, some(rung)[:3])
    (rung.unread if port == "open" else rung.wait)(NOBODY_S)

    hello = host.again()

    while len(host.passages(known)) < len(wanted):
        host.passage(max([known, *(each.verdict.number for each in host.passages(known))]))
    assert hello.boot == boot
    assert [(each.kind, each.colour) for each in host.passages(known)] == wanted
    assert host.status()[1].lost == 0


@pytest.mark.needs("slides", "plug")
def test_what_happens_while_it_is_unplugged_is_told_afterwards(rung, host):
    """Pulling the plug in the middle of a passage and putting it back neither loses nor doubles a passage."""
    host.leave()
    recording = Recording(host).go(0.2)
    wanted = slides(rung, ["red", "blue"], SLOW_MM_S)
    recording.until(lambda told: told.gates[:1] == [True]).go(TO_THE_MIDDLE_S)
    rung.trouble("unplugged", ms=400)

    recording.until(lambda told: len(told.passages) >= len(wanted) and told.plugs > 1)
    recording.go(0.3)
    recording.close()

    assert recording.cubes == wanted
    assert len(recording.boots) == 1


@pytest.mark.needs("slides", "restart", "midway")
def test_a_start_in_the_middle_of_a_passage_loses_that_one_at_most(rung, host):
    """A restart loses at most the passage it interrupts; none is reported twice, and later ones are reported."""
    host.leave()
    recording = Recording(host).go(0.2)
    before = slides(rung, ["red"])
    recording.until(lambda told: told.gates == [True, False])
    slides(rung, ["blue"], SLOW_MM_S)
    recording.until(lambda told: told.gates[2:3] == [True]).go(TO_THE_MIDDLE_S)
    rung.trouble("restarted")
    recording.until(lambda told: len(told.boots) == 2).go(1.5)
    after = slides(rung, ["green"])
    recording.until(lambda told: told.cubes[-1:] == after)
    recording.close()

    first, *between, last = [cube for cube in recording.cubes if cube[0] == "out"]
    assert [first, last] == before + after
    assert between in ([], [("out", "blue")], [("out", None)]), "None: it left after the start, half seen"
    fresh = [event.seq for event in recording.events if event.boot == recording.boots[1]]
    assert fresh[0] == 1


@pytest.mark.needs("slides", "sensor")
@pytest.mark.waits(2.4)
def test_without_its_sensor_a_ring_goes_on_counting(host):
    """A cube without a frame is still `out`, `sensor-missing` is sent just before it, and `look` is refused."""
    host.rung.trouble("sensor-gone")
    before = host.newest
    passage = host.slide("red", SLOW_MM_S)

    assert (passage.kind, passage.seen.frames, passage.seen.white) == ("out", (), None)
    fault = host.event(lambda event: event.fields.get("what") == "sensor-missing", before)
    assert fault.number < passage.lines[0].number
    assert host.why("look", ("what", "white")) == "sensor"


@pytest.mark.needs("slides", "sensor", "speed", "edge times")
def test_a_passage_too_short_for_a_frame_is_no_fault(host):
    """A cube that passes in less than 10 ms may have no frame: no `sensor-missing` is reported for it."""
    host.rung.trouble("sensor-gone")
    before = host.newest
    passage = host.slide("red", 2000)

    assert int(passage.verdict.fields["us"]) < 10_000
    faults = [event for number, event in host.events.items() if number > before and event.word == "fault"]
    assert "sensor-missing" not in [event.fields["what"] for event in faults]


def test_a_host_that_reads_late_finds_whole_lines(host):
    """If the wire accepts only part of a line, the rest is written later, and all answers after it are complete."""
    host.status()
    before = host.talk.damaged
    for _ in range(400):
        host.talk.say("dump")
    host.rung.wait(0.5)

    host.listen(1.0)

    assert host.talk.lives()
    pieces = host.rung.heard[host.rung.heard.index(b"$") :].splitlines()[:-1]
    assert [piece for piece in pieces if not piece.startswith(b"$") or b"$" in piece[1:]] == []
    assert host.talk.damaged == before


@pytest.mark.needs("slides", "sensor")
@pytest.mark.waits(6.0)
def test_a_sensor_that_is_back_is_used_again(host, measure):
    """When the sensor is back, colours are recognised as before, without a restart and without an order."""
    host.rung.trouble("sensor-gone")
    host.slide("red", SLOW_MM_S)
    host.rung.mend()
    began = host.rung.now()
    while host.why("look", ("what", "white")):
        assert host.rung.now() < began + SENSOR_BACK_S, "the sensor is still said not to answer"
        host.listen(0.1)
    measure("sensor used again", host.rung.now() - began, at_most=SENSOR_BACK_S, unit="s")
    host.listen(0.5)
    passage = host.slide("blue")

    assert (passage.kind, passage.colour) == ("out", "blue")


@pytest.mark.needs("wrap")
@pytest.mark.waits(WRAPS_S)
def test_the_time_goes_on_where_the_counter_wraps(host, measure):
    """The counter of microseconds wraps after 18 minutes; `t` does not, and runs like the host's clock."""
    host.started_anew("wrapped")
    began, first = host.rung.now(), host.talk.ping()
    middle = (began + first.at) / 2
    while host.rung.now() < began + WRAPS_S:
        host.talk.ping()
        host.listen(0.05)
    asked, last = host.rung.now(), host.talk.ping()

    pongs = [line.message.at_us for line in host.talk.lines if isinstance(line.message, Pong)]
    assert pongs == sorted(pongs)
    ours = (asked + last.at) / 2 - middle
    off_ms = abs((pongs[-1] - pongs[0]) / 1e6 - ours) * 1000
    measure("clock over the wrap differs from ours", off_ms, at_most=CLOCK_OFF * ours * 1000, unit="ms")


@pytest.mark.needs("wrap", "slides")
@pytest.mark.waits(WRAPS_S)
def test_passages_are_measured_over_the_wrap(rung, host):
    """A cube that leaves while the counter wraps has its usual length and is reported once."""
    host.started_anew("wrapped")
    before = host.newest
    wanted = slides(rung, COLOURS[:6], SLOW_MM_S)
    while len(host.passages(before)) < len(wanted):
        host.passage(max([before, *(each.verdict.number for each in host.passages(before))]))

    told = host.passages(before)
    assert [(each.kind, each.colour) for each in told] == wanted
    assert all(abs(each.seen.length - 1) < 0.05 for each in told)


@pytest.mark.needs("leisure", "slides", "weather")
@pytest.mark.parametrize(
    ("cause", "what"),
    [("ambient_light", "ambient-light"), ("dirty_window", "dirty-window"), ("clean_window", "dirty-window")],
)
def test_faults_of_light_and_window_are_told_when_they_begin(host, cause, what):
    """Dark above 33 % of (white - dark), and white below 80 % or above 125 % of the earlier white, are reported."""
    host.slide("red")
    before = host.newest
    host.slide("red", fault=cause)

    assert host.event(lambda event: event.word == "fault", before).fields["what"] == what


@pytest.mark.needs("leisure", "slides", "weather")
@pytest.mark.parametrize(("cause", "what"), [("saturated", "saturated"), ("sensor_missing", "sensor-missing")])
def test_a_passage_without_a_frame_says_why_just_before_it(host, cause, what):
    """A passage without a good frame is preceded by `saturated` (all dazzled) or `sensor-missing` (no frames).

    The cube is counted in both cases.
    """
    before = host.newest
    passage = host.slide("red", fault=cause)

    fault = host.event(lambda event: event.word == "fault", before)
    assert fault.fields["what"] == what
    assert fault.number == passage.lines[0].number - 1
    assert passage.kind == "out"


@pytest.mark.needs("leisure", "slides", "jolts")
@pytest.mark.deed(2)
def test_shaking_with_an_open_gate_is_told_once_for_each_opening(host):
    """Three jolts within a second with an open gate are reported as `gate-open-while-shaking`, once per opening."""
    before = host.newest
    for _ in range(2):
        known = host.newest
        host.hand({"slide": 1, "fault": "shake_open"})
        host.event(lambda event: event.fields.get("what") == "gate-open-while-shaking", known)
        host.closed(known)

    faults = [event for event in host.events.values() if event.number > before and event.word == "fault"]
    assert len(faults) == 2


@pytest.mark.needs("leisure", "hand", "jolts")
@pytest.mark.deed(4)
def test_jolts_before_the_gate_opens_do_not_count(host):
    """Two jolts with the gate closed and one with it open, all within a second, are not a fault."""
    before = host.newest
    for deed in ("jolt", "jolt", "open", "jolt"):
        host.do(deed)
        host.rung.wait(0.1)
    host.do("close")
    host.closed(before)

    faults = [event for number, event in host.events.items() if number > before and event.word == "fault"]
    assert "gate-open-while-shaking" not in [event.fields["what"] for event in faults]


@pytest.mark.needs("leisure", "slides", "hand")
def test_a_ring_that_is_lifted_and_set_down_tells_both(host):
    """If the ring is lifted in the middle of a slide and set down again, both are reported."""
    before = host.newest
    host.hand({"slide": 1, "fault": "lift"})
    host.event(lambda event: event.word == "lift" and event.fields["up"] == "0", before)

    lifts = [event.fields["up"] for event in host.events.values() if event.number > before and event.word == "lift"]
    assert lifts == ["1", "0"]


def test_a_ring_told_by_two_hosts_obeys_the_newest(host):
    """Only the newest session counts: orders of the older session are not carried out."""
    host.armed(41)
    old, number = host.talk.session, host.talk.ordered + 1
    host.greet()

    host.talk.session, new = old, host.talk.session
    assert host.talk.order_again(number, "disarm", within_s=0.15) is None
    host.talk.session = new
    assert host.status()[0].token == 41

"""PROTOCOL 2: sessions, and how host and device find each other."""

from __future__ import annotations

import re

import pytest

from firmware_bridge.device.framing import LONGEST_BODY, seal
from firmware_bridge.protocol.messages import Hello
from rungs.wire import WireLost
from tests.hil.sitting import beats, beyond

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#2")

HELLO_EACH_S = 1.0
DESERTED_S = 5.0
STARTED_S = 8.0


def test_a_greeting_is_answered_by_name(host):
    """Each `hi` is answered with a `hello` whose `to` is the session's name."""
    lines = host.answers(seal("hi v=1 h=rules"), "hello")

    assert [line.message.to for line in lines if line.message.to != "0"] == ["rules"]


def test_a_session_with_the_longest_name_is_greeted_whatever_has_happened(host):
    """The hello for a session name of eight letters fits in a line, however many events there were."""
    while host.newest < 12:
        host.happens()
        host.take()

    lines = host.answers(seal("hi v=1 h=eightlet"), "hello")

    assert [line.message.to for line in lines if line.message.to != "0"] == ["eightlet"]


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("v", r"1"),
        ("fw", r"[!-~]{1,12}"),
        ("id", r"[!-~]{1,16}"),
        ("sensor", r"[!-~]{1,8}"),
        ("sim", r"[01]"),
        ("can", r"[a-z]+"),
        ("b", r"[0-9a-f]{8,12}"),
        ("from", r"[1-9][0-9]{0,8}"),
    ],
)
def test_the_hello_says_who_is_there(host, field, form):
    """The hello contains each of its fields, in the right format."""
    hello = next(line.body for line in host.talk.lines if isinstance(line.message, Hello))

    fields = dict(pair.split("=") for pair in hello.split(" ")[1:])
    assert re.fullmatch(form, fields[field]), hello


@pytest.mark.waits(7.5)
def test_a_device_alone_says_hello_every_second(host, measure):
    """Without a session the device sends `hello to=0` every second."""
    host.rung.wait(DESERTED_S + 0.2)

    heard = [line.at for line in host.listen(3.4) if isinstance(line.message, Hello) and line.message.to == "0"]
    assert len(heard) >= 3
    gaps = [later - sooner for sooner, later in zip(heard[-3:], heard[-2:], strict=False)]
    measure(
        "hello of a device alone off its second",
        max(abs(gap - HELLO_EACH_S) for gap in gaps) * 1000,
        at_most=250,
        unit="ms",
    )


@pytest.mark.waits(6.0)
def test_a_host_that_says_nothing_for_five_seconds_is_gone(host):
    """The device ends a session in which it has received no line for 5 s, and keeps its events."""
    told = host.happens()

    host.rung.wait(DESERTED_S + 0.5)

    assert not host.talk.ping(0.5)
    assert host.again().first == told.number


@pytest.mark.waits(4.5)
def test_a_host_that_says_nothing_for_four_seconds_is_not_gone(host):
    """A silence of less than 5 s does not end the session."""
    host.rung.wait(DESERTED_S - 0.8)
    host.punctual(0.5)

    assert host.talk.ping(0.5)


def test_a_second_hi_of_the_same_name_only_gets_its_hello_again(host):
    """After a second `hi` with the same name, order numbers continue, and events that have arrived are not repeated."""
    told = host.happens()
    beyond(host, told.number - 1, [told.number])
    host.talk.listen(0.05)
    known = len(host.talk.lines)

    assert host.talk.greeted_again(0.5)

    host.done("disarm")
    assert [line.body for line in host.talk.lines[known:] if " n=" in line.body and " c=" not in line.body] == []


@pytest.mark.waits(2.6)
def test_a_repeated_hi_does_not_put_off_the_heartbeat(host):
    """A host that repeats its `hi` all the time still receives a heartbeat every second."""
    since, until = len(host.talk.lines), host.rung.now() + 2.5

    while host.rung.now() < until:
        host.talk.greeted_again(0.5)
        host.listen(0.2)

    assert len(beats(host.talk.lines[since:])) >= 2


@pytest.mark.waits(6.5)
def test_a_repeated_hi_is_a_line_of_its_session(host):
    """A host that sends nothing but its `hi` keeps its session beyond 5 s, and its orders keep their numbers."""
    host.done("disarm")
    until = host.rung.now() + DESERTED_S + 1.0

    while host.rung.now() < until:
        assert host.talk.greeted_again(0.5)
        host.rung.wait(0.8)

    host.done("disarm")


def test_a_hi_of_another_version_leaves_the_session_as_it_is(host):
    """A `hi` of another version gets a `hello`; the running session continues, and its orders keep their numbers."""
    host.done("disarm")

    assert host.answers(seal("hi v=99 h=foe"), "hello")

    assert host.talk.ping()
    host.done("disarm")


@pytest.mark.waits(6.5)
def test_lines_of_another_session_do_not_keep_a_session_open(host):
    """A session ends after 5 s without a line of its own, even if lines with another name arrive."""
    until = host.rung.now() + DESERTED_S + 1.0
    while host.rung.now() < until:
        host.talk.put(seal("ping h=nobody id=4"))
        host.listen(0.8)

    assert not host.talk.ping(0.5)


@pytest.mark.waits(6.5)
def test_any_line_of_a_session_keeps_it_open(host):
    """Any line of the session keeps it open, even if the host sends nothing but acknowledgements."""
    until = host.rung.now() + DESERTED_S + 1.0
    while host.rung.now() < until:
        host.talk.ack()
        host.listen(0.8)
    host.punctual(0.5)

    assert host.talk.ping(0.5)


def test_a_greeting_and_a_ping_are_answered_before_stored_events(host):
    """If a `hi` and a ping arrive in one chunk, both are answered before the stored events are sent."""
    told = host.happens()
    since = len(host.talk.lines)

    host.talk.put(seal("hi v=1 h=hasty") + seal("ping h=hasty id=4"))
    host.listen(0.3)

    words = [line.body.partition(" ")[0] for line in host.talk.lines[since:]]
    assert [word for word in words if word in ("hello", "pong", told.word)][:3] == ["hello", "pong", told.word]


def test_a_new_name_ends_the_session_before(host):
    """Only one session is open at a time: lines of the previous session are ignored."""
    old = host.talk.session
    host.greet()

    assert host.answers(seal(f"ping h={old} id=4"), "pong") == []
    assert host.talk.ping()


def test_a_new_session_counts_its_orders_from_1(host):
    """The first order of a new session has number 1."""
    host.done("disarm")
    host.greet()

    line = host.talk.order_again(1, "disarm")

    assert line and line.body.startswith("done ")


def test_a_new_session_brings_all_events_that_are_not_acknowledged(host):
    """Events that are not acknowledged are sent to the next session, from the oldest on."""
    first = host.happens()
    host.happens()

    hello = host.again()

    host.event(lambda event: event.number == first.number + 1, 0)
    assert hello.first == first.number
    assert host.events[first.number].raw == first.raw


def test_a_new_session_brings_what_had_arrived(host):
    """Events that an earlier session reported as arrived, but did not acknowledge, are sent to the next session."""
    first, second = host.happens(), host.happens()
    host.talk.say("ack", ("b", host.talk.boot), ("n", first.number - 1), ("got", "3"))
    host.listen(0.1)
    known = len(host.talk.events[first.number]), len(host.talk.events[second.number])

    host.greet()
    host.listen(0.3)

    now = len(host.talk.events[first.number]), len(host.talk.events[second.number])
    assert all(more > before for more, before in zip(now, known, strict=True))


@pytest.mark.needs("restart")
def test_the_first_hello_comes_at_once(host, measure):
    """If its wire survives a restart, a device sends its first hello within 0.5 s of the start, by its own clock."""
    since = len(host.talk.lines)
    host.rung.trouble("restarted")
    try:
        hello = host.talk.wait(
            lambda line: isinstance(line.message, Hello) and line.message.to == "0", STARTED_S, since
        )
    except WireLost:
        pytest.skip("its wire ends with a start")
    host.greet()
    asked = host.rung.now()
    pong = host.talk.ping()

    started = (asked + pong.at) / 2 - pong.message.at_us / 1e6
    measure("first hello after the start", (hello.at - started) * 1000, at_most=500, unit="ms")


def test_lines_of_another_session_are_ignored(host):
    """A line with another session's name is not answered, whatever it contains."""
    for line in ("ping h=nobody id=4", "dump h=nobody", "disarm h=nobody c=1"):
        assert (
            host.answers(seal(line), line.split(" ")[0].replace("dump", "state").replace("disarm", "done"), 0.15) == []
        )


def test_an_acknowledgement_of_another_session_forgets_nothing(host):
    """An `ack` with another session's name is ignored like any other line of that session."""
    told = host.happens()

    host.talk.put(seal(f"ack h=nobody b={told.boot} n={told.number} got=0"))

    assert host.status()[1].first == told.number


@pytest.mark.parametrize("name", ["0", "ninechars"])
def test_a_name_that_no_session_may_have_opens_none(host, name):
    """A `hi` with the name `0` or with more than eight letters opens no session; the running session continues."""
    assert [line for line in host.answers(seal(f"hi v=1 h={name}"), "hello", 0.2) if f"to={name} " in line.body] == []

    assert host.talk.ping()


def test_the_hello_tells_the_oldest_event_that_is_not_acknowledged(host):
    """`from` is the number of the oldest event that is not acknowledged, or of the next event if all are."""
    told = host.happens()
    assert host.talk.greeted_again(0.5).first == told.number

    host.take()

    assert host.talk.greeted_again(0.5).first == host.newest + 1


@pytest.mark.needs("restart")
@pytest.mark.deed(2)
def test_each_start_has_a_boot_of_its_own(host):
    """Each start has a boot that was never used before, and the hello names the same device as before."""
    before, firmware = host.talk.hello, told_firmware(host)
    boots = {before.boot}

    for _ in range(2):
        hello = host.started_anew()
        assert hello.boot not in boots
        assert (hello.device, hello.sensor) == (before.device, before.sensor)
        assert same_firmware(firmware, told_firmware(host))
        boots.add(hello.boot)


def told_firmware(host) -> tuple[str, bool]:
    """Return the firmware's name in the newest hello, and whether that line is so long that the name may be cut."""
    line = [line for line in host.talk.lines if isinstance(line.message, Hello)][-1]
    return line.message.firmware, len(line.body) == LONGEST_BODY


def same_firmware(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    """Tell whether two hellos name the same firmware. In a full line the end of the name may be missing."""
    (shorter, cut), (longer, _) = sorted([one, other], key=lambda told: len(told[0]))
    return shorter == longer or (cut and longer.startswith(shorter))


def test_only_a_full_line_may_cut_the_name_of_the_firmware(host):
    """However long the session's name is, `fw` is complete unless the line has its greatest length."""
    names = ["a", "eightlet"]
    told = []
    for name in names:
        host.answers(seal(f"hi v=1 h={name}"), "hello")
        told.append(told_firmware(host))

    assert same_firmware(*told), told


@pytest.mark.needs("plug")
def test_a_device_that_was_unplugged_is_there_again(host):
    """Pulling the plug and putting it back ends the connection but not the boot, as long as there is power."""
    told = host.happens()
    boot = host.talk.boot

    host.rung.trouble("unplugged", ms=200)
    host.rung.wait(0.1)
    hello = host.again()

    assert (hello.boot, hello.first) == (boot, told.number)


@pytest.mark.parametrize("name", ["Z", "a-B_9", "~!%&.,;:", "00", "0abc12"])
def test_a_session_may_have_any_name(host, name):
    """A device accepts session names of one to eight characters of any kind."""
    assert [line.message.to for line in host.answers(seal(f"hi v=1 h={name}"), "hello")][-1] == name


@pytest.mark.parametrize("name", ["0", "ninechars"])
def test_a_hi_with_a_name_that_no_session_may_have_is_counted(host, name):
    """A `hi` with a name that no session may have is dropped and counted in `bad`."""
    before = host.status()[1].bad

    host.talk.put(seal(f"hi v=1 h={name}"))

    assert host.status()[1].bad == before + 1


def test_answers_come_in_the_order_of_their_lines_and_events_after_them(host):
    """A ping, an order and a ping in one chunk are answered by `pong`, `done` and `pong`; then the event follows."""
    (_, first), (_, second) = host.talk.ping_line(), host.talk.ping_line()
    known, before = len(host.talk.lines), host.newest
    order = host.talk.line("look", ("c", host.talk.ordered + 1), ("what", "white"))

    host.talk.put(first + order + second)
    host.word("look", before)

    words = [line.body.partition(" ")[0] for line in host.talk.lines[known:]]
    assert [word for word in words if word in ("pong", "done", "look")][:4] == ["pong", "done", "pong", "look"]


@pytest.mark.waits(12.0)
def test_the_end_of_a_silent_session_waits_for_the_next_heartbeat(host, measure):
    """When a session ends because of silence, `hello to=0` is sent when the next heartbeat would have been sent."""
    host.done("set", ("beat", 8_000))
    began = host.talk.wait(lambda line: line.body.startswith("beat "), 1.4).at

    hello = host.talk.wait(lambda line: isinstance(line.message, Hello) and line.message.to == "0", 10.0)

    measure("hello off its heartbeat", abs(hello.at - began - 8.0) * 1000, at_most=250, unit="ms")


def test_half_a_line_of_an_earlier_host_is_dropped_and_counted(host):
    """A line that an earlier host left unfinished is dropped and counted, and the next host is understood."""
    before = host.status()[1].bad
    host.talk.put(b"$ping h=half")

    host.again()

    assert host.talk.ping()
    assert host.status()[1].bad == before + 1

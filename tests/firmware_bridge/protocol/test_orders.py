"""PROTOCOL 5: each order is carried out once, in order, whatever happens on the line."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.client.arm_sync import ColourAliases, under_lines
from firmware_bridge.device.framing import seal
from firmware_bridge.protocol.connection import Connection, OrderAnswered
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.virtual import VirtualRing
from rungs.trouble import Damage
from tests.effort import examples


def beep(hz: int) -> QueuedCommand:
    """Return an order that can be told from others by *hz*."""
    return QueuedCommand("beep", (("hz", hz), ("ms", 80)))


@examples(10)
@given(st.integers(0, 2**32), st.floats(0, 0.02), st.integers(1, 12))
def test_every_order_is_carried_out_once(conversation, seed, rate, orders):
    """Each order is carried out exactly once even if the line is damaged in both directions."""
    talk = conversation(Damage(rate, Random(seed)).passed)
    talk.until(lambda: len(talk.greetings()) > 0)
    talk.host.order(*map(beep, range(orders)))

    talk.until(lambda: len(talk.answers()) == orders)

    assert [int(fields["hz"]) for _, fields in talk.orders] == list(range(orders))


def test_a_repeated_order_only_gets_its_answer_again(talk):
    """An order that arrives twice is carried out once and answered twice."""
    line = seal(f"beep h={talk.host.session} c=1 hz=1 ms=1")

    assert len(talk.device.receive(line, talk.now_us)) == 1
    talk.device.answer(1)
    assert talk.device.receive(line, talk.now_us) == []
    assert talk.device.outgoing(talk.now_us).count(b"$done") == 2


def test_an_order_repeated_before_its_answer_is_done_once(talk):
    """An order repeated before its answer, even in the same portion of bytes, is carried out once."""
    line = seal(f"slide h={talk.host.session} c=1")

    assert len(talk.device.receive(line + line, talk.now_us)) == 1
    talk.device.answer(1)
    assert len(talk.device.receive(seal(f"slide h={talk.host.session} c=2"), talk.now_us)) == 1


def test_an_order_that_cannot_be_done_says_why(talk):
    """An impossible order is answered by `sorry` with a reason, which the host reports with the order."""
    talk.refuse = "empty"
    talk.host.order(QueuedCommand("slide"))
    talk.pass_time(0.1)

    assert [(answer.order.word, answer.why) for answer in talk.answers()] == [("slide", "empty")]


def test_an_order_without_a_number_is_counted_as_bad(talk):
    """An order without a number is not carried out, and counted as bad."""
    assert talk.device.receive(seal(f"beep h={talk.host.session}"), talk.now_us) == []
    assert talk.device.bad == 1


def test_orders_that_were_not_sent_can_be_replaced(talk):
    """If a host gets several armings in a row, it sends only the one that was already due and the last one."""
    words = frozenset({"arm"})
    for token in range(1, 6):
        talk.host.order(QueuedCommand("arm", (("tok", token),)), instead_of=words)
        talk.host.outgoing(talk.now)

    talk.spoil = lambda data: data
    talk.pass_time(1.0)

    assert [fields["tok"] for _, fields in talk.orders] == ["1", "5"]


def test_what_lies_under_the_ring_is_split_over_lines():
    """A host sends any number of stations below the ring, in as many lines as it takes."""
    under = {f"colour-{number:02}": number for number in range(30)}

    lines = under_lines(under)

    assert [dict(order.pairs)["n"] for order in lines] == list(range(len(lines)))
    assert len(lines) > 3
    assert all(len(str(dict(order.pairs)["u"])) <= 70 for order in lines)
    assert ",".join(str(dict(order.pairs)["u"]) for order in lines).count(":") == 30


def test_a_colour_unknown_to_the_simulation_wears_another():
    """A colour unknown to the simulation gets a cube of an unused colour, and is reported under its own name."""
    from companion.ports.ring import Judgement, RingEvent, RingEventKind
    from firmware_bridge.colour.channels import NOMINAL

    stand_ins = ColourAliases(NOMINAL)
    stand_ins.meet({"pink": 2, "red": 1, "wood": 1})

    worn = stand_ins.worn({"pink": 2, "red": 1, "wood": 0})
    assert worn == {"purple": 2, "red": 1}
    event = RingEvent("d", "b", 1, 0, RingEventKind.OUT, judgement=Judgement("purple", (("purple", 0.9), ("red", 0.1))))
    assert stand_ins.unmasked(event).judgement == Judgement("pink", (("pink", 0.9), ("red", 0.1)))


def test_what_a_host_announced_and_never_armed_is_forgotten():
    """In a new session, a simulated ring forgets stations that `under` announced but no `arm` followed."""
    ring = VirtualRing(IDEAL, Random(1), iter(["00000001"]).__next__, 0.0)
    announce(ring, {"red": 2, "green": 5})

    announce(ring, {"red": 1, "blue": 3}, QueuedCommand("arm", (("tok", 17),)))

    assert dict(ring.under) == {"red": 1, "blue": 3}


def announce(ring: VirtualRing, under: dict[str, int], *orders: QueuedCommand) -> None:
    """Act as a host that announces the stations under *ring*, then gives *orders*, and disconnects."""
    host = Connection(lambda: f"{sum(under.values()):06x}")
    host.connected(0.0)
    host.receive(ring.outgoing(0.0), 0.0)
    for _ in range(4):
        ring.receive(host.outgoing(0.0), 0.0)
        host.receive(ring.outgoing(0.0), 0.0)
    host.order(*under_lines(under), *orders)
    for _ in range(4):
        ring.receive(host.outgoing(0.0), 0.0)
        host.receive(ring.outgoing(0.0), 0.0)


def told(ring: VirtualRing, *orders: QueuedCommand) -> tuple[list[Event], list[str]]:
    """Give *orders* to *ring*; return its events, and the error of each order."""
    host = Connection(lambda: "look")
    host.connected(0.0)
    heard = host.receive(ring.outgoing(0.0), 0.0)
    for _ in range(4 + 2 * len(orders)):
        ring.receive(host.outgoing(0.0), 0.0)
        heard += host.receive(ring.outgoing(0.0), 0.0)
        if host.orders.idle:
            host.order(*orders)
            orders = ()
    events = [each for each in heard if isinstance(each, Event)]
    return events, [each.why for each in heard if isinstance(each, OrderAnswered)]


def test_a_reference_is_taken_when_asked_for():
    """A device reads each of the three references when ordered, and sends an event with its summed counts."""
    ring = VirtualRing(IDEAL, Random(1), iter(["00000001"]).__next__, 0.0)

    events, why = told(ring, *(QueuedCommand("look", (("what", what),)) for what in ("white", "dark", "black")))

    looks = [event.fields for event in events if event.word == "look"]
    clear = [int(fields["counts"].split(":")[3]) for fields in looks]
    assert why == ["", "", ""]
    assert [(fields["what"], fields["sum"]) for fields in looks] == [("white", "8"), ("dark", "8"), ("black", "8")]
    assert clear[0] > 3_000 and clear[1] < 20 and 400 < clear[2] < 600


def test_what_cannot_be_looked_at_or_set_is_malformed():
    """An unknown reference or a setting outside its limits is malformed; an unknown setting is unknown."""
    ring = VirtualRing(IDEAL, Random(1), iter(["00000001"]).__next__, 0.0)
    orders = [
        QueuedCommand("look", (("what", "moon"),)),
        QueuedCommand("set", (("pair", 5),)),
        QueuedCommand("set", (("volume", 3),)),
    ]

    assert told(ring, *orders, QueuedCommand("set", (("filter", 500),)))[1] == ["malformed", "malformed", "unknown", ""]

"""Checks that each order is carried out once and always answered, and that refusals have the right reason."""

from __future__ import annotations

from firmware_bridge.conformance.conversation import SHORTLY_S, TRIES, TRY_S, Conversation, RingLine
from firmware_bridge.conformance.link import MUST_ANSWER_MS
from firmware_bridge.conformance.result import EXACTLY, ConformanceResult, Figures, Found, Skipped, quantile
from firmware_bridge.protocol.messages import OrderAnswer

TOKEN = 999_999_000  # no game uses this token, so a passage with it cannot become a draw
ROUNDS = 20


def orders(talk: Conversation, figures: Figures) -> Found:
    """Check that orders are answered quickly, appear in the status, and are carried out once.

    The ring is armed repeatedly.
    """
    carried_out = 0
    for k in range(ROUNDS):
        began = talk.now()
        line = talk.order("arm", ("tok", TOKEN + k))
        carried_out += done(line)
        if line and talk.tries == 1:
            figures.orders_ms.append((line.at - began) * 1000)
    yield ConformanceResult("orders carried out", carried_out, ROUNDS, "orders", EXACTLY)
    yield ConformanceResult("order answered (p95)", quantile(figures.orders_ms, 0.95), MUST_ANSWER_MS, "ms")
    yield ConformanceResult("armed as ordered", int(_token(talk) == TOKEN + ROUNDS - 1), 1, "", EXACTLY)
    yield from _repeated(talk)
    yield from _refused(talk)
    yield from _abilities(talk)
    talk.order("disarm")
    yield ConformanceResult("disarmed as ordered", int(_token(talk) == 0), 1, "", EXACTLY)


def _repeated(talk: Conversation) -> Found:
    """Send another order with a number that was used before. The ring must only repeat its earlier answer."""
    number = talk.ordered
    again = any(done(talk.order_again(number, "disarm", within_s=TRY_S)) for _ in range(TRIES))
    yield ConformanceResult("repeated order answered again", int(again), 1, "", EXACTLY)
    yield ConformanceResult("repeated order carried out twice", int(_token(talk) == 0), 0, "times")
    early = talk.order_again(number + 5, "disarm", within_s=SHORTLY_S)
    late = talk.order_again(number - 1, "disarm", within_s=SHORTLY_S)
    yield ConformanceResult("order out of turn answered", int(early is not None) + int(late is not None), 0, "answers")


def _refused(talk: Conversation) -> Found:
    """Check that unknown and malformed orders are refused."""
    yield ConformanceResult(
        "unknown order refused as such", int(_why(talk.order("dance")) == "unknown"), 1, "", EXACTLY
    )
    yield ConformanceResult(
        "senseless order refused as such", int(_why(talk.order("arm")) == "malformed"), 1, "", EXACTLY
    )
    yield ConformanceResult("goes on after a refusal", int(done(talk.order("arm", ("tok", TOKEN)))), 1, "", EXACTLY)


def _abilities(talk: Conversation) -> Found:
    abilities = talk.hello.abilities if talk.hello else ""
    if "m" in abilities:
        talk.order("lamp", ("rgb", "000010"))
        yield ConformanceResult("lamp obeys", int(done(talk.order("lamp", ("rgb", "000000")))), 1, "", EXACTLY)
    else:
        yield Skipped("lamp obeys", "this ring has no lamp")
    if "b" in abilities:
        yield ConformanceResult("beeper obeys", int(done(talk.order("beep", ("hz", 2000), ("ms", 30)))), 1, "", EXACTLY)
    else:
        yield Skipped("beeper obeys", "this ring has no beeper")


def done(line: RingLine | None) -> bool:
    """Return whether *line* is the answer that an order was carried out."""
    return line is not None and isinstance(line.message, OrderAnswer) and not line.message.why


def _why(line: RingLine | None) -> str:
    return line.message.why if line is not None and isinstance(line.message, OrderAnswer) else ""


def _token(talk: Conversation) -> int:
    state, _ = talk.dump()
    return state.token if state else -1

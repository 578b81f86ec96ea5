"""Checks the parts of the protocol other than events and orders: greeting, status, heartbeat, pings, damaged lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from firmware_bridge.conformance.conversation import SHORTLY_S, TRIES, TRY_S, Conversation, RingLine
from firmware_bridge.conformance.result import AT_LEAST, EXACTLY, ConformanceResult, Figures, Found, Skipped, quantile
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.framing import LONGEST, seal
from firmware_bridge.protocol.messages import DeviceStatus, FilterReport, Hello, OtherVersion, Pong

FIND_S = 6.0
GREETINGS = 10
DUMPS = 5
PINGS = 60
PING_EACH_S = 0.05
LEAST_ANSWERED = 30  # the least number of answered pings; enough for a wire that damages every fifth line
LEAST_BEATS = 2
MUST_ANSWER_MS = 100.0
BEAT_MS = 1000.0
BEAT_OFF_MS = 250.0
CLOCK_OFF_PPM = 20_000.0
ABILITIES = "glmbsopx"
OTHER = "other"


def greeting(talk: Conversation, figures: Figures) -> Found:
    """Check that the ring answers, which version it speaks, and how fast it answers."""
    hello = talk.greet(FIND_S)
    yield ConformanceResult("answers a greeting", int(hello is not None), 1, "", EXACTLY)
    if hello is None:
        return
    yield ConformanceResult("speaks the protocol's version", hello.version, VERSION, "", EXACTLY)
    if isinstance(hello, OtherVersion):
        return
    yield ConformanceResult("names itself in good form", misnamed(hello), 0, "faults")
    _look_around(talk)
    for _ in range(GREETINGS):
        began = talk.now()
        if talk.greeted_again(TRY_S):
            figures.greetings_ms.append((talk.now() - began) * 1000)
    yield ConformanceResult("greeting answered (p95)", quantile(figures.greetings_ms, 0.95), MUST_ANSWER_MS, "ms")


def _look_around(talk: Conversation) -> None:
    """Find out which events the ring already stores, because those do not belong to this conversation."""
    state, tally = talk.dump()
    if state and tally:
        talk.first, talk.before = tally.first, state.last


def misnamed(hello: Hello) -> int:
    """Return how many fields of *hello* violate the protocol."""
    wrong = [
        not 0 < len(hello.device) <= 16,
        not 0 < len(hello.firmware) <= 12,
        not 0 < len(hello.sensor) <= 8,
        not (8 <= len(hello.boot) <= 12 and set(hello.boot) <= set("0123456789abcdef")),
        not set(hello.abilities) <= set(ABILITIES) or not hello.abilities,
        hello.first < 1,
    ]
    return sum(wrong)


def status(talk: Conversation, figures: Figures) -> Found:
    """Check the status dump, its counters, switches and filters."""
    since, took = len(talk.lines), []
    for _ in range(DUMPS):
        began = talk.now()
        state, tally = talk.dump()
        took.append((talk.now() - began) * 1000 if state and tally else float("inf"))
    yield ConformanceResult("status dump, whole (best of 5)", min(took), MUST_ANSWER_MS, "ms")
    if state and tally:
        fits = state.boot == talk.boot == tally.boot and tally.first <= state.last + 1
        yield ConformanceResult("status agrees with itself", int(fits), 1, "", EXACTLY)
        yield ConformanceResult("switches told as promised", _switches(talk, state), 0, "faults")
        yield ConformanceResult("events lost for want of room", tally.lost, 0, "events")
    report = talk.wait(lambda line: isinstance(line.message, FilterReport), SHORTLY_S, since)
    if report is None or not isinstance(report.message, FilterReport):
        yield Skipped("filters and what they swallowed", "this ring reports no filters")
        return
    figures.filters = {**report.message.settings, **report.message.filtered}
    yield ConformanceResult("filters set", len(report.message.settings), 1, "settings", AT_LEAST)


def _switches(talk: Conversation, state: DeviceStatus) -> int:
    abilities = talk.hello.abilities if talk.hello else ""
    return (("g" in abilities) != (state.gate_open is not None)) + (("l" in abilities) != (state.lifted is not None))


def pace(talk: Conversation, figures: Figures) -> Found:
    """Measure the round trips, the rate of the ring's clock and the heartbeat, all at the same time."""
    since = len(talk.lines)
    pongs = list(_pinged(talk, figures))
    yield ConformanceResult("pings answered", len(pongs), LEAST_ANSWERED, f"of {PINGS}", AT_LEAST)
    yield ConformanceResult("round trip (p50)", quantile(figures.trips_ms, 0.5), MUST_ANSWER_MS, "ms")
    yield ConformanceResult("round trip (p95)", quantile(figures.trips_ms, 0.95), MUST_ANSWER_MS, "ms")
    if len(pongs) > 1:
        yield ConformanceResult("clock differs from ours", _clock_off(pongs), CLOCK_OFF_PPM, "ppm")
    beats = [line.at for line in talk.lines[since:] if _is_beat(line)]
    figures.beats_ms = [(later - sooner) * 1000 for sooner, later in pairwise(beats)]
    yield ConformanceResult("heartbeats heard", len(beats), LEAST_BEATS, "beats", AT_LEAST)
    # If a heartbeat is lost on a noisy line, the heartbeats before and after it are two seconds apart.
    off = max((abs(each - max(round(each / BEAT_MS), 1) * BEAT_MS) for each in figures.beats_ms), default=float("inf"))
    yield ConformanceResult("heartbeat off its second", off, BEAT_OFF_MS, "ms")


def _pinged(talk: Conversation, figures: Figures) -> Iterator[tuple[float, int]]:
    """Send pings for longer than three heartbeats. Yield our time and the ring's time of each."""
    for _ in range(PINGS):
        began = talk.now()
        line = talk.ping(TRY_S)
        if line and isinstance(line.message, Pong):
            figures.trips_ms.append((line.at - began) * 1000)
            yield (line.at + began) / 2, line.message.at_us
        talk.listen(PING_EACH_S)


def _clock_off(pongs: list[tuple[float, int]]) -> float:
    (began, first), (ended, last) = pongs[0], pongs[-1]
    return abs((last - first) / ((ended - began) * 1e6) - 1) * 1e6


def _is_beat(line: RingLine) -> bool:
    return isinstance(line.message, DeviceStatus) and not line.message.dump


def nonsense(talk: Conversation, figures: Figures) -> Found:
    """Check that damaged, endless and foreign lines are dropped, and that the session continues."""
    number, line = talk.ping_line()
    damaged = line.replace(b"ping", b"pinG")
    yield ConformanceResult("damaged line answered", _answers(talk, damaged, number), 0, "answers")
    number, _ = talk.ping_line()
    foreign = seal(compose("ping", [("h", "nobody"), ("id", number)]))
    yield ConformanceResult("line of another session answered", _answers(talk, foreign, number), 0, "answers")
    yield ConformanceResult("survives a line without end", _survives(talk, b"$" + b"x" * 400), 1, "", EXACTLY)
    yield ConformanceResult("survives bytes that are no text", _survives(talk, bytes(range(256))), 1, "", EXACTLY)
    yield ConformanceResult(
        "finds a line after a lost newline", int(any(_found(talk) for _ in range(TRIES))), 1, "", EXACTLY
    )
    answered = any(_answers_newer(talk) for _ in range(TRIES))
    yield ConformanceResult("answers a greeting in another version", int(answered), 1, "", EXACTLY)
    yield ConformanceResult("opens no session for it", int(talk.lives()), 1, "", EXACTLY)


def _found(talk: Conversation) -> bool:
    number, line = talk.ping_line()
    talk.put(b"$ping h=" + line)
    return talk.pong(number, TRY_S) is not None


def _answers_newer(talk: Conversation) -> bool:
    talk.put(seal(compose("hi", [("v", VERSION + 98), ("h", OTHER)])))
    return talk.wait(lambda line: isinstance(line.message, Hello) and line.message.to == OTHER, TRY_S) is not None


def _answers(talk: Conversation, line: bytes, number: int) -> int:
    talk.put(line)
    return int(talk.pong(number, SHORTLY_S) is not None)


def _survives(talk: Conversation, noise: bytes) -> int:
    talk.put(noise + b"\n")
    return int(talk.lives())


def lines(talk: Conversation, figures: Figures) -> Found:
    """Check the properties that need all received lines. Call this check last."""
    yield ConformanceResult("longest line", talk.longest, LONGEST, "bytes")
    received = len(talk.lines) + talk.damaged
    yield ConformanceResult("damaged lines heard", 100 * talk.damaged / max(received, 1), 1.0, "%")

"""Judges the passages of a capture again, with another calibration or without one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.ports.ring import Judgement, RingEvent, RingEventKind
from firmware_bridge.capture.reader import Tape, events_of, judged_then
from firmware_bridge.colour import Calibration, Judge, calibration_of
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.passages.passage import Passages

PASSAGES = frozenset(
    {
        RingEventKind.OUT,
        RingEventKind.PAIR,
        RingEventKind.BACK,
        RingEventKind.POKE,
        RingEventKind.STUCK,
        RingEventKind.GLITCH,
    }
)
UNSURE = "unsure"
MOST_BYTES = 4_000_000
Under = Mapping[int, Mapping[str, int]]


@dataclass(frozen=True)
class JudgedAgain:
    """One passage: its time, the earlier judgement (*then*, None if unknown), and its event with the new judgement."""

    at_ms: float
    event: RingEvent
    then: str | None

    @property
    def now(self) -> str | None:
        """The new colour, or `unsure`, or None if a passage of this kind is not judged."""
        seen = self.event.judgement
        return None if seen is None else seen.colour or UNSURE

    @property
    def changed(self) -> bool:
        """True if the earlier judgement is known and differs from the new one."""
        return self.then is not None and self.then != self.now


def judged_again(tape: Tape, judge: Judge) -> list[JudgedAgain]:
    """Judge every passage of *tape* with *judge*, from its readings alone, without knowing the stations below the ring.

    A pair of cubes gets no colour, and neither does a passage that only touched a beam.
    """
    then = judged_then(tape)
    found = []
    boots: dict[str, Passages] = {}
    for dated in events_of(tape):
        hello = tape.hellos.get(dated.event.boot)
        passages = boots.setdefault(dated.event.boot, Passages(hello.device if hello else "unknown"))
        event = passages.take(dated.event, judge, {})
        if event is not None and event.kind in PASSAGES:
            found.append(JudgedAgain(dated.at_ms, event, then.get((event.boot, event.seq))))
    return found


def read_calibration(path: Path) -> Calibration:
    """Read a calibration from the file at *path*. Raise InputError that says what is wrong and where."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise InputError(f"{path}: too long for a calibration")
        return calibration_of(json.loads(data))
    except OSError as fault:
        raise InputError(f"{path}: {fault.strerror or fault}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path}: not JSON") from None
    except InputError as fault:
        raise InputError(f"{path}: {str(fault).removeprefix(f'{path}: ')}") from None


def as_json(log: str, calibration: str, passages: Sequence[JudgedAgain]) -> dict[str, object]:
    """Return the result as one JSON object."""
    rows = [_row(each) for each in passages]
    changed = sum(each.changed for each in passages)
    return {"log": log, "calibration": calibration, "passages": rows, "changed": changed}


def _row(each: JudgedAgain) -> dict[str, object]:
    event, seen = each.event, each.event.judgement or Judgement(None)
    return {
        "at_ms": round(each.at_ms, 3),
        "boot": event.boot,
        "seq": event.seq,
        "kind": str(event.kind),
        "token": event.token,
        "then": each.then,
        "now": each.now,
        "why": seen.why,
        "unknown": round(seen.unknown, 6),
        "ranking": [[colour, round(share, 6)] for colour, share in seen.ranking],
    }


def as_text(passages: Sequence[JudgedAgain]) -> Iterable[str]:
    """Yield the lines of a table and a summary. A passage whose judgement has changed is marked."""
    if not passages:
        yield "No passages."
        return
    yield f"{'time':>12}   {'kind':8}{'then':12}{'now':12}ranking"
    for each in passages:
        seen = each.event.judgement or Judgement(None)
        ranking = ", ".join(f"{colour} {share:.1%}" for colour, share in seen.ranking[:3])
        why = f" ({seen.why})" if seen.why else ""
        words = f"{each.event.kind:8}{each.then or '-':12}{each.now or '-':12}{ranking}{why}"
        yield f"{_clock(each.at_ms):>12}{' *' if each.changed else '  '} {words}".rstrip()
    changed = sum(each.changed for each in passages)
    yield f"{len(passages)} passages, {changed} judged differently now{' (*)' if changed else ''}."


def _clock(ms: float) -> str:
    minutes, rest = divmod(ms / 1000, 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02}:{rest:06.3f}"

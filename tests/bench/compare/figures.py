"""The compared figures: the benches, their arguments, and the figures in the table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A line of the table; *path* leads to its figure in the first matching JSON object that a bench prints."""

    name: str
    path: tuple[str, ...]
    when: Mapping[str, object] | None = None

    def found_in(self, printed: Sequence[Any]) -> float | None:
        """Return the figure, or None if the bench doesn't print it."""
        for one in printed:
            if self.when is None or self.when.items() <= one.items():
                for step in self.path:
                    one = one.get(step) if isinstance(one, dict) else None
                return one if isinstance(one, int | float) else None
        return None


@dataclass(frozen=True)
class Bench:
    """One module of `tests.bench`; if *outside*, this checkout's module measures the other checkout's program."""

    name: str
    arguments: tuple[str, ...]
    figures: tuple[Figure, ...]
    outside: bool = False


def objects(text: str) -> Iterator[Any]:
    """Return the JSON objects printed by a bench."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        found, at = decoder.raw_decode(text, at)
        yield found


def _rules() -> tuple[Figure, ...]:
    return tuple(
        Figure(f"rules, {players} players: commands a second (aim 25,000)", ("commands_per_s",), {"players": players})
        for players in (3, 4, 5)
    )


def _live_table() -> tuple[Figure, ...]:
    words = {
        "open_ms": "opening",
        "command_p50_ms": "a command, p50",
        "command_p95_ms": "a command, p95",
        "undo_p95_ms": "taking back, p95",
        "history_ms": "its history",
    }
    kinds = ("one game, 1000 rows", "one game, 100000 rows", "many games, 100000 rows")
    return tuple(
        Figure(f"live table, {kind}: {word} (ms)", (kind, field)) for kind in kinds for field, word in words.items()
    )


def _memory() -> tuple[Figure, ...]:
    words = {"rss_mb": "resident", "pss_mb": "proportional", "private_dirty_mb": "its own"}
    rings = {"none": "no ring", "mock": "simulated ring"}
    return tuple(
        Figure(f"memory with a game of four, every page seen, {ring}: {word} (MB, aim 45)", (key, "seen", field))
        for key, ring in rings.items()
        for field, word in words.items()
    )


FIRST_ANSWER = (
    Figure("first page after a start, no ring: times a bare Flask (aim 1.6)", ("times_bare",)),
    Figure("the same in processor time", ("times_bare_processor",)),
    Figure("first page after a start, simulated ring: times a bare Flask", ("times_bare_mock",)),
    Figure("the same in processor time", ("times_bare_mock_processor",)),
    Figure("first page after a start, no ring (s)", ("house_s",)),
    Figure("first page after a start, simulated ring (s)", ("house_mock_s",)),
    Figure("first page of a bare Flask, the house's server (s)", ("bare_uvicorn_s",)),
    Figure("first page of a bare Flask, its own server (s)", ("bare_werkzeug_s",)),
)
DAMAGED_LINE = (
    Figure("damaged line: passages missed", ("missed",)),
    Figure("damaged line: passages wrong", ("wrong",)),
    Figure("damaged line: longest stall (ms)", ("longest_stall_ms",)),
    Figure("damaged line: written to logged, p50 (ms)", ("first_written_to_logged_p50_ms",)),
    Figure("damaged line: all passages (s)", ("total_s",)),
)
STREAMS = (
    Figure("a command to the slowest of four streams, p50 (ms)", ("table", "p50_ms")),
    Figure("a command to the slowest of four streams, p95 (ms)", ("table", "p95_ms")),
    Figure("the ring's last byte to the slowest of four streams, p50 (ms)", ("ring", "p50_ms")),
    Figure("the ring's last byte to the slowest of four streams, p95 (ms)", ("ring", "p95_ms")),
    Figure("a bare commit, p50 (ms)", ("bare_commit", "p50_ms")),
    Figure("a bare stream, p50 (ms)", ("bare_stream", "p50_ms")),
    Figure("ring: times a bare commit and a bare stream, p50 (aim 1.5)", ("ratio", "p50_ms")),
    Figure("ring: times a bare commit and a bare stream, p95 (aim 1.5)", ("ratio", "p95_ms")),
)
CUBE = (Figure("Python calls of one cube, bytes to acknowledgement (aim 450)", ("calls", "median")),)
BENCHES = (
    Bench("rules", (), _rules()),
    Bench("live_table", (), _live_table()),
    Bench("first_answer", (), FIRST_ANSWER, outside=True),
    Bench("memory", (), _memory(), outside=True),
    Bench("damaged_line", ("--passages", "3000"), DAMAGED_LINE),
    Bench("stream_latency", (), STREAMS),
    Bench("cube", (), CUBE),
)

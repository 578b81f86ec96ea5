"""The routes of the API: the same table and permissions as the pages, with JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Any, TypeVar

from flask import Blueprint, Response, abort, jsonify, request

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.program import VERSION as PROGRAM_VERSION
from companion.model.snapshot import Snapshot
from companion.model.speech import Verbosity, Whose
from web.commands.calibration import CALIBRATION_COMMANDS, measure
from web.commands.table import COMMANDS, carry_out
from web.components.utterances import announcements_since
from web.http.request_parsing import LARGEST, json_body, whole_number, words
from web.http.to_json import plain
from web.pages.calibration_files import listed_for_programs
from web.pages.game_files import record_taken_in
from web.pages.help import answers_now
from web.request.clock_face import clock_face
from web.request.context import instrument_view, look_again, ring_view, services, snapshot, viewer, who
from web.server.gateway import CALIBRATION_MOST

api = Blueprint("api", __name__)
Chosen = TypeVar("Chosen", bound=Enum)
HANDS = ("tablet", "phone", "button", "import")


@api.get("/healthz")
def health() -> Response:
    """Return whether the server works, and the state of its threads. Only the type of an error is shown."""
    seen = snapshot()
    threads = [
        {"name": each.name, "state": each.state, "last_error": each.last_error, "restarts": each.restarts}
        for each in services().threads.views
    ]
    return jsonify(
        status="ok",
        version=seen.version,
        kept=not seen.storage,
        ring=ring_view().state,
        program=PROGRAM_VERSION,
        threads=threads,
        links=[{**link.__dict__, "trouble": str(link.trouble)} for link in services().links()],
    )


@api.get("/api/v1/openapi.json")
def description() -> Response:
    """Return the description of this API."""
    from web.api.openapi import description as describe  # imported late: rarely needed

    return jsonify(describe())


@api.get("/api/v1/state")
def state() -> Response:
    """Return the state of the live game as the sender may see it. A seat also sees its own hidden cards."""
    seen = snapshot()
    body = {} if seen.game is None else seen.game.view(seen.state, viewer())
    response = jsonify({"game": None, **body, "version": seen.version})
    response.set_etag(str(seen.version))
    return response


@api.get("/api/v1/table")
def table() -> Response:
    """Return the state of the table apart from the game: status, questions, the ring, and whether the storage works."""
    return jsonify(_table(snapshot()))


@api.get("/api/v1/clock")
def clock() -> Response:
    """Return the server's time, and the times of the present step on the same clock."""
    seen = snapshot()
    face = clock_face(seen)
    if face is None:
        return jsonify(now_ms=round(seen.as_of * 1000), version=seen.version, step=None)
    return jsonify(face.body())


@api.get("/api/v1/times")
def times() -> Response:
    """Return how long each step of the live game took and which seats it was for, and each player's remaining bank."""
    seen = snapshot()
    face = clock_face(seen)
    steps = plain(services().table.archive.spells()) if seen.game is not None else []
    banks = [] if face is None else [{"seat": each.seat, "left_ms": each.left_ms} for each in face.banks]
    return jsonify(version=seen.version, steps=steps, banks=banks)


@api.get("/api/v1/utterances")
def utterances() -> Response:
    """Return the announcements after a version, in the sender's language."""
    after = whole_number(request.args.get("after", "0"), "after")
    words_wanted, whose = _of(Verbosity, "words", Verbosity.USUAL), _of(Whose, "whose", Whose.ALL)
    seen = services().table.happened(after)
    spoken = announcements_since(after, words_wanted, whose)
    return jsonify(version=seen[-1].version if seen else after, utterances=spoken)


@api.get("/api/v1/answers")
def answers() -> Response:
    """Return the questions about the live game with their answers, in the sender's language and for its seat."""
    found = [
        {"about": one.about, "key": one.key, "ask": one.ask, "text": one.text, "place": one.place}
        for one in answers_now()
    ]
    return jsonify(version=snapshot().version, answers=found)


@api.get("/api/v1/ring")
def ring() -> Response:
    """Return everything about the ring and its instrument."""
    return jsonify(_ring())


@api.get("/api/v1/calibrations")
def calibrations() -> Response:
    """Return the stored calibrations, without the readings."""
    return jsonify(calibrations=listed_for_programs())


@api.post("/api/v1/ring/deeds")
def ring_deed() -> Response:
    """Execute one step of a calibration, or import one; return the ring's state after it."""
    fields = json_body(CALIBRATION_MOST)
    name = fields.get("deed")
    if not isinstance(name, str) or name not in CALIBRATION_COMMANDS:
        raise Malformed(f"deed must be one of {', '.join(sorted(CALIBRATION_COMMANDS))}")
    measure(services(), name, fields, who())
    look_again()
    return jsonify(_ring())


@api.get("/api/v1/games")
def games() -> Response:
    """Return the games of the ledger."""
    entries = [
        {
            "id": entry.id,
            "game": entry.name,
            "players": entry.header.get("players", []),
            "status": entry.status,
            "live": entry.live,
            "lines": entry.lines,
            "began": entry.began,
            "last": entry.last,
            "reason": entry.reason,
            **({"damage": entry.damage} if entry.damage else {}),
        }
        for entry in services().table.archive.games()
    ]
    unlisted = services().table.archive.unlisted
    return jsonify(games=entries, **({"unlisted": unlisted} if unlisted else {}))


@api.get("/api/v1/record")
def record() -> Response:
    """Return the complete record of the live game, for the owner."""
    if snapshot().game_id is None:
        raise Refused("There's no game on the table.")
    return _record(snapshot().game_id)


@api.get("/games/<int:game_id>/record")
def record_of(game_id: int) -> Response:
    """Return the complete record of one game, for the owner."""
    if game_id >= LARGEST:
        abort(404)
    return _record(game_id)


@api.post("/api/v1/commands")
def command() -> Response:
    """Execute one line in the format of a record."""
    line = json_body()
    by = who()
    if "via" in line:
        if line["via"] not in HANDS:
            raise Malformed(f"via must be one of {', '.join(HANDS)}, when a program says it")
        by = replace(by, via=line["via"])
    if "at" in line:
        whole_number(line["at"], "at")
    if "note" in line:
        words(line["note"], "note", 2000)
    return _version(carry_out("do", {"line": line, "version": _if_match()}, by))


@api.post("/api/v1/deeds")
def deed() -> Response:
    """Execute a command that isn't a move: pause, answer, undo, leave and others."""
    fields = json_body()
    name = fields.get("deed")
    if not isinstance(name, str) or name not in COMMANDS:
        raise Malformed(f"deed must be one of {', '.join(COMMANDS)}")
    return _version(carry_out(name, {"version": _if_match(), **fields}))


@api.post("/api/v1/games")
def open_game() -> Response:
    """Begin a new game from the header of a record."""
    version = services().table.open(json_body(), who())
    look_again()
    response = _version(version, game_id=snapshot().game_id)
    response.status_code = 201
    return response


@api.post("/api/v1/import")
def take_in() -> Response:
    """Import a record completely, or refuse it. If the game is already in the ledger, nothing changes."""
    taken = record_taken_in(request.get_data())
    response = jsonify(game_id=taken.game, new=taken.new, differs=taken.differs)
    response.status_code = 201 if taken.new else 200
    return response


def _of(kind: type[Chosen], name: str, usual: Chosen) -> Chosen:
    """Return the member of *kind* in the query field *name*, or *usual* if that field is missing.

    Raise `Malformed` if there is no such member.
    """
    known = {each.name.lower(): each for each in kind}
    asked = request.args.get(name)
    if asked is None:
        return usual
    if asked not in known:
        raise Malformed(f"{name} must be one of {', '.join(known)}")
    return known[asked]


def _version(version: int, **more: Any) -> Response:
    return jsonify(version=version, **more)


def _if_match() -> int | None:
    """Return the version that the sender has seen, or None if it doesn't say."""
    sent = request.headers.get("If-Match", "").strip()
    if sent in ("", "*"):
        return None
    return whole_number(sent.strip('"'), "If-Match")


def _table(seen: Snapshot) -> dict[str, Any]:
    """Return the state of the table apart from the game: questions, the ring, and whether the storage works."""
    ring = ring_view()
    return {
        "version": seen.version,
        "status": seen.status,
        "game_id": seen.game_id,
        "absent": sorted(seen.absent),
        "questions": [
            {"id": one.id, "kind": one.kind, "offered": [list(pair) for pair in one.offered], "detail": one.detail}
            for one in seen.questions
        ],
        "undoable": None if seen.undoable is None else {"id": seen.undoable.id, "by_ring": seen.undoable.by_ring},
        "ring": {"state": ring.state, "simulated": ring.simulated, "armed": ring.armed, "trouble": ring.trouble},
        "storage": seen.storage,
    }


def _ring() -> dict[str, Any]:
    view = ring_view()
    # A time of this machine's monotonic clock means nothing on other machines, so send an age.
    last = view.last_passage_at
    shown = plain(view) | {"last_passage_age_s": None if last is None else round(services().now() - last, 1)}
    del shown["last_passage_at"]
    return {"ring": shown, "instrument": plain(instrument_view())}


def _record(game_id: int | None) -> Response:
    lines: Iterable[Line] = services().table.archive.exported(game_id)
    # Send it in one piece, not line by line: a slow client must not occupy a thread.
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    response = Response(text, mimetype="application/x-ndjson")
    response.headers["Content-Disposition"] = f'attachment; filename="game-{game_id}.jsonl"'
    return response

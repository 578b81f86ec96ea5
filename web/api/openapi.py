"""The OpenAPI description of the API. Each path says who may use it.

Why no library: apispec takes 0.01 s of processor time to import, but only collects dictionaries like the ones below.
flask-smorest takes 0.08 s, and would need each body as a marshmallow schema in addition to
`web/commands/declaration.py`. (Measured with CPython 3.11 on x86.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.kernel.supervisor import ThreadState
from companion.model.clock import Strictness
from companion.model.snapshot import Status
from companion.model.speech import Verbosity, Whose
from web.commands.calibration import CALIBRATION_COMMANDS
from web.commands.declaration import Declaration
from web.commands.table import COMMANDS

Json = dict[str, Any]

_VERSION: Json = {"type": "integer", "minimum": 0, "description": "ledger row of the newest change; 0 without a game"}
_REASON: Json = {
    "type": "object",
    "required": ["reason"],
    "properties": {"reason": {"type": "string", "description": "one sentence"}},
}
_LOOK = "Anybody on the network; shows nothing hidden."
_HOST = "The host's session with its CSRF token, or a bearer token."
_SEAT = "The host's session, or a seat's for what is its own, with its CSRF token; or a bearer token."
_FAULTS = {
    "400": "The body can't be read; the reason says where.",
    "401": "Neither the host's session nor a known token.",
    "403": "A session without the CSRF token of its forms, a request from another site, or what is another seat's.",
    "404": "No such thing.",
    "408": "The body didn't arrive in time.",
    "409": "Refused by the rules, with the reason.",
    "412": "The table has moved on since the version in If-Match.",
    "413": "The body is too large.",
    "415": "The body isn't of the right type.",
    "429": "Too much is being sent at once; Retry-After says when to come again.",
    "503": "Too many streams or connections are open; Retry-After says when to come again.",
}


def _content(schema: Json, kind: str = "application/json") -> Json:
    return {kind: {"schema": schema}}


def _object(required: list[str], **properties: Json) -> Json:
    return {"type": "object", "required": required, "properties": properties}


def _faults(*codes: str) -> Json:
    return {code: {"description": _FAULTS[code], "content": _content(_REASON)} for code in codes}


def _look(summary: str, schema: Json, kind: str = "application/json", *codes: str) -> Json:
    good = {"200": {"description": summary, "content": _content(schema, kind)}}
    return {"summary": summary, "description": _LOOK, "security": [], "responses": {**good, **_faults(*codes, "503")}}


def _host(summary: str, status: str, schema: Json, *codes: str, kind: str = "application/json") -> Json:
    good = {status: {"description": summary, "content": _content(schema, kind)}}
    security: list[Json] = (
        [{"token": []}, {"session": [], "csrf": []}] if "403" in codes else [{"token": []}, {"session": []}]
    )
    return {
        "summary": summary,
        "description": _HOST,
        "security": security,
        "responses": {**good, **_faults("401", *codes, "503")},
    }


def _by_browsers(described: Json) -> Json:
    """Describe a path that pages link to: an error is a page for a browser, and JSON for a program."""
    responses = described["responses"] | _faults("403")
    page = _content({"type": "string"}, "text/html")
    shown = {code: each | {"content": each["content"] | page} for code, each in responses.items() if code != "200"}
    return described | {"responses": responses | shown}


def _body(schema: Json, kind: str = "application/json") -> Json:
    return {"required": True, "content": _content(schema, kind)}


_IF_MATCH: Json = {
    "name": "If-Match",
    "in": "header",
    "schema": {"type": "string"},
    "description": "the version that the sender has seen; the table answers 412 when it has moved on",
}
_CHANGED = _object(["version"], version=_VERSION)
_RECORD: Json = {"type": "string", "description": "JSON Lines: the header, then one command a line; shows everything"}
_LINE: Json = {
    "type": "object",
    "required": ["do"],
    "properties": {"do": {"type": "string"}, "via": {"type": "string"}, "note": {"type": "string"}},
    "additionalProperties": True,
    "description": "one command of the table record",
}


_CHANGES = ("400", "403", "408", "409", "413", "415", "429")
"""Possible errors of a request that changes something."""


def _paths() -> Json:
    return _looked_at() | _done() | _measured() | _records()


def _looked_at() -> Json:
    state = _object(["version"], version=_VERSION, game={"type": ["string", "null"]})
    table = _object(["version", "status"], version=_VERSION, status={"enum": [str(status) for status in Status]})
    return {
        "/healthz": {"get": _look("Whether the companion answers, and how it is.", _health())},
        "/api/v1/openapi.json": {"get": _look("This description.", {"type": "object"})},
        "/api/v1/state": {"get": _look("The live game as anybody may see it; ETag is the version.", state)},
        "/api/v1/table": {
            "get": _look("How the live game is going, what the ring asks, whether anything is saved.", table)
        },
        "/api/v1/clock": {
            "get": _look("The clock of the current step, in the companion's own milliseconds.", _clock())
        },
        "/api/v1/times": {"get": _look("How long each step of the live game took, and for whom.", _times())},
        "/api/v1/utterances": {"get": _spoken()},
        "/api/v1/answers": {
            "get": _look("What can be asked of the live game, each with its key and its answer.", _asked())
        },
        "/api/v1/events": {"get": _events()},
    }


def _times() -> Json:
    ms: Json = {"type": "integer", "minimum": 0}
    seats: Json = {"type": "array", "items": {"type": "string"}}
    step = _object(
        ["step", "seats", "mark", "ms", "by_seat"],
        step={"type": "string"},
        seats=seats,
        mark={"type": "array", "items": {"type": "integer"}},
        ms=ms,
        by_seat={"type": "object", "additionalProperties": ms},
    )
    bank = _object(["seat", "left_ms"], seat={"type": "string"}, left_ms={"type": "integer"})
    return _object(
        ["version", "steps", "banks"],
        version=_VERSION,
        steps={"type": "array", "items": step},
        banks={"type": "array", "items": bank},
    )


def _spoken() -> Json:
    one = _object(
        ["version", "text", "words", "topic", "at_once"],
        version=_VERSION | {"description": "what happened at once has one version"},
        text={"type": "string"},
        words={"enum": [words.name.lower() for words in Verbosity], "description": "the fewest words that say it"},
        topic={"type": "string", "description": "of two that wait with one topic the newer is enough"},
        at_once={"type": "boolean", "description": "it corrects what was said"},
    )
    every = _object(["version", "utterances"], version=_VERSION, utterances={"type": "array", "items": one})
    asked: list[tuple[str, Json]] = [
        ("after", {"type": "integer", "minimum": 0, "default": 0}),
        ("words", {"enum": [words.name.lower() for words in Verbosity], "default": "usual"}),
        ("whose", {"enum": list(Whose), "default": "all"}),
    ]
    parameters = [{"name": name, "in": "query", "schema": schema} for name, schema in asked]
    said = _look("What is said aloud since a version, oldest first; only the newest are kept.", every)
    return said | {"responses": said["responses"] | _faults("400"), "parameters": parameters}


def _asked() -> Json:
    one = _object(
        ["about", "key", "ask", "text", "place"],
        about={"type": "string", "description": "`turn`, `score`, `last`, `clock`, or a word of the game's own"},
        key={"type": "string", "description": "a digit, or a letter where it is about a place of the board"},
        ask={"type": "string"},
        text={"type": "string"},
        place={"type": "boolean"},
    )
    return _object(["version", "answers"], version=_VERSION, answers={"type": "array", "items": one})


def _clock() -> Json:
    moment: Json = {
        "type": ["integer", "null"],
        "description": "in the companion's own time; null: never, as things are",
    }
    ms: Json = {"type": "integer", "minimum": 0}
    return _object(
        ["now_ms", "version", "step"],
        now_ms={"type": "integer", "description": "milliseconds of a clock that only goes forward"},
        version=_VERSION,
        step={"type": ["string", "null"], "description": "`reveal` while 3-2-1 is counted; null: nothing is timed"},
        seats={"type": "array", "items": {"type": "string"}},
        mode={"enum": list(Strictness)},
        running={"type": "boolean"},
        held={"enum": ["", "by hand", "restart"]},
        ends_at_ms=moment,
        lead_ends_at_ms=moment,
        limit_ms=ms,
        spent_ms=ms,
        ready={"type": "array", "items": {"type": "string"}},
        bank_mode={"enum": list(Strictness)},
        banks={
            "type": "array",
            "items": _bank(moment),
            "description": "in the order of the seats; empty: none",
        },
    )


def _bank(moment: Json) -> Json:
    """Describe the remaining time of a player's bank."""
    return _object(
        ["seat", "left_ms", "waits", "ends_at_ms"],
        seat={"type": "string"},
        left_ms={"type": "integer", "description": "below 0 once it is empty"},
        waits={"type": "boolean", "description": "the table waits for this player"},
        ends_at_ms=moment,
    )


def _one_of(declared: Mapping[str, Declaration[Any]]) -> Json:
    """Describe a body with one of the *declared* commands and its parameters."""
    return _object(["deed"], deed={"enum": sorted(declared)}) | {
        "additionalProperties": True,
        "description": ", ".join(each.in_short for each in declared.values()),
        "oneOf": [declared[word].schema for word in sorted(declared)],
    }


def _measured() -> Json:
    """Describe the paths of the ring."""
    ring_schema = _object(["ring", "instrument"], ring={"type": "object"}, instrument={"type": "object"})
    list_schema = _object(["calibrations"], calibrations={"type": "array", "items": {"type": "object"}})
    return {
        "/api/v1/ring": {"get": _look("How the ring is, and everything its page shows.", ring_schema)},
        "/api/v1/calibrations": {"get": _look("The saved calibrations, without their readings.", list_schema)},
        "/api/v1/ring/deeds": {
            "post": _host("One step of teaching or checking the ring done.", "200", ring_schema, *_CHANGES)
            | {"requestBody": _body(_one_of(CALIBRATION_COMMANDS))},
        },
    }


def _health() -> Json:
    thread = _object(
        ["name", "state", "last_error", "restarts"],
        name={"type": "string"},
        state={"enum": [str(state) for state in ThreadState]},
        last_error={"type": "string", "description": "the type of its newest error, empty without one"},
        restarts={"type": "integer", "minimum": 0},
    )
    link = _object(
        ["name", "connected", "trouble", "behind"],
        name={"type": "string"},
        connected={"type": "boolean"},
        trouble={"type": "string", "description": "what is wrong and what to do, empty if all is well"},
        behind={"type": "integer", "minimum": 0, "description": "rows that the other side does not have yet"},
    )
    return _object(
        ["status", "version", "kept", "ring", "program", "threads", "links"],
        status={"const": "ok"},
        version=_VERSION,
        kept={"type": "boolean", "description": "false while the storage takes nothing"},
        ring={"enum": ["none", "searching", "live", "silent", "refused"]},
        program={"type": "string", "description": "the version of the program that runs"},
        threads={
            "type": "array",
            "items": thread,
            "description": "the threads of the program; one that waits or has failed does not do its work now",
        },
        links={"type": "array", "items": link, "description": "the connections to a club and to a home"},
    )


def _done() -> Json:
    deed = _one_of(COMMANDS)
    return {
        "/api/v1/games": {
            "get": _look("The games of the ledger.", _object(["games"], games={"type": "array"})),
            "post": _host("A new game on the table.", "201", _CHANGED, *_CHANGES)
            | {"requestBody": _body({"type": "object", "description": "the header of a table record"})},
        },
        "/api/v1/commands": {
            "post": _host("One command done.", "200", _CHANGED, "412", *_CHANGES)
            | {"description": _SEAT, "requestBody": _body(_LINE), "parameters": [_IF_MATCH]},
        },
        "/api/v1/deeds": {
            "post": _host("One deed that isn't a move: pause, answer, undo ...", "200", _CHANGED, "412", *_CHANGES)
            | {"description": _SEAT, "requestBody": _body(deed), "parameters": [_IF_MATCH]},
        },
    }


def _records() -> Json:
    game_id: Json = {"name": "game_id", "in": "path", "required": True, "schema": {"type": "integer"}}
    flag: Json = {"type": "boolean"}
    taken = _object(["game_id", "new", "differs"], game_id={"type": "integer"}, new=flag, differs=flag)
    take_in = _host("A whole record imported, or nothing.", "201", taken, *_CHANGES)
    take_in["responses"]["200"] = take_in["responses"]["201"] | {
        "description": "A game of this `id` is here already; nothing changed. It may differ from the record."
    }
    return {
        "/api/v1/import": {"post": take_in | {"requestBody": _body(_RECORD, "application/x-ndjson")}},
        "/api/v1/record": {
            "get": _host("The live game's record.", "200", _RECORD, "409", "404", kind="application/x-ndjson")
        },
        "/games/{game_id}/record": {
            "get": _by_browsers(_host("One game's record.", "200", _RECORD, "400", "404", kind="application/x-ndjson"))
            | {"parameters": [game_id]}
        },
    }


def _events() -> Json:
    stream: Json = {
        "type": "string",
        "description": "`hello` (heartbeat_s, version, house: another word after each start), "
        "`table` (version, kept; its id is the version), `ring` (no id) and `beat` when nothing else was said for "
        "heartbeat_s. Only the newest of each kind is ever sent.",
    }
    last: Json = {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}}
    return _look("News of every change, as server-sent events.", stream, "text/event-stream") | {"parameters": [last]}


def description() -> Json:
    """Return the OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ring companion",
            "version": "1",
            "description": "One table and its live game. Everything that changes it goes through these rights: "
            "anybody may look, a seat acts for itself, the host and tokens for all.",
        },
        "paths": _paths(),
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "the file `token` in the data folder"},
                "session": {"type": "apiKey", "in": "cookie", "name": "companion"},
                "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token"},
            }
        },
    }

"""Ledgers with valid checksums and content that the companion cannot have written, imported in every way.

`KINDS` are pairs (name, make): make gets the path of a valid ledger and forges it, with valid checksums. `python -m
tests.damage.hostile_contents` tests all of them and prints one JSON line; it fails on a page with an error, a
traceback, a ledger changed by a refused import, and a lost name of an own game.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from flask.testing import FlaskClient

from companion.app.cli.main import main as companion
from companion.app.people import StoredPeople
from companion.games.registry import GAMES
from companion.ledger import Ledger, LedgerFault, canonical
from companion.ledger.row import COLUMNS, digest_of, name_digest
from companion.ledger.writer import newest_path
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.damage.evenings import RECORDS, SHORT, kept, played
from web import HostPin, make_app
from web.games.registry import COVERS

Make = Callable[[Path], None]
_ROWS = f"SELECT {COLUMNS} FROM row ORDER BY id"  # noqa: S608 - the columns are ours
FIRST = 1
"""A game that both ledgers have."""
YEAR_5000 = 95_617_584_000_000


@contextmanager
def forged(path: Path) -> Iterator[sqlite3.Connection]:
    """Change rows of the ledger at *path* in any way, and give all of them valid checksums."""
    connection = sqlite3.connect(path)
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    yield connection
    heads: dict[object, object] = {}
    for columns in connection.execute(_ROWS).fetchall():
        heads[columns[1]] = digest_of(heads.get(columns[1]), columns)
        connection.execute("UPDATE row SET digest = ? WHERE id = ?", (heads[columns[1]], columns[0]))
    for game, place, text in connection.execute("SELECT game, place, text FROM name").fetchall():
        digest = None if text is None else name_digest(game, place, text)
        connection.execute("UPDATE name SET digest = ? WHERE game = ? AND place = ?", (digest, game, place))
    for _, sql in triggers:
        connection.execute(sql)
    connection.commit()
    connection.close()
    newest_path(path).unlink(missing_ok=True)


def newest_game(connection: sqlite3.Connection) -> int:
    """Return the newest game, which only the other ledger has."""
    return int(connection.execute("SELECT max(id) FROM row WHERE kind = 'game'").fetchone()[0])


def name_is(text: str | None, path: Path) -> None:
    """Replace a player's name by *text*, which should be JSON."""
    with forged(path) as ledger:
        ledger.execute("UPDATE name SET text = ? WHERE game = ? AND place = 0", (text, newest_game(ledger)))


def outsider_is(text: str, path: Path) -> None:
    """Add a name outside of games with *text*, which should be JSON."""
    with forged(path) as ledger:
        ledger.execute("INSERT INTO name VALUES (0, 77, ?, NULL)", (text,))


def header_has(change: Callable[[dict[str, Any]], object], path: Path) -> None:
    """Change the header of the newest game."""
    body_has(change_header(change), "kind = 'game'", path)


def change_header(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], object]:
    """Return a change of a body that applies *change* to its header."""
    return lambda body: change(body["header"])


def body_has(change: Callable[[dict[str, Any]], object], which: str, path: Path) -> None:
    """Change the body of the last row of the newest game that matches the SQL condition *which*."""
    with forged(path) as ledger:
        chosen = f"SELECT id, body FROM row WHERE game = ? AND {which} ORDER BY id DESC LIMIT 1"  # noqa: S608
        number, text = ledger.execute(chosen, (newest_game(ledger),)).fetchone()
        body = json.loads(text)
        change(body)
        ledger.execute("UPDATE row SET body = ? WHERE id = ?", (json.dumps(body), number))


def body_is(text: str, which: str, path: Path) -> None:
    """Replace a body by *text*, which may be invalid JSON."""
    with forged(path) as ledger:
        chosen = f"SELECT max(id) FROM row WHERE game = ? AND {which}"  # noqa: S608
        (number,) = ledger.execute(chosen, (newest_game(ledger),)).fetchone()
        ledger.execute("UPDATE row SET body = ? WHERE id = ?", (text, number))


def column_is(column: str, value: object, which: str, path: Path) -> None:
    """Put any value into a column."""
    with forged(path) as ledger:
        chosen = f"SELECT max(id) FROM row WHERE game = ? AND {which}"  # noqa: S608
        (number,) = ledger.execute(chosen, (newest_game(ledger),)).fetchone()
        ledger.execute(f"UPDATE row SET {column} = ? WHERE id = ?", (value, number))  # noqa: S608


def row_more(kind: str, word: str, body: object, path: Path, **columns: object) -> None:
    """Add a row at the end of the newest game, or of no game."""
    with forged(path) as ledger:
        (last,) = ledger.execute("SELECT max(id) FROM row").fetchone()
        found = {
            "id": last + 1,
            "game": newest_game(ledger),
            "kind": kind,
            "word": word,
            "who": "host",
            "via": "tablet",
            "at_ms": 9_000_000,
            "step_ms": 0,
            "wall_ms": 1_800_000_000_000,
            "digest": b"",
            "body": body if isinstance(body, str) else json.dumps(body),
            **columns,
        }
        marks = ", ".join("?" * len(found))
        row = f"INSERT INTO row ({', '.join(found)}) VALUES ({marks})"  # noqa: S608
        ledger.execute(row, tuple(found.values()))


def meta_is(name: str, text: str, path: Path) -> None:
    """Put a value into the ledger's meta table."""
    with forged(path) as ledger:
        ledger.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, text))


def names_gone(path: Path) -> None:
    """Remove all names of the game that both ledgers have."""
    with forged(path) as ledger:
        ledger.execute("UPDATE name SET text = NULL WHERE game = ?", (FIRST,))


def names_others(path: Path) -> None:
    """Change a name of the game that both ledgers have, with the date 5000."""
    with forged(path) as ledger:
        (identity,) = ledger.execute("SELECT json_extract(body, '$.id') FROM row WHERE id = ?", (FIRST,)).fetchone()
        ledger.execute("UPDATE name SET text = ? WHERE game = ? AND place = 0", ('"Zzz"', FIRST))
        changes = {"removed": {}, "given": [[identity, 0, YEAR_5000]]}
        ledger.execute("INSERT OR REPLACE INTO meta VALUES ('names', ?)", (json.dumps(changes),))


def removed_from(name: str, at: object) -> str:
    """Return the stored form of the removal of a *name*."""
    from companion.ledger.renaming import mark

    return json.dumps({"removed": {mark(name): at}, "given": []})


def player(at: int, field_name: str, value: object) -> Callable[[dict[str, Any]], object]:
    """Return a change of one field of a player in a header."""
    return lambda header: header["players"][at].update({field_name: value})


def has(**fields: object) -> Callable[[dict[str, Any]], object]:
    """Return a change that sets fields."""
    return lambda body: body.update(fields)


DEEP = "[" * 30_000 + "]" * 30_000
LINE, PLAYED = "kind = 'line' AND undoes IS NULL", "kind = 'line' AND body LIKE '%events%'"
NAMES = {
    "half a character": '"Ana\\ud800"',
    "two wrong halves": '"\\udc00\\ud800"',
    "a zero": '"A\\u0000na"',
    "a line end": '"A\\nna"',
    "a terminal's order": '"\\u001b[2J"',
    "turned around": '"Ana\\u202e"',
    "isolated": '"\\u2066Ana"',
    "no character": '"Ana\\uffff"',
    "private": '"\\ue000"',
    "invisible": '"\\u200b\\u200b"',
    "a filler": '"\\u3164"',
    "nothing": '""',
    "blanks": '"   "',
    "very long": json.dumps("x" * 300_000),
    "heaps of accents": json.dumps("a" + "\u0301" * 5000),
    "a number": "5",
    "too large a number": "1e999",
    "a huge number": "9" * 5000,
    "not a number": "NaN",
    "a list": '["Ana"]',
    "an object": '{"name": "Ana"}',
    "nested deeply": DEEP,
    "no JSON": "Ana",
    "markup": '"<script>alert(1)</script>\\u2028"',
}
HEADERS: dict[str, Callable[[dict[str, Any]], object]] = {
    "no players": has(players=[]),
    "players that are no list": has(players={"red": "Ana"}),
    "a player that is no object": has(players=["Ana", 5, None]),
    "two of one colour": lambda header: header["players"][1].update(colour=header["players"][0]["colour"]),
    "a colour that is a list": player(0, "colour", ["red"]),
    "a colour with half a character": player(0, "colour", "red\ud800"),
    "a colour as long as a book": player(0, "colour", "r" * 100_000),
    "a name whose place is not there": player(0, "name", 99),
    "a name whose place is below nothing": player(0, "name", -1),
    "a name whose place is beyond all numbers": player(0, "name", 10**30),
    "a name that is true": player(0, "name", True),
    "a name that is a half": player(0, "name", 0.5),
    "a name that is no place": player(0, "name", {"a": 1}),
    "an unknown game": has(game="chess"),
    "a game that is a number": has(game=7),
    "a record of something else": has(record="poem"),
    "a record of the future": has(version=99),
    "somebody else first": has(first="purple"),
    "rulings that are none": has(options={"tech4_rounds_up": 1e308}),
    "a board with half a character": has(
        board={"planets": [{"id": f"p{at}", "label": "\ud800", "centres": [9, 7, 5]} for at in range(1, 8)]}
    ),
    "a board of huge numbers": has(
        board={"planets": [{"id": f"p{at}", "label": "A", "centres": [10**30, 7, 5]} for at in range(1, 8)]}
    ),
    "a seed without end": has(seed=10**400),
    "a field more": has(more=1),
    "an id in its header": has(id="x"),
}
BODIES = {
    "a list": "[]",
    "a text": '"text"',
    "null": "null",
    "nothing": "",
    "nested deeply": f'{{"line": {DEEP}}}',
    "nested somewhat": '{"line": ' + '{"do": ' * 60 + "1" + "}" * 60 + "}",
    "not a number": '{"line": {"do": NaN}}',
    "too large a number": '{"line": {"do": "deal"}, "events": [{"event": 1e999}]}',
    "a huge number": f'{{"line": {{"do": "deal", "at": {"9" * 4000}}}}}',
    "digits without end": f'{{"line": {{"do": "deal", "at": {"9" * 6000}}}}}',
}
LINES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no line": lambda body: body.pop("line"),
    "a line that is no object": has(line=5),
    "a command that is not there": lambda body: body["line"].update(do="fly away"),
    "a command that is a number": lambda body: body["line"].update(do=3),
    "no events": lambda body: body.pop("events"),
    "events that are no list": has(events={"a": 1}),
    "an event that is no object": has(events=[5]),
    "an event that is not there": has(events=[{"event": "gone"}]),
    "an event without a word": has(events=[{}]),
    "a note that is a number": has(note=5),
    "a note with half a character": has(note="\ud800"),
    "a field more": has(more=1),
}
EVENTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "colours that don't play": lambda body: _swapped(body, ("red", "blue", "green"), "purple"),
    "planets that aren't there": lambda body: _swapped(body, tuple(f"p{at}" for at in range(1, 8)), "p99"),
    "numbers below nothing": lambda body: _numbers(body, -5),
    "numbers above all": lambda body: _numbers(body, 10**25),
    "halves of numbers": lambda body: _numbers(body, 0.5),
}


def _swapped(body: dict[str, Any], old: tuple[str, ...], new: str) -> None:
    text = json.dumps(body["events"])
    for each in old:
        text = text.replace(f'"{each}"', f'"{new}"')
    body["events"] = json.loads(text)


def _numbers(body: dict[str, Any], value: float) -> None:
    def anew(found: Any) -> Any:
        match found:
            case bool():
                return found
            case int():
                return value
            case dict():
                return {name: anew(each) for name, each in found.items()}
            case list():
                return [anew(each) for each in found]
            case _:
                return found

    body["events"] = anew(body["events"])


OUTSIDE = {"game": None}
TEXT = {"pattern": "%(nobody)s %d", "fills": {}}
MORE: dict[str, tuple[str, str, object, dict[str, object]]] = {
    "an unknown kind": ("poem", "said", {}, {}),
    "an unknown word": ("moment", "danced", {}, {}),
    "a second header": ("game", "opened", {"header": {}, "rules": "1"}, {}),
    "a line of no game": ("line", "deal", {"line": {"do": "deal"}, "events": []}, OUTSIDE),
    "a game that is not there": ("moment", "switched", {}, {"game": 4_000_000}),
    "an undo of what is not there": ("line", "undo", {"line": {"do": "undo"}}, {"undoes": 999_999}),
    "an undo of itself": ("line", "undo", {"line": {"do": "undo"}}, {"undoes": 1}),
    "a seat that is not there leaves": ("moment", "left", {"seat": "purple"}, {}),
    "a seat with half a character returns": ("moment", "returned", {"seat": "\ud800"}, {}),
    "abandoned for half a character": ("moment", "abandoned", {"reason": "\ud800"}, {}),
    "abandoned for a number": ("moment", "abandoned", {"reason": 5}, {}),
    "a pace without sense": ("clock", "pace", {"pace": {"limits": 5}, "version": 1}, {}),
    "held by half a character": ("clock", "held", {"why": "\ud800"}, {}),
    "a seed that is none": ("moment", "sealed", {"seed": "x"}, {}),
    "a lot that is none": ("moment", "lot", {"lot": 5}, {}),
    "words for no seed": ("moment", "words", {"words": "\ud800"}, {}),
    "a ring that is none": ("ring", "out", {"at_us": -1, "token": 10**30, "raw": [5], "detail": {}}, {}),
    "a ring without a name": ("ring", "out", {"at_us": 1, "token": 1, "raw": [], "detail": {}}, {}),
    "a judgement of nothing": ("judgement", "first", {"colour": 5, "ranking": [["red", 7e300]]}, {"ring": 1}),
    "a passage that waits nowhere": ("passage", "asked", {"question": {"id": 5}}, {"ring": 5}),
    "a sentence without its fills": ("passage", "surplus", {"text": "x", "said": TEXT}, {"ring": 1}),
    "an answer to nothing": ("answer", "answered", {"chosen": "\ud800"}, {"ring": 999_999}),
    "a copy of no game": ("copy", "kept", {"name": "A", "game": "chess", "board": None, "colours": {}}, OUTSIDE),
    "a copy with half a name": (
        *("copy", "kept", {"name": "\ud800", "game": "andromeda", "board": None, "colours": {"red": "a", "blue": "b"}}),
        OUTSIDE,
    ),
    "a copy with a board of nonsense": (
        *("copy", "kept", {"name": "A", "game": "andromeda", "board": {"a": 1}, "colours": {"red": "a", "blue": "b"}}),
        OUTSIDE,
    ),
    "a calibration without a copy": ("calibration", "kept", {"passes": 5}, OUTSIDE),
    "a calibration with half a copy": ("calibration", "kept", {"copy": "\ud800", "device": "x"}, OUTSIDE),
    "a pace kept for nothing": ("clock", "kept", {"game": "andromeda", "pace": {"limits": {"x": 5}}}, OUTSIDE),
    "a poem of no game": ("poem", "said", {}, OUTSIDE),
    "a copy within a game": ("copy", "used", {"name": "A"}, {}),
}
COLUMNS_OF: dict[str, tuple[str, object]] = {
    "a place that is not there": ("who", "#99"),
    "a place below nothing": ("who", "#-1"),
    "a place beyond all numbers": ("who", "#" + "9" * 25),
    "a place without an end": ("who", "#" + "9" * 5000),
    "a person who was never named": ("who", "Mallory\u202e"),
    "nobody": ("who", ""),
    "bytes": ("who", b"\xed\xa0\x80"),
    "a name as long as a book": ("who", "x" * 100_000),
    "by a line end": ("via", "tab\nlet"),
    "by a book": ("via", "x" * 100_000),
    "by bytes": ("via", b"\xff"),
    "before the game": ("at_ms", -5),
    "after the end of time": ("at_ms", 2**62),
    "at a word": ("step_ms", "noon"),
    "in the year 40000": ("wall_ms", 1_200_000_000_000_000),
    "on a day that is none": ("wall_ms", -1),
    "of a ring that is a word": ("ring", "gold"),
    "undoing a word": ("undoes", "it"),
    "a body of bytes": ("body", b"{}"),
}
METAS = {
    "names that are no JSON": ("names", "{"),
    "names that are a list": ("names", "[]"),
    "names of infinite days": ("names", '{"removed": {"' + "0" * 32 + '": 1e999}, "given": []}'),
    "names of no day": ("names", '{"removed": {"x": null}, "given": []}'),
    "names nested deeply": ("names", f'{{"removed": {DEEP}, "given": []}}'),
    "names given nowhere": ("names", '{"removed": {}, "given": [[1, "x", []]]}'),
    "names of huge days": ("names", f'{{"removed": {{"{"0" * 32}": {"9" * 4000}}}, "given": []}}'),
    "merged from nowhere": ("merged", '[["a", 1e999]]'),
    "merged a thousand times": ("merged", json.dumps([[at, at] for at in range(1, 3000)])),
    "merged all of it": ("merged", "[[1, 1e999]]"),
    "a ledger without an identity": ("ledger", "\u202e"),
}

KINDS: list[tuple[str, Make]] = [
    *((f"a name: {name}", partial(name_is, text)) for name, text in NAMES.items()),
    *((f"a name outside: {name}", partial(outsider_is, text)) for name, text in list(NAMES.items())[:4]),
    *((f"a header: {name}", partial(header_has, change)) for name, change in HEADERS.items()),
    ("rules that are a number", partial(body_has, has(rules=5), "kind = 'game'")),
    ("an id that is a number", partial(body_has, has(id=5), "kind = 'game'")),
    ("an id that is a book", partial(body_has, has(id="f" * 100_000), "kind = 'game'")),
    ("no id", partial(body_has, lambda body: body.pop("id"), "kind = 'game'")),
    ("no header", partial(body_has, lambda body: body.pop("header"), "kind = 'game'")),
    *((f"a body: {name}", partial(body_is, text, LINE)) for name, text in BODIES.items()),
    *((f"a header's body: {name}", partial(body_is, text, "kind = 'game'")) for name, text in BODIES.items()),
    *((f"a line: {name}", partial(body_has, change, LINE)) for name, change in LINES.items()),
    *((f"events: {name}", partial(body_has, change, PLAYED)) for name, change in EVENTS.items()),
    *((f"one more: {name}", lambda path, row=row: row_more(*row[:3], path, **row[3])) for name, row in MORE.items()),
    *((f"a column: {name}", partial(column_is, *column, LINE)) for name, column in COLUMNS_OF.items()),
    *((f"a header's column: {name}", partial(column_is, *each, "kind = 'game'")) for name, each in COLUMNS_OF.items()),
    *((f"beside: {name}", partial(meta_is, *meta)) for name, meta in METAS.items()),
    ("our names removed in the year 5000", lambda path: meta_is("names", removed_from("Mia", YEAR_5000), path)),
    ("our names removed today", lambda path: meta_is("names", removed_from("Mia", 1_790_000_000_000), path)),
    ("our names gone", names_gone),
    ("our names others", names_others),
]
PAGES_OF_A_HOUSE = (
    *(
        "/",
        "/games",
        "/games?show=names",
        "/statistics",
        "/games?show=files",
        "/new",
        "/table",
        "/history",
        "/house/off",
        "/ring",
    ),
    *("/ring?show=calibrations", "/fairness", "/join", "/table/menu", "/screen", "/api/v1/state", "/api/v1/table"),
)
PAGES_OF_A_GAME = ("after", "files", "replay", "so-far", "record", "state.json", "verify", "again", "draws.zip")


@dataclass
class Seen:
    """The results of many trials."""

    trials: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    half: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether no fault was found."""
        return not (self.broken or self.tracebacks or self.half or self.names)

    def told(self) -> dict[str, Any]:
        """Return the totals for printing."""
        return {
            "kinds": len(KINDS),
            "trials": self.trials,
            "refused": self.refused,
            "broken pages": len(self.broken),
            "tracebacks": len(self.tracebacks),
            "half imports": len(self.half),
            "names lost": len(self.names),
        }


@dataclass(frozen=True)
class Houses:
    """A valid ledger of our own, and another one that has our games and more."""

    ours: Path
    theirs: Path
    content: str
    names: frozenset[str]


def houses(folder: Path) -> Houses:
    """Make two ledgers with common games; the other one has every kind of row."""
    ours, theirs = folder / "ours", folder / "theirs"
    ours.mkdir(), theirs.mkdir()
    played(ours)
    (folder / "kept").mkdir()
    evenings = kept(folder / "kept")
    (theirs / "kept.sqlite").write_bytes(evenings.ledger)
    path = Path(shutil.copy(ours / "ledger.sqlite", theirs / "ledger.sqlite"))
    _quiet(["merge", str(theirs / "kept.sqlite"), "--data", str(theirs)])
    with closing(Table(LiveGame(Ledger.open(path), GAMES, lambda: 1.0, Random(1)))) as table:
        lines = [json.loads(each) for each in (RECORDS / f"{SHORT[0]}.jsonl").read_text().splitlines()]
        table.importer.import_record(lines, Who("Dora", "import"))
    return Houses(ours / "ledger.sqlite", path, _content(ours), frozenset(_names(ours)))


def tried(kind: tuple[str, Make], pair: Houses, folder: Path, seen: Seen, doors: tuple[str, ...] = ()) -> None:
    """Forge the other ledger, import it in each way, and request every page."""
    name, make = kind
    hostile = folder / "hostile.sqlite"
    for door in doors or tuple(DOORS):
        data = folder / door
        data.mkdir(parents=True)
        shutil.copy(pair.ours, data / "ledger.sqlite")
        shutil.copy(pair.theirs, hostile)
        make(hostile)
        seen.trials += 1
        try:
            taken = DOORS[door](hostile, data)
        except Exception:
            seen.tracebacks.append(f"{name}, {door}: {traceback.format_exc()}")
            continue
        if not taken and door != "there":
            seen.refused += 1
            if _content(data) != pair.content:
                seen.half.append(f"{name}, {door}")
        else:
            # A refused file that changed nothing needs no look at the pages.
            seen.broken += [f"{name}, {door}: {each}" for each in broken_pages(data)]
        if door in ("merge", "upload") and (lost := pair.names - _names(data)):
            seen.names.append(f"{name}, {door}: {lost}")
        shutil.rmtree(data)


def _content(data: Path) -> str:
    with closing(Ledger.read_only(data / "ledger.sqlite")) as ledger:
        return canonical(ledger)


def _names(data: Path) -> set[str]:
    with closing(Ledger.read_only(data / "ledger.sqlite")) as ledger:
        return set(ledger.people())


def _quiet(arguments: list[str]) -> tuple[int, str]:
    """Run a command in this process; return its status and standard error, which has at most one line."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        status = companion(arguments)
    err.seek(0)
    said = err.read()
    assert said.count("\n") <= 1, said
    return status, said


def _tell(said: str) -> None:
    if os.environ.get("TELL"):
        print(said[:300], file=sys.stderr, end="")


def _merge(hostile: Path, data: Path) -> bool:
    status, said = _quiet(["merge", str(hostile), "--data", str(data)])
    _tell(said)
    assert status in (0, 2) and (status == 0 or str(hostile) in said), (status, said)
    return status == 0


def _restore(hostile: Path, data: Path) -> bool:
    status, said = _quiet(["restore", str(hostile), "--data", str(data)])
    _tell(said)
    assert status in (0, 2), (status, said)
    return status == 0


def _put_there(hostile: Path, data: Path) -> bool:
    shutil.copy(hostile, data / "ledger.sqlite")
    return True


def _upload(hostile: Path, data: Path) -> bool:
    with _visited(data) as visitor:
        token = (
            visitor.get("/games?show=files")
            .get_data(as_text=True)
            .partition('name="csrf" value="')[2]
            .partition('"')[0]
        )
        form = {"csrf": token, "file": (io.BytesIO(hostile.read_bytes()), "night.sqlite")}
        answer = visitor.post("/games/files", data=form, content_type="multipart/form-data", follow_redirects=True)
        text = answer.get_data(as_text=True)
        assert answer.status_code == 200, answer.status_code
        assert any(word in text for word in ("Nothing", "imported", "backup")), text
        return "imported." in text and "Nothing" not in text


DOORS: dict[str, Callable[[Path, Path], bool]] = {
    "merge": _merge,
    "upload": _upload,
    "restore": _restore,
    "there": _put_there,
}


@contextmanager
def _visited(data: Path) -> Iterator[FlaskClient]:
    """Open an app on a data folder, and return a client with the host's PIN."""
    table = Table(LiveGame(Ledger.open(data / "ledger.sqlite"), GAMES, monotonic, Random(5)))
    with closing(table):
        access = HostPin(data)
        people = StoredPeople(table, data, access.seats.rename)
        visitor = make_app(table, None, COVERS, access, monotonic, people=people).test_client()
        token = visitor.get("/pin").get_data(as_text=True).partition('name="csrf" value="')[2].partition('"')[0]
        visitor.post("/pin", data={"pin": access.pin, "csrf": token})
        yield visitor


def broken_pages(data: Path) -> list[str]:
    """Return the pages and commands that fail on a data folder."""
    broken = []
    try:
        with _visited(data) as visitor:
            numbers = [each["id"] for each in visitor.get("/api/v1/games").get_json()["games"]]
            # the newest games, where all forged rows are, and one valid game
            paths = [f"/games/{number}/{page}" for number in (*numbers[:3], FIRST) for page in PAGES_OF_A_GAME]
            for path in (*PAGES_OF_A_HOUSE, *paths):
                status = visitor.get(path).status_code
                broken += [f"{path}: {status}"] if status >= 500 else []
    except LedgerFault as fault:
        return [f"the house doesn't open: {fault}"]
    except Exception:
        return [*broken, traceback.format_exc()]
    for command in (["games"], ["games", "--json"], ["names", "list"], ["doctor"]):
        try:
            _quiet([*command, "--data", str(data)])
        except Exception:
            broken.append(f"{command}: {traceback.format_exc()}")
    return broken


def main() -> int:
    """Run all trials; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.damage.hostile_contents", description=__doc__)
    parser.add_argument("--only", default="", help="only kinds whose name contains this")
    parser.add_argument("--door", choices=tuple(DOORS), action="append", default=[])
    asked = parser.parse_args()
    seen = Seen()
    with tempfile.TemporaryDirectory(prefix="contents-") as folder:
        pair = houses(Path(folder))
        for at, kind in enumerate(KINDS):
            if asked.only in kind[0]:
                tried(kind, pair, Path(folder) / str(at), seen, tuple(asked.door))
    print(json.dumps(seen.told()))
    for fault in (*seen.broken, *seen.tracebacks, *seen.half, *seen.names):
        print(fault, file=sys.stderr)
    return 0 if seen.sound else 1


if __name__ == "__main__":
    sys.exit(main())

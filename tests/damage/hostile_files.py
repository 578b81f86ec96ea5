# ruff: noqa: S608 - the statements are written here
"""Files given as a ledger or a backup that are not valid ledgers.

`FILES` is a list of `(name, make)`: `make(path)` creates such a file at *path*, which does not exist before. Other
modules may add to it. A command that gets such a file answers in one sentence and does not change the ledger in its
data folder (`tests/damage/hostile.py`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.damage.evenings import played

Make = Callable[[Path], None]
FILES: list[tuple[str, Make]] = []
"""All hostile files by name."""
HEADER = 100
"""The size of SQLite's own header at the beginning of a file."""
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"


def hostile(make: Make) -> Make:
    """Add *make* to the list under its own name."""
    FILES.append((make.__name__.replace("_", " "), make))
    return make


@cache
def sound_ledger() -> bytes:
    """Return the bytes of a valid ledger of complete games."""
    with TemporaryDirectory(prefix="sound-") as folder:
        return played(Path(folder)).ledger


def changed(path: Path, *statements: str, **pragmas: object) -> None:
    """Write a valid ledger at *path*, and run SQL statements and pragmas on it."""
    path.write_bytes(sound_ledger())
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
        for name, value in pragmas.items():
            file.execute(f"PRAGMA {name} = {value}")
        for statement in statements:
            file.execute(statement)


def rewritten(path: Path, kind_and_name: str, sql: str) -> None:
    """Write a valid ledger at *path*, with the schema text of one part (such as `table row`) replaced by *sql*."""
    kind, name = kind_and_name.split()
    text = sql.replace("'", "''")
    changed(
        path,
        f"UPDATE sqlite_master SET sql = '{text}' WHERE type = '{kind}' AND name = '{name}'",
        writable_schema=1,
    )


def text_of(name: str) -> str:
    """Return the SQL statement that creates the part called *name*."""
    with closing(sqlite3.connect(":memory:")) as file:
        file.deserialize(sound_ledger().replace(b"\2\2", b"\1\1", 1))
        return str(file.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0])


def without_triggers(*statements: str) -> tuple[str, ...]:
    """Return *statements* between dropping the triggers that protect rows and creating them again."""
    names = ("row_stays", "row_remains")
    return (*(f"DROP TRIGGER {name}" for name in names), *statements, *map(text_of, names))


# Triggers


@hostile
def trigger_that_swallows_rows(path: Path) -> None:
    changed(path, "CREATE TRIGGER t BEFORE INSERT ON row BEGIN SELECT RAISE(IGNORE); END")


@hostile
def trigger_that_deletes_names(path: Path) -> None:
    changed(path, "CREATE TRIGGER t AFTER INSERT ON row BEGIN DELETE FROM name; END")


@hostile
def trigger_on_the_probe(path: Path) -> None:
    changed(path, "CREATE TRIGGER t BEFORE UPDATE ON probe BEGIN SELECT RAISE(IGNORE); END")


@hostile
def trigger_that_never_ends(path: Path) -> None:
    changed(path, f"CREATE TRIGGER t AFTER UPDATE ON probe BEGIN {ENDLESS} count(*) FROM n; END")


@hostile
def trigger_of_ours_that_does_nothing(path: Path) -> None:
    changed(path, "DROP TRIGGER row_stays", "CREATE TRIGGER row_stays BEFORE UPDATE ON row BEGIN SELECT 1; END")


@hostile
def trigger_of_ours_missing(path: Path) -> None:
    changed(path, "DROP TRIGGER row_remains")


# Views and tables that replace ours


@hostile
def view_named_row_that_never_ends(path: Path) -> None:
    changed(
        path,
        "DROP TABLE row",
        f"CREATE VIEW row AS {ENDLESS} i AS id, 1 AS game, 'game' AS kind, 'opened' AS word, 'host' AS who, '' AS via, "
        "0 AS at_ms, 0 AS step_ms, 0 AS wall_ms, '{}' AS body, NULL AS ring, NULL AS undoes, NULL AS device, "
        "NULL AS boot, NULL AS seq, x'00' AS digest FROM n",
    )


@hostile
def view_named_name_that_never_ends(path: Path) -> None:
    changed(
        path,
        "DROP TABLE name",
        f"CREATE VIEW name AS {ENDLESS} i AS game, 0 AS place, '\"Ana\"' AS text, x'00' AS digest FROM n",
    )


@hostile
def view_named_meta_that_never_ends(path: Path) -> None:
    changed(path, "DROP TABLE meta", f"CREATE VIEW meta AS {ENDLESS} 'ledger' AS name, i AS value FROM n WHERE i < 0")


@hostile
def view_named_probe(path: Path) -> None:
    changed(path, "DROP TABLE probe", "CREATE VIEW probe AS SELECT 1 AS id, 0 AS mark")


@hostile
def view_more_than_ours(path: Path) -> None:
    changed(path, "CREATE VIEW harmless AS SELECT * FROM row")


@hostile
def table_more_than_ours(path: Path) -> None:
    changed(path, "CREATE TABLE notes (text TEXT)")


@hostile
def table_missing(path: Path) -> None:
    changed(path, "DROP TABLE name")


@hostile
def table_named_in_capitals(path: Path) -> None:
    changed(path, "ALTER TABLE row RENAME TO r", "ALTER TABLE r RENAME TO ROW")


@hostile
def table_of_rows_before_that_is_another(path: Path) -> None:
    changed(path, "CREATE TABLE row_of_before (id INTEGER PRIMARY KEY, why TEXT)")


@hostile
def virtual_table(path: Path) -> None:
    changed(path, "CREATE VIRTUAL TABLE search USING fts5(text)")


@hostile
def virtual_table_named_name(path: Path) -> None:
    changed(path, "DROP TABLE name", "CREATE VIRTUAL TABLE name USING fts5(game, place, text, digest)")


@hostile
def virtual_table_of_pages(path: Path) -> None:
    changed(path, "DROP TABLE probe", "CREATE VIRTUAL TABLE probe USING dbstat(main)")


@hostile
def virtual_table_of_an_unknown_kind(path: Path) -> None:
    rewritten(path, "table probe", "CREATE VIRTUAL TABLE probe USING nothing(1)")


@hostile
def statistics_of_sqlite(path: Path) -> None:
    changed(path, "ANALYZE", "UPDATE sqlite_stat1 SET stat = '1 1 1 1 1 unordered sz=1'")


# Changed columns, checks and indexes


@hostile
def column_more(path: Path) -> None:
    changed(path, "ALTER TABLE row ADD COLUMN more TEXT DEFAULT 'x'")


@hostile
def column_that_is_made_up(path: Path) -> None:
    changed(path, "ALTER TABLE name ADD COLUMN more AS (upper(text))")


@hostile
def column_of_another_type(path: Path) -> None:
    rewritten(path, "table row", text_of("row").replace("word TEXT", "word BLOB"))


@hostile
def column_of_another_collation(path: Path) -> None:
    rewritten(path, "table row", text_of("row").replace("word TEXT NOT NULL", "word TEXT COLLATE NOCASE NOT NULL"))


@hostile
def column_with_an_unknown_collation(path: Path) -> None:
    rewritten(path, "table row", text_of("row").replace("word TEXT NOT NULL", "word TEXT COLLATE theirs NOT NULL"))


@hostile
def column_with_a_default(path: Path) -> None:
    rewritten(path, "table row", text_of("row").replace("via TEXT NOT NULL", "via TEXT NOT NULL DEFAULT 'x'"))


@hostile
def column_without_its_check(path: Path) -> None:
    rewritten(path, "table row", text_of("row").replace(" CHECK (json_valid(body))", ""))


@hostile
def check_that_always_fails(path: Path) -> None:
    rewritten(path, "table row", text_of("row").replace("CHECK (json_valid(body))", "CHECK (0)"))


@hostile
def check_that_takes_for_ever(path: Path) -> None:
    much = "length(randomblob(900000000)) > 0"
    rewritten(path, "table row", text_of("row").replace("CHECK (json_valid(body))", f"CHECK ({much})"))


@hostile
def foreign_key_that_takes_along(path: Path) -> None:
    sql = text_of("probe").replace("mark INTEGER", "mark INTEGER REFERENCES row (id) ON DELETE CASCADE")
    rewritten(path, "table probe", sql)


@hostile
def table_that_is_strict(path: Path) -> None:
    rewritten(path, "table meta", text_of("meta").replace("WITHOUT ROWID", "STRICT, WITHOUT ROWID"))


@hostile
def table_without_row_numbers(path: Path) -> None:
    changed(path, "DROP TABLE probe", f"{text_of('probe')} WITHOUT ROWID", "INSERT INTO probe VALUES (1, 0)")


@hostile
def table_with_row_numbers(path: Path) -> None:
    changed(
        path,
        "CREATE TABLE m AS SELECT * FROM meta",
        "DROP TABLE meta",
        text_of("meta").replace(" WITHOUT ROWID", ""),
        "INSERT INTO meta SELECT * FROM m",
        "DROP TABLE m",
    )


@hostile
def rows_that_conflict_are_replaced(path: Path) -> None:
    key = "id INTEGER PRIMARY KEY"
    rewritten(path, "table row", text_of("row").replace(key, f"{key} ON CONFLICT REPLACE"))


@hostile
def index_on_an_expression(path: Path) -> None:
    changed(path, "CREATE INDEX more ON row (json_extract(body, '$.id'))")


@hostile
def index_that_is_unique(path: Path) -> None:
    changed(path, "CREATE UNIQUE INDEX more ON row (word, at_ms, id)")


@hostile
def index_of_ours_on_other_columns(path: Path) -> None:
    changed(path, "DROP INDEX row_by_game", "CREATE INDEX row_by_game ON row (id)")


@hostile
def index_of_ours_for_other_rows(path: Path) -> None:
    changed(path, "DROP INDEX row_first", "CREATE INDEX row_first ON row (id) WHERE kind = 'game' AND id > 1")


@hostile
def index_of_ours_missing(path: Path) -> None:
    changed(path, "DROP INDEX row_heard_once")


@hostile
def index_that_leads_to_another_table(path: Path) -> None:
    changed(
        path,
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'row_first') "
        "WHERE name = 'row_live'",
        writable_schema=1,
    )


@hostile
def table_that_leads_to_nothing(path: Path) -> None:
    changed(path, "UPDATE sqlite_master SET rootpage = 100000 WHERE name = 'name'", writable_schema=1)


@hostile
def table_there_twice(path: Path) -> None:
    changed(
        path,
        "INSERT INTO sqlite_master SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE name = 'meta'",
        writable_schema=1,
    )


@hostile
def schema_that_is_no_sql(path: Path) -> None:
    rewritten(path, "table row", "CREATE TABLE row (" + "(" * 5000)


@hostile
def schema_of_a_million_letters(path: Path) -> None:
    rewritten(path, "index row_live", text_of("row_live") + " " * 1_000_000)


# The file's identification and version


@hostile
def mark_of_another_program(path: Path) -> None:
    changed(path, application_id=7)


@hostile
def mark_of_no_program(path: Path) -> None:
    changed(path, application_id=0)


@hostile
def version_nought(path: Path) -> None:
    changed(path, user_version=0)


@hostile
def version_below_nought(path: Path) -> None:
    changed(path, user_version=-1)


@hostile
def version_of_the_first_shape(path: Path) -> None:
    changed(path, user_version=1)


@hostile
def version_of_the_future(path: Path) -> None:
    changed(path, user_version=3)


@hostile
def version_of_no_time(path: Path) -> None:
    changed(path, user_version=2**31 - 1)


@hostile
def texts_in_utf_16(path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as sound:
        sound.deserialize(sound_ledger().replace(b"\2\2", b"\1\1", 1))
        with closing(sqlite3.connect(path)) as file:
            file.execute("PRAGMA encoding = 'UTF-16'")
            file.executescript("\n".join(line for line in sound.iterdump() if "sqlite_sequence" not in line))
            file.execute(f"PRAGMA application_id = {0x52C0_1999}")
            file.execute("PRAGMA user_version = 2")


@hostile
def texts_said_to_be_utf_16(path: Path) -> None:
    _patched(path, 56, (2).to_bytes(4, "big"))


@hostile
def pages_said_to_be_of_another_size(path: Path) -> None:
    _patched(path, 16, (512).to_bytes(2, "big"))


@hostile
def format_that_nobody_can_write(path: Path) -> None:
    _patched(path, 18, b"\x09\x09")


def _patched(path: Path, at: int, value: bytes) -> None:
    data = bytearray(sound_ledger())
    data[at : at + len(value)] = value
    path.write_bytes(data)


# Values outside of the rows


@hostile
def sequence_at_its_end(path: Path) -> None:
    changed(path, f"UPDATE sqlite_sequence SET seq = {2**63 - 1}")


@hostile
def sequence_that_is_a_text(path: Path) -> None:
    changed(path, "UPDATE sqlite_sequence SET seq = 'x'")


@hostile
def sequence_of_another_table(path: Path) -> None:
    changed(path, "INSERT INTO sqlite_sequence VALUES ('theirs', 1)")


@hostile
def row_at_the_last_number(path: Path) -> None:
    changed(path, *without_triggers(f"UPDATE row SET id = {2**63 - 1} WHERE id = (SELECT max(id) FROM row)"))


@hostile
def row_below_nought(path: Path) -> None:
    changed(path, *without_triggers("UPDATE row SET id = -5 WHERE id = (SELECT max(id) FROM row)"))


@hostile
def probe_gone(path: Path) -> None:
    changed(path, "DELETE FROM probe")


@hostile
def identity_of_no_kind(path: Path) -> None:
    changed(path, f"UPDATE meta SET value = '{'x' * 100_000}' WHERE name = 'ledger'")


@hostile
def identity_of_two_lines(path: Path) -> None:
    changed(path, "UPDATE meta SET value = 'a' || char(10) || 'b' WHERE name = 'ledger'")


@hostile
def merges_beyond_number(path: Path) -> None:
    spans = ", ".join(f"[{number}, {number}]" for number in range(1, 100_000))
    changed(path, f"INSERT INTO meta VALUES ('merged', '[{spans}]')")


@hostile
def merges_in_their_thousands(path: Path) -> None:
    spans = ", ".join(f"[{number}, {number}]" for number in range(5001, 9001, 2))
    changed(path, f"INSERT INTO meta VALUES ('merged', '[{spans}]')")


@hostile
def identity_gone(path: Path) -> None:
    changed(path, "DELETE FROM meta WHERE name = 'ledger'")


@hostile
def value_of_a_hundred_million_bytes(path: Path) -> None:
    changed(path, "INSERT INTO meta VALUES ('much', zeroblob(100000000))")


@hostile
def body_of_fifty_million_bytes(path: Path) -> None:
    much = "'{\"x\":\"' || printf('%.*c', 50000000, 'x') || '\"}'"
    changed(path, *without_triggers(f"UPDATE row SET body = {much} WHERE id = 1"))


# Files that are not ledgers


@hostile
def file_without_a_byte(path: Path) -> None:
    path.touch()


@hostile
def file_of_noughts(path: Path) -> None:
    path.write_bytes(bytes(65_536))


@hostile
def file_of_a_header_alone(path: Path) -> None:
    path.write_bytes(sound_ledger()[:HEADER])


@hostile
def file_of_one_page(path: Path) -> None:
    path.write_bytes(sound_ledger()[:4096])


@hostile
def file_cut_in_half(path: Path) -> None:
    path.write_bytes(sound_ledger()[: len(sound_ledger()) // 8192 * 4096])


@hostile
def file_of_text(path: Path) -> None:
    path.write_text('{"game": "andromeda"}\n', encoding="utf-8")


@hostile
def database_of_nothing(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("VACUUM")


@hostile
def database_of_somebody_else(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE address (name TEXT, street TEXT)")


@hostile
def summaries_of_games(path: Path) -> None:
    from companion.statistics.store import store_of

    with TemporaryDirectory(prefix="summaries-") as folder:
        store = store_of(Path(folder) / "ledger.sqlite")
        store.leave_no_trace()
        store.close()
        path.write_bytes((Path(folder) / "summaries.sqlite").read_bytes())


@hostile
def folder(path: Path) -> None:
    path.mkdir()


@hostile
def pipe_that_nobody_fills(path: Path) -> None:
    os.mkfifo(path)


@hostile
def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


@hostile
def link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("nothing"))


@hostile
def link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@hostile
def link_to_what_the_kernel_tells(path: Path) -> None:
    path.symlink_to("/proc/self/environ")


@hostile
def log_beside_that_is_another_s(path: Path) -> None:
    """Put another -wal file next to a valid ledger, which SQLite would apply to the ledger."""
    changed(path, "CREATE TRIGGER t BEFORE INSERT ON row BEGIN SELECT RAISE(IGNORE); END", journal_mode="WAL")
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("CREATE TRIGGER u BEFORE UPDATE ON probe BEGIN SELECT RAISE(IGNORE); END")
        log = path.with_name(path.name + "-wal").read_bytes()
    path.write_bytes(sound_ledger())
    path.with_name(path.name + "-wal").write_bytes(log)


@hostile
def journal_beside_that_is_another_s(path: Path) -> None:
    path.write_bytes(sound_ledger())
    path.with_name(path.name + "-journal").write_bytes(os.urandom(5000))

"""Games as files: download an evening ("night") or a game, upload records and backups, send a result to an app."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, session
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion.fairness.export import FILE, PACKAGE, as_table, data_package
from companion.kernel.errors import Malformed, Refused
from companion.kernel.languages import DEFAULT
from companion.kernel.program import VERSION
from companion.kernel.said import said
from companion.ledger import Merged, Unreadable
from companion.model.game import invented
from companion.model.snapshot import GameEntry, ImportFault, Status, Who
from companion.records import RecordError, read_file
from companion.records.export import LONGEST_LINK, as_play, play_link
from companion.session.importer import Imported
from companion.session.night import NamesAtStake, night_of
from companion.session.table import Table
from web.http.formatting import listed
from web.http.i18n import _, ngettext, translated
from web.http.request_parsing import LARGEST
from web.request.apart import BACKUP, IMPORT, apart, done_in_thread, every_game, made, made_apart
from web.request.context import services, who
from web.request.refusal import refused
from web.server.making import Work

game_files = Blueprint("game_files", __name__)
SQLITE = b"SQLite format 3\0"
"""The first bytes of every ledger file. No record begins with them."""
NIGHT = "night.sqlite"
PAGE = "/games?show=files"
UPLOAD = "upload"
"""The key in the session cookie for the uploaded file, while the page asks whether names may change."""


def files_page() -> str | BaseResponse:
    """Show the backup of the newest night, the form for imports, and the files of the game in the query."""
    asked = request.args.get("game", "")
    if asked:
        found: str | BaseResponse = _files_of(
            game_id=int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 20 else 0
        )
        return found
    entries = services().table.archive.games()
    night = night_of(entries)
    held = [entry for entry in entries if entry.id in night]
    upload = services().uploads.find(session.get(UPLOAD))
    return render_template("game_files.html", night=held, asks=upload[0] if upload and "names" in request.args else "")


def _game_in_query(named: Mapping[str, Any]) -> tuple[str, ...]:
    return (request.args["game"],)


@made_apart("show", "game", words=said("Opening the game"), for_viewer=True, games=_game_in_query)
def _files_of(game_id: int) -> str:
    """Show the files of one game, and for a finished game a link that sends its result to an app."""
    entry = _entry(game_id)
    link = _play_link(entry)
    cover = services().covers.get(entry.name)
    return render_template(
        "game_files.html",
        entry=entry,
        link=link,
        code=_code(link) if link is not None and len(link) < LONGEST_LINK else None,
        names=listed(player["name"] for player in entry.header["players"]),
        draws=services().table.archive.known_games[entry.name].ring is not None,
        title=cover.title if cover else entry.name,
    )


@game_files.get("/games/night.sqlite")
@made_apart(words=said("Making the file"), saves=True, games=every_game)
def night() -> Response:
    """Return the games of the newest night as a small ledger, with hidden information, for the owner."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / NIGHT
        if not services().table.archive.night(target):
            abort(404)
        return _file(target.read_bytes(), "application/vnd.sqlite3", NIGHT)


@game_files.post("/games/files")
def bring() -> BaseResponse:
    """Import a record or a backup, or show what is wrong with it and change nothing."""
    try:
        name, content = _brought()
        flash(_taken_in(content, names=bool(request.form.get("names"))))
    except NamesAtStake as fault:
        session[UPLOAD] = services().uploads.hold((name, content), len(content))
        flash(_("Nothing changed: %(why)s", why=translated(fault.reason)))
        return redirect(f"{PAGE}&names=ask", 303)
    except (ImportFault, RecordError) as fault:
        line = fault.index if isinstance(fault, ImportFault) else fault.line
        why = _("Nothing changed. Line %(num)s: %(why)s", num=line, why=translated(fault.reason))
        return refused(why, PAGE)
    except (Malformed, Refused) as fault:
        return refused(_("Nothing changed: %(why)s", why=translated(fault.reason)), PAGE)
    services().uploads.drop(session.pop(UPLOAD, None))
    return redirect(PAGE, 303)


@game_files.get("/games/<int:game_id>/state.json")
@made_apart()
def state(game_id: int) -> Response:
    """Return the complete final state of a game as JSON, for the owner."""
    entry = _entry(game_id)
    text = json.dumps(services().table.archive.final(entry.id), ensure_ascii=False, indent=1) + "\n"
    return _file(text.encode(), "application/json", f"game-{game_id}.json")


@game_files.get("/games/<int:game_id>/draws.zip")
@made_apart()
def draws(game_id: int) -> Response:
    """Return every draw of a game as a table, together with a description of its columns."""
    found = services().table.archive.logged_draws(_entry(game_id).id)
    package = data_package(f"ring-companion {VERSION}")
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(FILE, as_table(found))
        packed.writestr(PACKAGE, json.dumps(package, indent=2) + "\n")
    return _file(written.getvalue(), "application/zip", f"game-{game_id}-draws.zip")


def _brought() -> tuple[str, bytes]:
    """Return the name and content of the uploaded file, or of the file that waits for a confirmation."""
    brought = request.files.get("file")
    if brought is not None and brought.filename:
        return Path(brought.filename).name, brought.read()
    held = services().uploads.find(session.get(UPLOAD)) if request.form.get("names") else None
    if held is None:
        raise Malformed(said("choose a file first."))
    return held


def _taken_in(content: bytes, names: bool) -> str:
    if not content:
        raise Malformed(said("this file is empty."))
    if not content.startswith(SQLITE):
        return _imported_in_words(record_taken_in(content))
    deed = partial(_merged, services().table, content, names, checked=apart())
    work = Work(f"{IMPORT}{sha256(content).hexdigest()} {names}", DEFAULT, host=True)
    return _merged_in_words(done_in_thread(work, deed, partial(_check, content)))


def record_taken_in(content: bytes) -> Imported:
    """Import the record in a file."""
    table, by = services().table, Who(who().name, "import")
    work = Work(f"{IMPORT}{sha256(content).hexdigest()} {by}", DEFAULT, host=True)

    def deed() -> Imported:
        return table.importer.import_record((line for _number, line in read_file(BytesIO(content))), by)

    taken: Imported = done_in_thread(work, deed)
    return taken


def _check(content: bytes) -> None:
    """Check a backup in the separate process, since the check takes most of the time of an import."""
    if apart():
        made(Work(BACKUP, DEFAULT, given=(("backup", content),)))


def _merged(table: Table, content: bytes, names: bool, checked: bool) -> Merged:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "brought.sqlite"
        file.write_bytes(content)
        return table.importer.merge_from(file, names, checked)


def _imported_in_words(taken: Imported) -> str:
    if taken.new:
        return _("1 game imported.")
    if taken.differs:
        return _("This is game %(num)s already, with other lines. Nothing changed.", num=taken.game)
    return _("This is game %(num)s already. Nothing changed.", num=taken.game)


def _merged_in_words(merged: Merged) -> str:
    if not (merged.games or merged.longer or merged.asides):
        return _("Nothing new in this file.")
    new = ngettext("%(num)s game imported.", "%(num)s games imported.", merged.games)
    if not merged.longer:
        return new
    longer = ngettext("%(num)s game goes on.", "%(num)s games go on.", merged.longer)
    return f"{new} {longer}"


def _play_link(entry: GameEntry) -> str | None:
    """Return the link that sends the game to the app BG Stats, or None for an unfinished game."""
    result = services().table.archive.result(entry.id) if entry.status is Status.FINISHED else None
    if result is None:
        return None
    lines, example = (
        services().table.archive.transcript_lines(entry.id),
        invented(services().table.archive.known_games[entry.name], entry.header),
    )
    return play_link(as_play(entry, result, lines[-1].at_ms, example, services().table.archive.left(entry.id)))


def _code(link: str) -> Markup:
    import segno  # imported late: only this page needs it

    code = segno.make(link, micro=False, error="l", boost_error=False)
    return Markup(code.svg_inline(border=4, dark="#12141D", light="#FFFFFF", omitsize=True))  # noqa: S704


def _entry(game_id: int) -> GameEntry:
    entry = next((each for each in services().table.archive.games() if each.id == game_id), None)
    if (
        not 0 < game_id < LARGEST
        or entry is None
        or entry.damage
        or entry.name not in services().table.archive.known_games
    ):
        abort(404)
    return entry


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@game_files.errorhandler(Unreadable)
def unreadable(fault: Unreadable) -> BaseResponse:
    """Show why the memory card can't be read now."""
    flash(translated(fault.refusal))
    return redirect("/games", 303)

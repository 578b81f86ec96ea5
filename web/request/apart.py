"""Pages that are rendered in a separate process ("made apart"), so that they don't delay other requests and commands.

Such a view has the decorator `made_apart`. In the server, the view only looks for the finished result; in the separate
process it runs as usual. The frame around a page shows the present moment, so the server always renders it.

Without a separate process (in tests, for commands, while the ledger is in memory only) the view runs at once.
"""

from __future__ import annotations

import pickle
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from flask import Response, abort, current_app, g, make_response, render_template, request
from markupsafe import Markup
from werkzeug.datastructures import Headers

from companion.kernel.languages import DEFAULT
from companion.kernel.said import Said
from companion.kernel.shown import shows
from companion.luck import Reckoned
from web.http.i18n import language, speak
from web.http.request_parsing import LARGEST
from web.request.context import Marks, is_host, running_clock, seat, services
from web.request.endpoint_access import csrf
from web.server.making import TICKET, WANTED, Made, Progress, RequestNeeds, Ticket, Work

LUCK = "luck:"
"""Prefix of the address of a task that computes the luck of a game. The game's number follows."""
RECORD = "record:"
"""The address of a task that checks the record in `given`."""
BACKUP = "backup:"
"""The address of a task that checks the backup in `given` before its import."""
IMPORT = "import:"
"""Prefix of the address of a task that imports a file. The file's checksum follows."""
READY = "ready"
"""The query field with which a progress page reloads itself, so that it can report that the file is ready."""
View = Callable[..., Any]
Named = Mapping[str, Any]
EVERY = "every"
"""Stands for the games of a page that shows the whole ledger."""


class NotYet(Exception):
    """The response isn't made yet. The gateway waits for it and calls the view again."""


@shows("progress")
class StillMaking(Exception):
    """The response takes so long that the client gets a page with the progress."""

    def __init__(self, progress: Progress, words: Said, saves: bool) -> None:
        super().__init__(words)
        self.progress, self.words, self.saves = progress, words, saves


def by_number(named: Named) -> Iterable[str]:
    """Return the game whose number is in the URL."""
    return (str(named["game_id"]),)


def every_game(named: Named) -> Iterable[str]:
    """Return `EVERY`: the page depends on the whole ledger."""
    return (EVERY,)


def made_apart(
    *fields: str,
    words: Said | None = None,
    saves: bool = False,
    for_viewer: bool = False,
    quick: bool = False,
    games: Callable[[Named], Iterable[str]] = by_number,
    given: Callable[[Named], Mapping[str, bytes]] | None = None,
) -> Callable[[View], View]:
    """Return a decorator for a view that is made apart. Its path and these *fields* of its query are the cache key.

    With *words*, a waiting client gets a progress page with that title; with *saves*, the download starts after it.
    Without *for_viewer* everybody gets the guests' page. *games* returns the games on the page. *given* returns data
    that the process can't get by itself. A *quick* view may interrupt a long one.
    """

    def around(view: View) -> View:
        @wraps(view)
        def page(**named: Any) -> Any:
            if not _possible():
                return view(**named)
            who = (is_host(), seat()) if for_viewer else (False, None)
            work = Work(
                _address(fields),
                language(),
                *who,
                tuple((game, _newest(game)) for game in games(named)),
                services().table.archive.names_changed,
                tuple(sorted((given(named) if given is not None else {}).items())),
                quick,
                tuple((game, clock) for game, clock in running_clock().items() if str(game) in games(named)),
            )
            found = made(work, words, saves)
            return _ready() if saves and READY in request.args else _answer(found)

        return page

    return around


def made(work: Work, words: Said | None = None, saves: bool = False) -> Made:
    """Return the result of *work*.

    Raise the fault in the result, or `NotYet` or `StillMaking` if there is no result.
    """
    scope, workshop = request.environ["asgi.scope"], services().workshop
    assert workshop is not None, "asked after"
    ticket: Ticket | None = scope.get(TICKET)
    mine = ticket if ticket is not None and ticket.good_for(work) else None
    found = workshop.find(work) or (None if mine is None else mine.made)
    if found is None:
        if mine is not None:
            raise StillMaking(mine.progress, words or Said(""), saves)
        scope[WANTED] = RequestNeeds(work, words is not None and _looks())
        raise NotYet
    if found.fault is not None:
        raise found.fault
    return found


def done_in_thread(work: Work, deed: Callable[[], Any], before: Callable[[], object] = lambda: None) -> Any:
    """Return the result of the long task *deed*, or raise its fault or `NotYet`.

    *deed* runs in a thread without a request, so it must contain everything it needs. *before* is called first, in the
    request. If tasks cannot run apart from the request, *deed* is called in the request.
    """
    if not _possible():
        before()
        return deed()
    scope, threads = request.environ["asgi.scope"], services().threads
    ticket: Ticket | None = scope.get(TICKET)
    if ticket is not None and ticket.work == work and ticket.made is not None:
        if ticket.made.fault is not None:
            raise ticket.made.fault
        return ticket.made.value
    before()

    def begin(callback: Callable[[Made], None]) -> None:
        threads.start("import", lambda: callback(_outcome(deed)), again=False)

    scope[WANTED] = RequestNeeds(work, shows=False, begin=begin)
    raise NotYet


def _outcome(deed: Callable[[], Any]) -> Made:
    try:
        return Made(value=deed())
    except Exception as fault:  # raised again in the waiting request, which logs it if it is a bug
        return Made(fault=fault)
    except SystemExit as asked:  # otherwise the request would wait for ever
        return Made(fault=RuntimeError(f"an import tried to end the program: {asked!r}"))


def apart() -> bool:
    """Tell whether this request's page can be made apart.

    The request must come from the gateway, and the ledger must be on disk.
    """
    return _possible()


def _possible() -> bool:
    here = services()
    return here.workshop is not None and "asgi.scope" in request.environ and not here.table.snapshot.storage


def _looks() -> bool:
    """Tell whether a person looks at the response, rather than a script, another program or a frame."""
    return request.method == "GET" and "text/html" in request.headers.get("Accept", "") and "frame" not in request.args


def _address(fields: Iterable[str]) -> str:
    asked = [(field, request.args[field]) for field in fields if field in request.args]
    return f"{request.path}?{urlencode(asked)}" if asked else request.path


def _newest(game: str) -> object:
    """Return the newest row of a game, or of the ledger, or None for an uploaded record, which never changes."""
    if game == EVERY:
        return services().table.archive.newest_row
    if not game.isdigit():
        return None if services().brought.find(game) is not None else abort(404)
    number = int(game)
    return (services().table.archive.newest_of(number) if 0 < number < LARGEST else None) or abort(404)


def _answer(found: Made) -> Response:
    if not found.parts:
        return Response(found.body, found.status, Headers(list(found.headers)))
    token = csrf() if any(found.mark + "csrf" in part for part in found.parts.values()) else ""
    parts = {name: Markup(part.replace(found.mark + "csrf", token)) for name, part in found.parts.items()}  # noqa: S704
    return make_response(render_template("made_apart.html", made=parts, fill=found.mark))


def still_making(fault: StillMaking) -> Response:
    """Return a page with the progress, which reloads itself."""
    again = f"{request.path}?{READY}" if fault.saves else ""
    page = render_template("making.html", words=fault.words, progress=fault.progress, again=again, file="")
    return Response(page, 202, {"Refresh": f"1;url={again}"} if again else {}, mimetype="text/html")


def _ready() -> Response:
    """Return a page that starts the download."""
    page = render_template("making.html", words="", progress=None, again="", file=request.path)
    return Response(page, 200, {"Refresh": f"0;url={request.path}"}, mimetype="text/html")


# In the separate process


def in_parts() -> Marks:
    """Render this request's page in parts, without its frame. Return the marks between the parts."""
    marks = g.apart = Marks(secrets.token_hex(16), secrets.token_hex(16))
    return marks


def at_step(done: int, of: int) -> None:
    """Report the progress of a long task. Quick tasks may run during this call."""
    report: Callable[[int, int], None] | None = g.get("progress")
    if report is not None:
        report(done, of)


def view_as(work: Work) -> Made:
    """Render a page in this request for the viewer in *work*.

    The server has already checked the viewer's permission.
    """
    speak(work.language)
    g.is_host, g.seat, g.bearer = work.host, work.seat, None
    g.running_clock = dict(work.clock)
    marks = in_parts()
    rule, named = request.url_rule, request.view_args or {}
    assert rule is not None, "the service has found it"
    answer = make_response(current_app.ensure_sync(current_app.view_functions[rule.endpoint])(**named))
    text = answer.get_data()
    if not text.startswith(marks.cut.encode()):
        return Made(body=text, status=answer.status_code, headers=tuple(answer.headers.items()))
    _nothing, *pieces = text.decode().split(marks.cut)
    return Made(parts=dict(zip(pieces[::2], pieces[1::2], strict=True)), mark=marks.fill)


def luck_of(game: int) -> Mapping[str, bytes]:
    """Return the known luck of a game, as data to pass to the process."""
    version = services().table.archive.newest_of(game) or 0
    return {"luck": pickle.dumps(services().luck.of(game, version))}


def given_luck(given: Mapping[str, bytes]) -> Reckoned:
    """Return the luck that `luck_of` passed."""
    found: Reckoned = pickle.loads(given["luck"]) if "luck" in given else Reckoned(True)  # noqa: S301 - our own
    return found


class LuckApart:
    """The luck of games, computed in the separate process."""

    def of(self, game: int, version: int) -> Reckoned:
        """Return the known luck of a game, and start to compute what is missing."""
        here = services()
        assert here.workshop is not None, "it is made there"
        work = Work(LUCK + str(game), DEFAULT, games=((str(game), version),), names=here.table.archive.names_changed)
        found = here.workshop.find(work)
        if found is None:
            here.workshop.begin(work)
            return Reckoned(False)
        return Reckoned(True, found.value)

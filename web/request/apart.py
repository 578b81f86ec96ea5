"""Pages that are made apart: in a process of their own, so that no other request and no command waits for them.

A view says so with `made_apart`. In the service it then only looks up what was
made; in the process it is called as it stands. The frame around a page, with
the news of this moment, is always the service's own.

Without a process (in tests, in commands, while the ledger is in memory only)
the view is called at once.
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

from companion.kernel.i18n import Said
from companion.kernel.shown import shows
from companion.luck import Reckoned
from web.http.i18n import language, speak
from web.http.request_parsing import LARGEST
from web.request.context import Marks, house, is_host, running_clock, seat
from web.request.permissions import csrf
from web.server.making import TICKET, WANTED, Made, Progress, RequestNeeds, Ticket, Work

LUCK = "luck:"
"""How the address of a work begins that is no page: the luck of the game with the number behind it."""
RECORD = "record:"
"""The address of the work that looks through the record given along."""
BACKUP = "backup:"
"""The address of the work that checks the backup given along, to be imported."""
IMPORT = "import:"
"""How the address of a deed begins that imports the file with the checksum behind it."""
READY = "ready"
"""The field of an address by which a page that shows progress learns that a file is there."""
View = Callable[..., Any]
Named = Mapping[str, Any]
EVERY = "every"
"""Stands for all games of the ledger, and for what belongs to none, among the games that a page shows."""


class NotYet(Exception):
    """The answer isn't made yet: the front door waits for it, and asks again."""


@shows("progress")
class StillMaking(Exception):
    """The answer is being made, and takes so long that whoever asks is shown how far it is."""

    def __init__(self, progress: Progress, words: Said, saves: bool) -> None:
        super().__init__(words)
        self.progress, self.words, self.saves = progress, words, saves


def by_number(named: Named) -> Iterable[str]:
    """Return the game that an address names by its number."""
    return (str(named["game_id"]),)


def every_game(named: Named) -> Iterable[str]:
    """Return what stands for all that the ledger holds."""
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
    """Have a view made apart, by its path and these *fields* of its query.

    With *words* for a title, whoever waits for a page is shown how far it is; one that *saves* a file goes on to it.
    Without *for_viewer* everybody gets what a stranger may see. *games* are all that it shows, *given* is what the
    process cannot know. A *quick* one is made in the midst of others.
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
                house().table.archive.names_changed,
                tuple(sorted((given(named) if given is not None else {}).items())),
                quick,
                tuple((game, clock) for game, clock in running_clock().items() if str(game) in games(named)),
            )
            found = made(work, words, saves)
            return _ready() if saves and READY in request.args else _answer(found)

        return page

    return around


def made(work: Work, words: Said | None = None, saves: bool = False) -> Made:
    """Return what came of *work*, or raise: its fault, or that it isn't made yet."""
    scope, workshop = request.environ["asgi.scope"], house().workshop
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


def done_beside(work: Work, deed: Callable[[], Any], before: Callable[[], object] = lambda: None) -> Any:
    """Return what came of a *deed* that takes long, or raise: its fault, or that it isn't done yet.

    It is done in a thread of its own, which has no request: *deed* holds all that it needs. *before* is called first,
    once what it needs is made. Without a process it is done at once.
    """
    if not _possible():
        before()
        return deed()
    scope, threads = request.environ["asgi.scope"], house().threads
    ticket: Ticket | None = scope.get(TICKET)
    if ticket is not None and ticket.work == work and ticket.made is not None:
        if ticket.made.fault is not None:
            raise ticket.made.fault
        return ticket.made.value
    before()

    def begin(tell: Callable[[Made], None]) -> None:
        threads.start("import", lambda: tell(_outcome(deed)), again=False)

    scope[WANTED] = RequestNeeds(work, shows=False, begin=begin)
    raise NotYet


def _outcome(deed: Callable[[], Any]) -> Made:
    try:
        return Made(value=deed())
    except Exception as fault:  # raised again in the request that waits for it, which logs what is a bug
        return Made(fault=fault)
    except SystemExit as asked:  # the request would wait for ever
        return Made(fault=RuntimeError(f"an import tried to end the program: {asked!r}"))


def apart() -> bool:
    """Tell whether what this request asks can be made apart: by a front door that waits, of a ledger on the disk."""
    return _possible()


def _possible() -> bool:
    here = house()
    return here.workshop is not None and "asgi.scope" in request.environ and not here.table.snapshot.storage


def _looks() -> bool:
    """Tell whether somebody looks at the answer, and not a script, a program or a frame within a page."""
    return request.method == "GET" and "text/html" in request.headers.get("Accept", "") and "frame" not in request.args


def _address(fields: Iterable[str]) -> str:
    asked = [(field, request.args[field]) for field in fields if field in request.args]
    return f"{request.path}?{urlencode(asked)}" if asked else request.path


def _newest(game: str) -> object:
    """Return the newest row of a game, or of them all; a file that was brought never changes."""
    if game == EVERY:
        return house().table.archive.newest_row
    if not game.isdigit():
        return None if house().brought.find(game) is not None else abort(404)
    number = int(game)
    return (house().table.archive.newest_of(number) if 0 < number < LARGEST else None) or abort(404)


def _answer(found: Made) -> Response:
    if not found.parts:
        return Response(found.body, found.status, Headers(list(found.headers)))
    token = csrf() if any(found.mark + "csrf" in part for part in found.parts.values()) else ""
    parts = {name: Markup(part.replace(found.mark + "csrf", token)) for name, part in found.parts.items()}  # noqa: S704
    return make_response(render_template("made_apart.html", made=parts, fill=found.mark))


def still_making(fault: StillMaking) -> Response:
    """Show how far it is, and look again by itself."""
    again = f"{request.path}?{READY}" if fault.saves else ""
    page = render_template("making.html", words=fault.words, progress=fault.progress, again=again, file="")
    return Response(page, 202, {"Refresh": f"1;url={again}"} if again else {}, mimetype="text/html")


def _ready() -> Response:
    """Say that a file is there, and begin to save it."""
    page = render_template("making.html", words="", progress=None, again="", file=request.path)
    return Response(page, 200, {"Refresh": f"0;url={request.path}"}, mimetype="text/html")


# In the process that makes


def in_parts() -> Marks:
    """Have this request's page come in parts, without its frame; return the marks between them."""
    marks = g.apart = Marks(secrets.token_hex(16), secrets.token_hex(16))
    return marks


def at_step(done: int, of: int) -> None:
    """Say how far a long work is, where somebody wants to know; quick ones may be made meanwhile."""
    told: Callable[[int, int], None] | None = g.get("told_progress")
    if told is not None:
        told(done, of)


def view_as(work: Work) -> Made:
    """Make a page in this request, for whom *work* says: whoever that is has been let in by the service."""
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
    """Return what is known of a game's luck, to be given along."""
    version = house().table.archive.newest_of(game) or 0
    return {"luck": pickle.dumps(house().luck.of(game, version))}


def given_luck(given: Mapping[str, bytes]) -> Reckoned:
    """Return what `luck_of` gave."""
    found: Reckoned = pickle.loads(given["luck"]) if "luck" in given else Reckoned(True)  # noqa: S301 - our own
    return found


class LuckApart:
    """The luck of games as far as it was made apart; what wasn't is asked for, and is there a while later."""

    def of(self, game: int, version: int) -> Reckoned:
        """Return the luck of a game as far as it is known, and have it reckoned where it isn't."""
        here = house()
        assert here.workshop is not None, "it is made there"
        work = Work(LUCK + str(game), "en", games=((str(game), version),), names=here.table.archive.names_changed)
        found = here.workshop.find(work)
        if found is None:
            here.workshop.begin(work)
            return Reckoned(False)
        return Reckoned(True, found.value)

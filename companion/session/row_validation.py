"""What a row of each kind holds: whatever else lies in a ledger is damage, and is found before it is folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.kernel.errors import Malformed
from companion.kernel.i18n import from_json, said
from companion.kernel.validation import Fields, whole
from companion.ledger import Row
from companion.ledger.row import damaged
from companion.model.game import AnyGame
from companion.model.snapshot import Asked
from companion.ports.ring import Kind as RingKind
from companion.records import game_of, opened
from companion.records.envelope import LATEST_MS
from companion.ring.judgement_codec import AGAIN, FIRST, judgement_of
from companion.session.boxes import KEPT, USED, named
from companion.session.reconciliation import AGREED, COUNTED, LEFT_OPEN

MOST = 999
Check = Callable[[Row, Fields], None]


def checked(row: Row) -> Row:
    """Return *row* if it holds what its kind and word say, or raise `Malformed` naming it and the field at fault."""
    fields = Fields(row.body)
    try:
        _check_game(row)
        _check_of(row)(row, fields)
        fields.nothing_else()
    except Malformed as fault:
        raise damaged(row.id, fault.reason) from None
    return row


def understood(row: Row, game: AnyGame) -> Row:
    """Return the row of a line if *game*, by whose present rules it was played, understands the line."""
    if row.kind == "line" and row.undoes is None:
        try:
            game.parse(row.body["line"])
        except Malformed as fault:
            raise damaged(row.id, fault.reason) from None
    return row


def _check_game(row: Row) -> None:
    """Refuse a row of a game that belongs to none, and what is kept for all games in one of them."""
    aside = row.kind in ("calibration", "copy") or (row.kind, row.word) == ("clock", KEPT)
    if aside != (row.game is None) and row.kind not in ("ring", "judgement"):  # a ring may be heard without a game
        raise Malformed(said("it belongs to a game and should not") if aside else said("it belongs to no game"))


def _check_of(row: Row) -> Check:
    if row.kind not in _KINDS:
        raise Malformed(said("%(kind)s is no kind of row", kind=repr(row.kind)))
    check = _KINDS[row.kind]
    if not isinstance(check, Mapping):
        return check
    if row.word not in check:
        raise Malformed(said("%(word)s is no word of a row of kind %(kind)s", word=repr(row.word), kind=row.kind))
    return check[row.word]


def _nothing(row: Row, fields: Fields) -> None:
    """It has no fields."""


def _texts(*names: str) -> Check:
    def check(row: Row, fields: Fields) -> None:
        for name in names:
            fields.text(name)

    return check


def _game(row: Row, fields: Fields) -> None:
    fields.text("rules")
    header = Fields(fields.take("header"), "header").rest()
    opened(header)
    game_of(header)
    for player in Fields(header, "header").list("players"):
        seat = Fields(player, "players")
        seat.text("colour")
        seat.text("name")


def _line(row: Row, fields: Fields) -> None:
    line = Fields(fields.take("line"), "line")
    line.word("do", (row.word,))
    if fields.has("note"):
        fields.text("note", empty=True)
    if row.word != "undo":
        _made(row, fields)
        return
    line.nothing_else()
    if row.undoes is None:
        raise Malformed(said("it does not say what it takes back"))
    if fields.has("asks"):
        _asks(Fields(fields.take("asks"), "asks"))


def _made(row: Row, fields: Fields) -> None:
    if row.undoes is not None:
        raise Malformed(said("it takes a line back and is none that does"))
    for event in fields.list("events"):
        Fields(event, "events")


def _asks(asks: Fields) -> None:
    asks.whole("id", 1)
    asks.flag("pair")
    _shares(asks, "ranking")
    asks.nothing_else()


def _shares(fields: Fields, name: str) -> None:
    for pair in fields.list(name):
        if not isinstance(pair, list | tuple) or list(map(type, pair)) not in ([str, float], [str, int]):
            raise Malformed(said("%(name)s: pairs of a word and a number are wanted", name=name))


def _ring(row: Row, fields: Fields) -> None:
    if row.source is None:
        raise Malformed(said("it does not say from which ring it comes"))
    if row.word not in list(RingKind):
        raise Malformed(said("%(word)s is no word of a row of kind %(kind)s", word=repr(row.word), kind=row.kind))
    fields.whole("at_us", 0)
    fields.whole("token", 0)
    fields.texts("raw")
    Fields(fields.take("detail"), "detail")
    judgement = fields.take("judgement", None)  # ledgers from before judgements had rows of their own
    if judgement is not None:
        judgement_of(judgement)


def _judgement(row: Row, fields: Fields) -> None:
    _about(row)
    judgement_of(row.body)
    for name in ("colour", "ranking", "why", "unknown", "calibration"):
        fields.take(name)


def _asked(row: Row, fields: Fields) -> None:
    _about(row)
    asked = Fields(fields.take("question"), "question")
    asked.word("kind", Asked)
    asked.text("detail")
    _shares(asked, "offered")
    if asked.has("fault"):
        asked.text("fault")
    _said(asked)
    asked.nothing_else()


def _told(row: Row, fields: Fields) -> None:
    _about(row)
    fields.text("text")
    _said(fields)


def _said(fields: Fields) -> None:
    if fields.has("said"):
        try:
            from_json(fields.take("said"))
        except ValueError as fault:
            raise Malformed(said("said: %(why)s", why=str(fault))) from None


def _answered(row: Row, fields: Fields) -> None:
    _about(row)
    fields.text("chosen")


def _about(row: Row) -> None:
    if row.ring is None:
        raise Malformed(said("it does not say about which row of a ring"))


def _started(row: Row, fields: Fields) -> None:
    fields.text("step")
    fields.texts("seats")
    fields.whole_numbers("mark", 0, LATEST_MS)
    fields.whole("limit_ms", 0)


def _clock(check: Check) -> Check:
    def clock(row: Row, fields: Fields) -> None:
        if fields.has("version"):
            fields.whole("version", 0)
        check(row, fields)

    return clock


def _more(row: Row, fields: Fields) -> None:
    fields.whole("ms", 1, LATEST_MS)


def _pace(row: Row, fields: Fields) -> None:
    Fields(fields.take("pace"), "pace")  # what it says is the game's to read


def _kept_pace(row: Row, fields: Fields) -> None:
    fields.text("game")
    _pace(row, fields)


def _left(row: Row, fields: Fields) -> None:
    fields.whole("left", 1)


def _stations(row: Row, fields: Fields) -> None:
    _left(row, fields)
    for name, count in Fields(fields.take("stations"), "stations").rest().items():
        whole(count, f"stations.{name}", 0, MOST)


def _copy(row: Row, fields: Fields) -> None:
    _texts("name", "game")(row, fields)
    board = fields.take("board")
    if board is not None:
        Fields(board, "board")
    colours = fields.take("colours")
    for name in Fields(colours, "colours").rest():
        Fields(colours, "colours").text(name)


def _calibration(row: Row, fields: Fields) -> None:
    named(row.body)
    fields.rest()  # the bridge alone reads what it holds


_KINDS: Mapping[str, Check | Mapping[str, Check]] = {
    "game": {"opened": _game, "imported": _game},
    "line": _line,
    "ring": _ring,
    "judgement": {FIRST: _judgement, AGAIN: _judgement},
    "passage": {"asked": _asked, "surplus": _told, "practice": _told},
    "answer": {"answered": _answered},
    "clock": {
        "started": _clock(_started),
        "ready": _clock(_texts("seat")),
        "reveal": _clock(_nothing),
        "extended": _clock(_more),
        "held": _clock(_texts("why")),
        "going": _clock(_nothing),
        "pace": _clock(_pace),
        KEPT: _kept_pace,
    },
    "moment": {
        **dict.fromkeys(("paused", "resumed", "finished", "reopened", "switched", "beat"), _nothing),
        "abandoned": _texts("reason"),
        "left": _texts("seat"),
        "returned": _texts("seat"),
        "copy": _texts("name"),
        AGREED: _stations,
        COUNTED: _stations,
        LEFT_OPEN: _left,
    },
    "calibration": {KEPT: _calibration},
    "copy": {KEPT: _copy, USED: _texts("name")},
}

"""The commands for the table, each declared once; URLs, permissions and the API description follow from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from werkzeug.exceptions import Forbidden

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.snapshot import Snapshot, Status, Who
from companion.ports.ring import RingState
from companion.session import commands
from companion.session.commands import Command
from web.auth.phone_permissions import (
    AFTER_A_PAUSE,
    ANYBODYS,
    OWN_LINES,
    OWN_SEAT,
    OWN_UNDO,
    RING_HOLDERS,
    why_not_by,
)
from web.commands.declaration import (
    Declaration,
    Fields,
    Parameter,
    by_word,
    object_or_text,
    playing,
    text,
    text_or_none,
    whole,
)
from web.commands.time_control import change_from
from web.http.i18n import _
from web.http.request_parsing import lines_of, whole_number
from web.request.context import Services, is_host, seat, services, snapshot, who


@dataclass(frozen=True)
class Moves:
    """Execute several lines for one tap. Each becomes a row; the lines after a refused line are skipped."""

    lines: Sequence[Line]


@dataclass(frozen=True)
class SlideOnce:
    """Make a simulated ring slide one cube or station."""


TableCommand = Command | Moves | SlideOnce


class NotYours(Forbidden):
    """A seat sent a command that belongs to another seat. The message names that seat."""


def carry_out(word: str, fields: Fields, by: Who | None = None) -> int:
    """Execute the command *word* for the sender of this request, and return the version after it.

    Raises `NotYours` if the sender is a seat without the permission. *by* adds details about the sender. The permission
    is checked with this request's snapshot; if the table moves on before the command runs, `MovedOn` is raised.
    """
    declared, own = COMMANDS[word], seat()
    if own is not None:
        if reason := why_not_mine(word, fields):
            raise NotYours(reason)
        if fields.get("version") in (None, ""):
            fields = {**fields, "version": snapshot().version}
    return _done(services(), declared.read(fields), fields, by or who())


def why_not_mine(word: str, fields: Fields) -> str:
    """Return why this device may not use the command *word*, or "" if it may.

    Pages and requests both use this check.
    """
    own = seat()
    if own is not None:
        return why_not_by(snapshot(), own, COMMANDS[word].of_seats, fields)
    return "" if is_host() else _("Only players can do that.")


def may(word: str, **fields: Any) -> bool:
    """Tell whether a page offers the command *word*: this device may use it, and the table would accept it now."""
    return not why_not_mine(word, fields) and COMMANDS[word].now(snapshot(), fields)


def yours(line: Line) -> bool:
    """Tell whether this device may send *line*, regardless of the rules of the game."""
    return not why_not_mine("do", {"line": line})


def slide(services: Services, version: int | None = None) -> None:
    """Make the ring slide for the draw that the page of *version* shows, or raise `Refused` as `slid` does.

    Raises `MovedOn` if the ring has already slid for that draw, so that taps of two people count once.
    """
    with services.slides.one_at_a_time(services, version):
        slid(services)


def slid(services: Services) -> None:
    """Make a simulated ring slide. Raise `Refused` if the ring is a real one, missing, or silent."""
    if services.ring is None or not services.ring.view.simulated:
        raise Refused(said("Only a simulated ring can slide by itself."))
    if services.ring.view.state is not RingState.LIVE:
        raise Refused(said("The ring doesn't answer. Try again when it's back."))
    services.ring.slide(services.table.lot() if services.ring.view.obeys else "")


def _done(services: Services, asked: TableCommand, fields: Fields, who: Who) -> int:
    version = _version(fields) if isinstance(asked, Moves | SlideOnce | commands.Versioned) else None
    if isinstance(asked, Moves):
        for line in asked.lines:
            version = services.table.do(line, who, version)
        assert version is not None, "there is a line at least"
        return version
    if isinstance(asked, SlideOnce):
        slide(services, version)
        return services.table.snapshot.version
    return services.table.execute(asked, who, version)


def _version(fields: Fields) -> int | None:
    version = fields.get("version")
    return None if version in (None, "") else whole_number(version, "version")


def _counted(fields: Fields) -> Mapping[str, int]:
    counted = object_or_text(fields.get("stations"))
    if not isinstance(counted, Mapping):
        raise Malformed("stations must give a count for each colour")
    return counted


_OBJECT = {"type": "object"}
_LINES = Parameter("lines", lines_of, _OBJECT, sent="line")
_STATIONS = Parameter("stations", _counted, {"type": "object", "additionalProperties": {"type": "integer"}})
_LEFT = whole("left")
_PASSAGE = "What a passage was: a colour, two joined by `+`, `same` or `not a draw`."
_PACE = Parameter("pace", change_from, _OBJECT, needed=False)


def _undoable(seen: Snapshot, fields: Fields) -> bool:
    return playing(seen, fields) and seen.undoable is not None


def _paused(seen: Snapshot, fields: Fields) -> bool:
    return seen.status in (Status.PAUSED, Status.ABANDONED)


def _begun(seen: Snapshot, fields: Fields) -> bool:
    return seen.status in (Status.LIVE, Status.PAUSED)


def _clock_runs(seen: Snapshot, fields: Fields) -> bool:
    return seen.status is Status.LIVE and seen.timing is not None and seen.timing.running


def _clock_held(seen: Snapshot, fields: Fields) -> bool:
    return seen.timing is not None and bool(seen.timing.held)


def _present(seen: Snapshot, fields: Fields) -> bool:
    return fields.get("seat") not in seen.absent


def _gone(seen: Snapshot, fields: Fields) -> bool:
    return fields.get("seat") in seen.absent


def _live(seen: Snapshot, fields: Fields) -> bool:
    return seen.status is Status.LIVE


def _sealed(seen: Snapshot, fields: Fields) -> bool:
    return bool(seen.seal) and _begun(seen, fields)


COMMANDS: Mapping[str, Declaration[TableCommand]] = by_word(
    Declaration("abandon", commands.Abandon, "Abandon the game, with the reason.", (text("reason"),), now=_begun),
    Declaration("agree", commands.Agree, "The count is right.", (_LEFT,)),
    Declaration("all_ready", commands.AllReady, "All who still had to play have played.", now=playing),
    Declaration("answer", commands.Answer, _PASSAGE, (whole("question"), text("chosen")), RING_HOLDERS, now=playing),
    Declaration("do", Moves, "One line of the record.", (_LINES,), OWN_LINES, now=playing),
    Declaration(
        "extend", commands.Extend, "Add milliseconds to the current step.", (whole("ms"),), ANYBODYS, now=playing
    ),
    Declaration("go", commands.Go, "A stopped clock goes on.", (), ANYBODYS, now=_clock_held),
    Declaration("hold", commands.Hold, "The clock stops; what is played lets it go on.", (), ANYBODYS, now=_clock_runs),
    Declaration("inventory", commands.Inventory, "The count after an attempt.", (_LEFT, _STATIONS)),
    Declaration("leave_open", commands.LeaveOpen, "The difference stays, and play goes on.", (_LEFT,)),
    Declaration("left", commands.Leave, "A player has left the table.", (text("seat"),), now=_present),
    Declaration("mend", commands.Mend, "What really happened mends a difference.", (_LEFT, text("cause"))),
    Declaration("pace", commands.SetPace, "Another pace for what is named; the rest of it stays.", (_PACE,)),
    Declaration("pause", commands.Pause, "The clock stops and the ring is disarmed.", (), ANYBODYS, now=_live),
    Declaration("ready", commands.Ready, "A seat has played face down.", (text("seat"),), OWN_SEAT, now=playing),
    Declaration("resume", commands.Resume, "Resume the game, paused or abandoned.", (), AFTER_A_PAUSE, now=_paused),
    Declaration("returned", commands.Return, "A player is back.", (text("seat"),), now=_gone),
    Declaration("slide", SlideOnce, "A simulated ring slides once.", only="a simulated ring", now=_live),
    Declaration("switch", commands.Switch, "Another game comes to the table.", (whole("game"),), under="/games"),
    Declaration("words", commands.AddWords, "Words for the sealed seed.", (text("words", 80),), ANYBODYS, now=_sealed),
    Declaration("undo", commands.Undo, "Undo the last line.", (text_or_none("reason"),), OWN_UNDO, now=_undoable),
)
"""Each command by its word."""

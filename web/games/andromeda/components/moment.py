"""What a draw came to, for the moment in which everybody looks up: a centre, a flight home, or back under the ring."""

from __future__ import annotations

from companion.games.andromeda.state import Attempt, State, best_free_centre, label_of, stations_on
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, TranscriptLine
from web.components.notices import newest_notice
from web.components.players import Face, faces
from web.components.result_stage import ResultGain, ResultMoment
from web.games.andromeda.components.outcome import newest_draw
from web.http.i18n import _, ngettext, translated

SURPLUS = "surplus"


def moment(snapshot: Snapshot) -> ResultMoment | None:
    """Return the result that is the newest thing that happened, None when something else is."""
    notice = newest_notice(snapshot)
    if notice is not None and notice.kind == SURPLUS:
        return ResultMoment(
            notice.id, notice.at_ms, "back", _("Put it back"), str(translated(notice.text)), cue="unsure"
        )
    line, state = newest_draw(snapshot), snapshot.state
    attempt: Attempt | None = state.attempt or (state.tried[-1] if state.tried else None)
    if line is None or attempt is None or line.line["do"] == "stop_drawing":
        return None
    if line.line["do"] == "double_exit" and "out" not in line.line:
        return _both_back(state, line)
    return _drawn(snapshot, line, attempt) if attempt.drawn else None


def _both_back(state: State, line: TranscriptLine) -> ResultMoment:
    known = faces(state.setting.seats)
    pieces = tuple(known[colour] for colour in line.line["colours"])
    return ResultMoment(
        line.id, line.at_ms, "back", _("Put both back"), _("Both go back. No draw is used."), pieces, cue="unsure"
    )


def _drawn(snapshot: Snapshot, line: TranscriptLine, attempt: Attempt) -> ResultMoment:
    state: State = snapshot.state
    face = faces(state.setting.seats)[attempt.drawn[-1]]
    gain = ResultGain(attempt.took or 1, _total(snapshot, face))
    if attempt.took:
        place = label_of(state, attempt.planet)
        return ResultMoment(
            line.id, line.at_ms, "won", face.name, place, (face,), attempt.took, gain=gain, cue="centre"
        )
    small, missed = _onwards(state, attempt)
    return ResultMoment(line.id, line.at_ms, "home", face.name, small, (face,), 0, missed, gain, "home")


def _total(snapshot: Snapshot, face: Face) -> int:
    """Return the score as everybody sees it, credits left out."""
    assert snapshot.game is not None, "a score belongs to a game"
    total: int = snapshot.game.view(snapshot.state, Viewer())["players"][face.colour]["score"]["total"]
    return total


def _onwards(state: State, attempt: Attempt) -> tuple[str, int]:
    """Return what a station that flew home leaves to hope for, and the value of the centre that stays where it is."""
    if state.attempt is not None:
        return ngettext("%(num)s draw left", "%(num)s draws left", attempt.draws_left), 0
    name, place = faces(state.setting.seats)[attempt.player].name, label_of(state, attempt.planet)
    slot = best_free_centre(state, attempt.planet)
    value = 0 if slot is None else state.setting.board.planet(attempt.planet).centres[slot]
    if not any(stations_on(state, attempt.planet).values()):
        return _("The ring is empty: no centre for %(name)s", name=name), value
    return _("No centre for %(name)s at %(planet)s", name=name, planet=place), value

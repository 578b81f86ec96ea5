"""The frame of every page: both players with their public information, and the newest gain over the whole page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.hanse.cards import LABELS, TECHNOLOGIES
from companion.games.hanse.interventions import PASSENGER
from companion.games.hanse.places import GAPS, PLANETS, label_of
from companion.games.hanse.places import LABELS as PLANET_NAMES
from companion.games.hanse.planet_actions import worth
from companion.games.hanse.scoring import GOAL
from companion.games.hanse.state import Phase, Player, State, other, place_of, waited_for
from companion.model.snapshot import Snapshot, Status, TranscriptLine
from web.components.bar import Band, PlayBar, beside, step_mark, whose_turn
from web.components.players import Face, faces
from web.components.result_stage import ResultGain, ResultMoment
from web.games.hanse.components.cargo import CargoBox, boxes
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look


@dataclass(frozen=True)
class PlayerSide(Face):
    """The public information about one player, with the names of the score bar. *ahead* is the lead in Megagalax."""

    player: Player
    where: str
    boxes: tuple[CargoBox, ...]
    now: bool
    away: bool
    ahead: int

    @property
    def points(self) -> int:
        """The player's Megagalax."""
        return self.player.megagalax

    @property
    def unit(self) -> str:
        """The goal, as the unit of the points."""
        return _("of %(num)s", num=GOAL)

    @property
    def known(self) -> str:
        """The known discards in words."""
        return ", ".join(f"{count} × {translated(LABELS[card])}" for card, count in self.player.known.items() if count)

    @property
    def technologies(self) -> tuple[tuple[str, str, int], ...]:
        """Each technology: its name, its label, and the number of copies in play."""
        return tuple((name, str(translated(LABELS[name])), self.player.technology(name)) for name in TECHNOLOGIES)


def where(state: State) -> str:
    """Return in words whose turn it is, or that the game is being set up."""
    if state.turn is None:
        return _("Set-up")
    if state.finished:
        return ngettext("After %(num)s turn", "After %(num)s turns", state.turn.number)
    return _("Turn %(num)s", num=state.turn.number)


def sides(snapshot: Snapshot) -> tuple[PlayerSide, ...]:
    """Return both players in seat order."""
    state: State = snapshot.state
    return tuple(_side(snapshot, colour) for colour in state.colours)


def may_play(look: Look) -> bool:
    """Tell whether the viewer may use the buttons of the current step. A phone acts only for its own seat."""
    own = look.viewer.seat is None or look.viewer.seat in waited_for(look.state)
    return look.may_act and own and look.snapshot.status in (Status.LIVE, Status.FINISHED)


def band(look: Look, seat: str, bar: PlayBar) -> Band:
    """Return the band of the phone of *seat*."""
    state: State = look.state
    own = next(side for side in sides(look.snapshot) if side.colour == seat)
    waited = waited_for(state)
    mine = own.colour in waited and look.snapshot.status is Status.LIVE
    points = _("%(num)s of %(goal)s", num=own.points, goal=GOAL)
    standing = ", ".join(filter(None, (points, beside(own.points, own.points - own.ahead))))
    mark = step_mark(look.snapshot, mine)
    return Band(own, _whose(state, own, waited), where(state), standing, *actions_left(state, mine), mark=mark)


def _whose(state: State, own: Face, waited: tuple[str, ...]) -> str:
    """Return the title of the band: what the table waits for."""
    if len(waited) > 1:
        return _("Set out the goods")
    return whose_turn(faces(state.setting.seats)[waited[0]], waited[0] == own.colour)


def actions_left(state: State, mine: bool = True) -> tuple[str, int, int]:
    """Return what is left of the player's own turn, in words and as used and left planet actions."""
    if not mine or state.turn is None or state.phase is not Phase.TURN:
        return "", 0, 0
    if state.turn.energy is not None:
        return ngettext("%(num)s energy", "%(num)s energy", state.turn.energy), 0, 0
    left = state.turn.actions
    return ngettext("%(num)s action left", "%(num)s actions left", left), max(0, 2 - left), left


def surroundings(look: Look, heading: PlayBar) -> dict[str, Any]:
    """Return the template values that all pages share."""
    state: State = look.state
    return {
        "bar": heading,
        "where": where(state),
        "faces": faces(state.setting.seats),
        "sides": sides(look.snapshot),
        "own": look.viewer.seat,
        "notice": look.snapshot.newest_notice,
        "moment": moment(look.snapshot),
        "may_play": may_play(look),
        "finished": state.finished,
    }


def _side(snapshot: Snapshot, colour: str) -> PlayerSide:
    state: State = snapshot.state
    player, against = state.players[colour], state.players[other(state, colour)]
    return PlayerSide(
        **vars(faces(state.setting.seats)[colour]),
        player=player,
        where="" if player.place is None else _short(player.place),
        boxes=boxes(state, colour),
        now=state.phase not in (Phase.GOODS, Phase.FINISHED) and colour in waited_for(state),
        away=colour in snapshot.absent,
        ahead=player.megagalax - against.megagalax,
    )


def _short(place: str) -> str:
    """Return a short name for *place*. A gap is named after the planets on both sides."""
    if place in GAPS:
        at = GAPS.index(place)
        return " – ".join(PLANET_NAMES[planet] for planet in PLANETS[at : at + 2])
    return str(translated(label_of(place)))


def moment(snapshot: Snapshot) -> ResultMoment | None:
    """Return the gain to show if the newest event is one, otherwise None."""
    state: State = snapshot.state
    line = next((one for one in snapshot.recent if not one.undone), None)
    if line is None or state.turn is None:
        return None
    if line.line.get("do") == "unload" and state.flipping is not None:
        return _moment(state, line, earned(state), PLANET_NAMES[state.flipping.planet])
    if line.line.get("do") == "intervene" and line.line.get("card") == "passenger":
        place = place_of(state, line.line["player"])
        return _moment(state, line, PASSENGER, _("A passenger lands on %(planet)s", planet=PLANET_NAMES.get(place, "")))
    return None


def _moment(state: State, line: TranscriptLine, gained: int, small: str) -> ResultMoment:
    colour = line.line["player"]
    face = faces(state.setting.seats)[colour]
    gain = ResultGain(gained, state.players[colour].megagalax)
    return ResultMoment(line.id, line.at_ms, "won", face.name, small, (face,), gained, gain=gain, cue="centre")


def earned(state: State) -> int:
    """Return the value of the goods being turned over.

    The planet's other goods have not changed since they were unloaded.
    """
    return 0 if state.flipping is None else worth(state, state.flipping.planet, state.flipping.cards)

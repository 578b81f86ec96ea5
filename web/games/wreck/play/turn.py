"""The page of a turn: the dice, the rooms to tap, and the pages that taps open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from companion.games.wreck.cards import TELEPORTER
from companion.games.wreck.control import controls
from companion.games.wreck.dice import ACTIONS, SYMBOLS, showing
from companion.games.wreck.missions import turn_step
from companion.games.wreck.researchers import CALLED, STEPS, TRAINED, Explore, Move, one_more
from companion.games.wreck.room_actions import ROOMS_THAT_ACT
from companion.games.wreck.rooms import LABORATORY, Cell, label_of, side_by_side
from companion.games.wreck.rules import actions, legal
from companion.games.wreck.state import State, cell_of, closed_cells, closed_rooms, own, teleporters_in
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.snapshot import Snapshot
from web.components.addresses import to, words
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import faces
from web.components.possible_now import Possible
from web.games.wreck.components.ship import TileTap, room_name, ship
from web.games.wreck.play import contamination, missions
from web.games.wreck.play.choices import Choice, ChoicePanel, led, technology_name, thing
from web.games.wreck.play.contamination import contamination_scene
from web.games.wreck.play.paths import after, marks_of, onward, own_rooms, starts, steps_of, text_of, way_of
from web.games.wreck.play.room_actions import EFFECTS, room_action, room_reason, rooms_in_use
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look, Scene

Query = Mapping[str, str]
DEEDS = {
    "training": said("Train up to 2 researchers"),
    "support": said("Call up to 2 researchers"),
    "improvise": said("Train 1 or call 1"),
    "move": said("Move up to 3 steps"),
    "technology": said("Use a technology"),
    "contamination": said("Lose a researcher"),
}
"""The use of each symbol of a die, in a few words."""
ALIKE = ("training", "support")
"""The dice whose choices differ only in a number."""
BEFORE_A_TURN = ("accept", "end_turn")
"""The lines after which a turn begins."""


def turn_scene(look: Look) -> Scene:
    """Return the page of the turn: contamination first, then actions and missions."""
    state: State = look.state
    if state.players[state.turn].contamination:
        return contamination_scene(look)
    asked = _asked(look.snapshot, look.query)
    face, spent = faces(state.setting.seats)[state.turn], _spent(look.snapshot)
    shown = held(state, look.query, spent, asked.pop("pays", {}))
    dice = sum(state.players[state.turn].dice)
    left = ngettext("%(num)s die left", "%(num)s dice left", dice)
    if turn_step(state) == "missions":
        left = _("missions, then the turn ends")
    return Scene(
        "wreck/turn.html",
        {"dice": shown, "end_turn": _end(state), "idle": _idle(state)} | asked,
        PlayBar(face.name, face, len(spent), dice, left),
    )


def things(state: State, seat: str) -> tuple[Possible, ...]:
    """Return what *seat* can do in its turn."""
    if state.players[seat].contamination:
        return contamination.things()
    dice = tuple(_use(state, seat, die) for die in ACTIONS)
    return (*dice, *_any_die(state, seat), *rooms_in_use(state, seat), *missions.things(), thing("end_turn"))


def _use(state: State, seat: str, die: str) -> Possible:
    words = translated(DEEDS[die])
    if turn_step(state) == "missions":
        return Possible(words, "", to(), _("After a mission, a turn has no more actions."))
    if not showing(state.players[seat].dice, die):
        return Possible(words, "", to(), _("no such die left"))
    return Possible(words, _("with its own die"), to(die=die))


def _any_die(state: State, seat: str) -> tuple[Possible, ...]:
    able = {type(each) for each in actions(state, seat) if isinstance(each, Move | Explore) and legal(state, each)}
    reason = _("needs a die, and a researcher beside it")
    return tuple(thing(kind.do, "" if kind in able else reason) for kind in (Move, Explore))


@dataclass(frozen=True)
class HeldDie:
    """The equal dice of the player in turn: how many are *left*, or 0 if all are used.

    *address* leads to their actions, or closes them if they are *chosen*. If they can pay for a step, *line* does it.
    """

    symbol: str
    left: int
    address: str = ""
    line: Line | None = None
    chosen: bool = False


def held(state: State, query: Query, spent: tuple[str, ...], pays: Mapping[str, Line]) -> tuple[HeldDie, ...]:
    """Return the dice of the player in turn, the *spent* ones too. *pays* has the line of each die that can pay."""
    player, chosen = state.players[state.turn], query.get("die", "")
    found = []
    for symbol, count in zip(SYMBOLS, player.dice, strict=True):
        dead = not count or pays or turn_step(state) == "missions"
        address = "" if dead else to() if symbol == chosen else to(die=symbol)
        if count or symbol in spent:
            found.append(HeldDie(symbol, count, address, pays.get(symbol), bool(count) and symbol == chosen))
    return tuple(found)


def _spent(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the dice that the current player has used in this turn, if the snapshot's recent lines still show them."""
    lines = (each.line for each in snapshot.recent if not each.undone)
    turn = takewhile(lambda line: line["do"] not in BEFORE_A_TURN, lines)
    return tuple(str(line["die"]) for line in turn if line.get("die"))


def _idle(state: State) -> bool:
    """Tell whether nothing but missions can be done before the turn ends."""
    able = any(not room_reason(state, state.turn, room) for room in ROOMS_THAT_ACT)
    return not able and not sum(state.players[state.turn].dice)


def _end(state: State) -> Line:
    return {"do": "end_turn", "player": state.turn}


def _asked(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return the map and the panel for the choices in *query*."""
    state: State = snapshot.state
    colour = state.turn
    if turn_step(state) == "missions":
        return {"ship": ship(state), "panel": missions.panel(snapshot)}
    if query.get("act") in ROOMS_THAT_ACT and not room_reason(state, colour, query["act"]):
        return room_action(snapshot, query)
    if "cell" in query and (cell := _cell(state, query["cell"])) is not None:
        return _exploring(snapshot, query, cell)
    if "from" in query or "steps" in query:
        return _moving(snapshot, query)
    die = query.get("die", "")
    if die in ACTIONS and showing(state.players[colour].dice, die):
        return _with_die(snapshot, query, die)
    return _whole_turn(snapshot)


def _whole_turn(snapshot: Snapshot) -> dict[str, Any]:
    """Return all choices: rooms to move from, tiles to explore, room actions, missions."""
    state: State = snapshot.state
    dice = sum(state.players[state.turn].dice)
    rooms = starts(state, state.turn) if dice else {}
    cells = _cells(state) if dice else {}
    held_rooms = [room for room in ROOMS_THAT_ACT if controls(state, state.turn, room)]
    reasons = {room: reason for room in held_rooms if (reason := room_reason(state, state.turn, room))}
    return {
        "ship": ship(state, rooms, cells),
        "panel": None,
        "rooms": [_room_choice(state.turn, room) for room in held_rooms if room not in reasons],
        "resting": _resting(reasons) if held_rooms else _("You control no room with an action."),
        "missions": missions.panel(snapshot),
    }


def _room_choice(seat: str, room: str) -> Choice:
    line = {"do": "bridge", "player": seat} if room == "bridge" else None
    return Choice(room_name(room), to(act=room), line, "", room, translated(EFFECTS[room]))


def _resting(reasons: Mapping[str, str]) -> str:
    """Return the rooms whose action is not possible now, with the first reason, in one line."""
    names = ", ".join(room_name(room) for room in reasons)
    return f"{names}: {next(iter(reasons.values()))}" if reasons else ""


def _with_die(snapshot: Snapshot, query: Query, die: str) -> dict[str, Any]:
    """Return the actions that *die* pays for, and the taps on the map that use the die for a step or for exploring."""
    state: State = snapshot.state
    player = {"player": state.turn, "die": die}
    choices: list[Choice] = []
    if die in TRAINED:
        for count in range(1, TRAINED[die] + 1):
            line = {"do": "train", **player, "count": count}
            choices.append(Choice(ngettext("Train %(num)s", "Train %(num)s", count), "", line, why_not(snapshot, line)))
    if die in CALLED:
        choices += _calls(snapshot, query, die)
    if die == "technology":
        choices += _technologies(snapshot)
    note = _("Tap one of your rooms to move, or a dark tile to explore.")
    if choices:
        note = _("Or tap a room to move from it, or a dark tile to explore.")
    if die == "support" and len(pads := _pads(state)) == 1:
        note = _("They come to %(room)s.", room=label_of(pads[0])) + f" {note}"
    panel = led(translated(DEEDS[die]), choices, to(), note, die not in ALIKE)
    rooms, cells = starts(state, state.turn, die=die), _cells(state, die=die)
    return {"ship": ship(state, rooms, cells), "panel": panel}


def _calls(snapshot: Snapshot, query: Query, die: str) -> list[Choice]:
    """Return the buttons for calling researchers.

    If only one room is possible, there is one button for each number; otherwise the rooms are chosen one by one.
    """
    state: State = snapshot.state
    most = min(CALLED[die] + one_more(state, state.turn), state.players[state.turn].species)
    pads = _pads(state)
    line = {"do": "call", "player": state.turn, "die": die}
    if not pads or not most:
        to_one = {**line, "to": pads[:1] or ["airlock"]}
        return [Choice(_("Call 1"), "", to_one, why_not(snapshot, to_one))]
    if len(pads) == 1:
        lines = [{**line, "to": pads * count} for count in range(1, most + 1)]
        return [
            Choice(ngettext("Call %(num)s", "Call %(num)s", len(each["to"])), "", each, why_not(snapshot, each))
            for each in lines
        ]
    chosen = words(query, "to", tuple(pads), most)
    more = [
        Choice(_("Call to %(room)s", room=room_name(room)), to(die=die, to=",".join((*chosen, room))), picture=room)
        for room in pads
        if len(chosen) < most
    ]
    done = {**line, "to": list(chosen)}
    return [*([Choice(_call_words(chosen), "", done, chosen=True)] if chosen else []), *more]


def _pads(state: State) -> list[str]:
    return [room for room in state.teleporters if teleporters_in(state, state.turn, room)]


def _call_words(rooms: Sequence[str]) -> str:
    where = ", ".join(str(translated(label_of(room))) for room in dict.fromkeys(rooms))
    return ngettext("Call %(num)s: %(where)s", "Call %(num)s: %(where)s", len(rooms), where=where)


def _technologies(snapshot: Snapshot) -> list[Choice]:
    state: State = snapshot.state
    used = _("used this round")
    choices = []
    line: dict[str, Any] = {"do": "technology", "player": state.turn, "die": "technology", "id": TELEPORTER}
    if TELEPORTER not in state.used and state.players[state.turn].teleporters:
        rooms = [room for room in own_rooms(state, state.turn) if room != LABORATORY]
        for room in rooms:
            title = _("Teleporter in %(room)s", room=label_of(room))
            choices.append(Choice(title, "", {**line, "room": room}, picture="pad"))
    else:
        nothing = {**line, "room": None}
        choices.append(Choice(_("Teleporter"), "", nothing, why_not(snapshot, nothing), "pad", _("none left to place")))
    for each in state.setting.technologies:
        if each.id != TELEPORTER:
            title = each.name or technology_name(state, each.id)
            reason = used if each.id in state.used else ""
            choices.append(Choice(title, to("effects", tech=each.id), None, reason, "card", _("say what it does")))
    return choices


def _moving(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return the map while steps are chosen, and the dice that can pay for them."""
    state: State = snapshot.state
    colour, die = state.turn, query.get("die", "")
    dice = [each for each in ACTIONS if showing(state.players[colour].dice, each) and die in ("", each)]
    most = max((STEPS[each] for each in dice), default=1)
    steps = steps_of(state, colour, query.get("steps", ""), most)
    then, source = after(state, colour, steps), query.get("from", "")
    if source not in own_rooms(then, colour):
        source = ""
    taps: dict[str, TileTap] = {}
    if source:
        taps = onward(then, source, steps, die=die)
    elif len(steps) < most:
        taps = starts(then, colour, die=die, steps=text_of(steps))
    cells = _cells(then, source, die=die) if source and not steps else {}
    picture = ship(then, taps, cells, marks_of(steps, source))
    return {"ship": picture} | _paying(snapshot, dice, steps, bool(source))


def _paying(snapshot: Snapshot, dice: list[str], steps: tuple[tuple[str, str], ...], begun: bool) -> dict[str, Any]:
    """Return the panel for *steps*. If several kinds of *dice* can pay for them, the dice are its answers."""
    state: State = snapshot.state
    if not (steps and dice):
        return {"panel": ChoicePanel(_("Move to which room?") if begun else _("Move from which room?"), (), to())}
    line: dict[str, Any] = {"do": "move", "player": state.turn, "steps": [list(step) for step in steps]}
    more = max((STEPS[die] for die in dice), default=0) > len(steps)
    note = _("Tap on for more steps: Movement has 3.") if more else ""
    if len(dice) > 1:
        way = f"{way_of(steps)}. {note}"
        pays = {die: paid for die in dice if not why_not(snapshot, paid := {**line, "die": die})}
        return {"panel": ChoicePanel(_("Tap the die that pays"), (), to(), way), "pays": pays}
    words = _("Move to %(room)s", room=label_of(steps[-1][1]))
    paid = {**line, "die": dice[0]}
    ways = (Choice(words, "", paid, why_not(snapshot, paid)),)
    return {"panel": led(way_of(steps), ways, to(), note)}


def _cells(state: State, source: str = "", **query: object) -> dict[Cell, TileTap]:
    """Return a tap for each face-down tile that can be explored.

    If *source* is given, only tiles next to that room are included.
    """
    sources = [source] if source else list(own_rooms(state, state.turn))
    near = [cell for cell in closed_cells(state) if any(side_by_side(cell_of(state, room), cell) for room in sources)]
    more = {"from": source} if source else {}
    return {cell: TileTap(_("Explore"), to("", cell=f"{cell[0]},{cell[1]}", **more, **query)) for cell in near}


def _cell(state: State, text: str) -> Cell | None:
    return next((cell for cell in closed_cells(state) if f"{cell[0]},{cell[1]}" == text), None)


def _exploring(snapshot: Snapshot, query: Query, cell: Cell) -> dict[str, Any]:
    """Return the rooms that may be on the tile.

    If one is chosen, return the dice that can pay, unless there is only one.
    """
    state: State = snapshot.state
    near = [room for room in own_rooms(state, state.turn) if side_by_side(cell_of(state, room), cell)]
    if not near:
        return _whole_turn(snapshot)
    source = query["from"] if query.get("from") in near else max(near, key=lambda room: own(state, state.turn, room))
    dice = [each for each in ACTIONS if showing(state.players[state.turn].dice, each)]
    die = query.get("die", "") if query.get("die") in dice else dice[0] if len(dice) == 1 else ""
    room = query.get("room", "")
    line = {"do": "explore", "player": state.turn, "from": source, "cell": list(cell)}
    here = {"cell": query["cell"], "from": source, "die": die, "room": room}
    pays: dict[str, Line] = {}
    choices: list[Choice] = []
    note = _("From %(room)s.", room=label_of(source))
    if die or not room:
        choices = [
            Choice(
                room_name(each), "" if die else to("", **{**here, "room": each}), _with(line, die, each), picture=each
            )
            for each in closed_rooms(state)
        ]
        title = _("Turn the tile over. What is it?")
    else:
        pays = {each: {**line, "die": each, "room": room} for each in dice}
        title, note = _("Tap the die that pays"), f"{translated(label_of(room))}. {note}"
    others = [
        Choice(_("from %(room)s", room=room_name(one)), to("", **{**here, "from": one}))
        for one in near
        if one != source
    ]
    picture = ship(state, {}, _cells(state, source, die=die), {source: "from", cell: "to"})
    return {"ship": picture, "panel": ChoicePanel(title, (*choices, *others), to(), note), "pays": pays}


def _with(line: dict[str, Any], die: str, room: str) -> Line | None:
    return {**line, "die": die, "room": room} if die and room else None

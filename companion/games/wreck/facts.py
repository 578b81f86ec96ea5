"""The questions about a game of the wreck, and their answers in words.

Nothing is secret, since the players' cards are not recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.games.wreck.control import controller, room_kp
from companion.games.wreck.rooms import NOT_FOR_TWO, ROOMS, label_of
from companion.games.wreck.scoring import scores
from companion.games.wreck.state import ROUNDS, Phase, Player, State, aboard, name_of
from companion.games.wreck.tellings import TELLINGS, named_dice
from companion.games.wreck.terms import technology_name
from companion.kernel.said import Said, listed, said, said_n
from companion.model.facts import SCORE, Answer, Fact, FactTable
from companion.model.speech import TURN

DICE, CONTROL, CREW, MISSIONS, TECHNOLOGIES = "dice", "control", "crew", "missions", "technologies"


def _turn(state: State, seat: str | None) -> Answer:
    """Return sentences that say who must do what, which dice are left, and which round it is."""
    own = TELLINGS.turn(state)
    asked = () if own is None else (own.text,)
    turn = state.phase is Phase.TURNS
    left = (said("Dice left: %(dice)s.", dice=named_dice(state.players[state.turn].dice)),) if turn else ()
    return (*asked, *left, said("Round %(num)s of %(all)s.", num=state.round, all=ROUNDS))


def _score(state: State, seat: str | None) -> Answer:
    return (said("The game ends at %(num)s KP.", num=state.setting.threshold),)


def _dice(state: State, seat: str | None) -> Answer:
    """Return sentences that say which dice are in the pool, on offer, and with each player."""
    pool = (said("In the pool: %(dice)s.", dice=named_dice(state.pool)),) if state.phase is Phase.OFFERS else ()
    offer = state.offer
    offered = (said("On card %(num)s: %(dice)s.", num=offer.order, dice=named_dice(offer.dice)),) if offer else ()
    held = [
        said(
            "%(name)s, card %(num)s: %(dice)s.", name=name_of(state, colour), num=each.order, dice=named_dice(each.dice)
        )
        for colour, each in state.players.items()
        if each.order and any(each.dice)
    ]
    return (*pool, *offered, *held) or (said("No dice are out."),)


def _control(state: State, seat: str | None) -> Answer:
    """Return sentences that say which rooms each player controls, and which rooms nobody controls."""
    held = {room: controller(state, room) for room in state.researchers}
    theirs = [(name_of(state, colour), [room for room in held if held[room] == colour]) for colour in state.colours]
    nobodys = [room for room, colour in held.items() if colour is None]
    free = (said("Nobody controls: %(rooms)s.", rooms=_rooms(nobodys)),) if nobodys else ()
    return (*(said("%(name)s controls: %(rooms)s.", name=name, rooms=_rooms(rooms)) for name, rooms in theirs), *free)


def _rooms(rooms: Iterable[str]) -> Said:
    labels = [label_of(room) for room in rooms]
    return listed(labels) if labels else said("none")


def _crew(state: State, seat: str | None) -> Answer:
    """Return the numbers of researchers, teleporters and vaccine markers of the player in *seat*, or of all players."""
    return tuple(
        each
        for colour, player in state.players.items()
        if seat in (None, colour)
        for each in _side(state, colour, player)
    )


def _side(state: State, colour: str, player: Player) -> Answer:
    counts = {"aboard": aboard(state, colour), "trained": player.species, "supply": player.supply}
    name = name_of(state, colour)
    crew = said("%(name)s: aboard %(aboard)s, trained %(trained)s, supply %(supply)s.", name=name, **counts)
    altar = state.setting.species_of(colour).place
    place = (Said("%(place)s: %(count)s.", {"place": altar.name, "count": player.place}),) if altar else ()
    vaccines = (said("Vaccine markers: %(num)s.", num=player.vaccines),) if player.vaccines else ()
    return (crew, *place, said("Teleporters in the supply: %(num)s.", num=player.teleporters), *vaccines)


def _missions(state: State, seat: str | None) -> Answer:
    """Return sentences that say which general missions are open, and which missions each player has fulfilled."""
    known = [_mission(each.card.name, each.card.kp) for each in state.general if each.card]
    unknown = sum(each.card is None for each in state.general)
    not_entered = (said_n("%(num)s open mission isn't entered.", "%(num)s open missions aren't entered.", unknown),)
    done = tuple(
        said("%(name)s has fulfilled: %(missions)s.", name=name_of(state, colour), missions=listed(missions))
        for colour, player in state.players.items()
        if (missions := [_mission(each.name, each.kp) for each in player.missions])
    )
    lies = (said("Open: %(missions)s.", missions=listed(known)),) if known else ()
    return (*lies, *(not_entered if unknown else ()), *done) or (said("No missions are open."),)


def _mission(name: str, kp: int) -> Said:
    return said("%(mission)s %(num)s KP", mission=name or said("a mission"), num=kp)


def _technologies(state: State, seat: str | None) -> Answer:
    known = [(technology_name(state, each.id), each.id in state.used) for each in state.setting.technologies]
    ready, used = ([name for name, is_used in known if is_used is wanted] for wanted in (False, True))
    first = said("Ready: %(names)s.", names=listed(ready)) if ready else said("None is ready.")
    return (first, *((said("Used: %(names)s.", names=listed(used)),) if used else ()))


def _on(state: State, room: str) -> Answer:
    """Return sentences that say who is in a room, who controls it, and what it is worth."""
    counts, tile = state.researchers.get(room), ROOMS[room]
    if counts is None:
        return (said("%(room)s isn't open yet.", room=tile.label),)
    there = said("%(room)s: %(researchers)s.", room=tile.label, researchers=_counts(state, counts))
    teleporters = state.teleporters[room]
    pads = (said("Teleporters: %(counts)s.", counts=_counts(state, teleporters)),) if any(teleporters) else ()
    return (there, _held(state, room, counts), *pads)


def _held(state: State, room: str, counts: tuple[int, ...]) -> Said:
    colour, kp = controller(state, room), room_kp(room, counts)
    if colour is not None:
        return said("%(name)s controls it: %(num)s KP.", name=name_of(state, colour), num=max(kp))
    if any(kp):
        return said("Nobody controls it: %(num)s KP each for the tied.", num=max(kp))
    return said("Nobody controls it: no KP.")


def _counts(state: State, counts: Iterable[int]) -> Said:
    named = [
        Said("%(name)s %(count)s", {"name": name_of(state, colour), "count": count})
        for colour, count in zip(state.colours, counts, strict=True)
        if count
    ]
    return listed(named) if named else said("nobody")


def _points(state: State, seat: str | None) -> Mapping[str, int]:
    return {colour: score.total for colour, score in scores(state).items()}


def _places(state: State) -> tuple[Fact, ...]:
    used = [room for room in ROOMS if room not in NOT_FOR_TWO or len(state.colours) > len(NOT_FOR_TWO)]
    return tuple(Fact(each, said("What's in %(place)s?", place=label_of(each)), place=True) for each in used)


FACTS = FactTable(
    (
        Fact(DICE, said("Which dice are where?")),
        Fact(CONTROL, said("Who controls what?")),
        Fact(CREW, said("Where are the researchers?")),
        Fact(MISSIONS, said("Which missions are there?")),
        Fact(TECHNOLOGIES, said("Which technologies are ready?")),
    ),
    {
        TURN: _turn,
        SCORE: _score,
        DICE: _dice,
        CONTROL: _control,
        CREW: _crew,
        MISSIONS: _missions,
        TECHNOLOGIES: _technologies,
    },
    _points,
    _places,
    _on,
)

"""The header of a record of the wreck: players with their species, options, the layout of tiles, and technologies."""

from __future__ import annotations

from companion.games.wreck.cards import TECHNOLOGIES, TELEPORTER, OpenTechnology, Species, species_from
from companion.games.wreck.dice import DICE
from companion.games.wreck.options import RULINGS, Options, options_from
from companion.games.wreck.rooms import NOT_FOR_TWO, ROOMS, TILES, Cell, cell_from, side_by_side
from companion.games.wreck.state import Setting
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.said import said
from companion.model.game import Seat
from companion.model.header import HeaderFields, colours_of, own_fields, pass_over_seed, rows, seat_from

FIELDS = HeaderFields("wreck", tuple(DICE), "first", RULINGS)
LEAST_TILES = 2


def setting_from(header: Line) -> Setting:
    """Parse *header*, or raise `Malformed`, which names the wrong field.

    Fields that all games share are ignored here, since the record checks them.
    """
    fields = own_fields(header)
    players = [_player(row) for row in rows(fields, "players")]
    seats, species = tuple(seat for seat, _ in players), tuple(species for _, species in players)
    if len(seats) not in FIELDS.counts:
        raise Malformed(said("players: the wreck is for 2 to 4 players, not %(count)s", count=len(seats)))
    colours = colours_of(seats)
    first = fields.word(FIELDS.first, colours)
    options = options_from(fields.take("options")) if fields.has("options") else Options()
    layout = _layout(fields.list("layout"), len(seats), options)
    technologies = _technologies(fields.list("technologies"))
    pass_over_seed(fields)
    fields.nothing_else()
    return Setting(seats, species, first, options, layout, technologies)


def connected(cells: tuple[Cell, ...]) -> bool:
    """Return whether all *cells* are connected by common sides.

    >>> connected(((0, 0), (1, 0), (1, 1))), connected(((0, 0), (1, 1)))
    (True, False)
    """
    reached, far = {cells[0]}, set(cells[1:])
    while near := {cell for cell in far if any(side_by_side(cell, other) for other in reached)}:
        reached |= near
        far -= near
    return not far


def most_tiles(players: int) -> int:
    """Return the largest number of tiles in a layout for *players* players."""
    return len(ROOMS) - len(NOT_FOR_TWO) if players == min(TILES) else len(ROOMS)


def _player(fields: Fields) -> tuple[Seat, Species]:
    seat = seat_from(fields)
    species = species_from(fields.take("species"), fields.where("species"))
    fields.nothing_else()
    return seat, species


def _layout(values: list[object], players: int, options: Options) -> tuple[Cell, ...]:
    cells = tuple(cell_from(value, f"layout[{index}]") for index, value in enumerate(values))
    least, most = (LEAST_TILES, most_tiles(players)) if options.tiles == "free" else (TILES[players],) * 2
    if not least <= len(cells) <= most:
        wanted = str(least) if least == most else said("%(least)s to %(most)s", least=least, most=most)
        raise Malformed(said("layout must have %(wanted)s tiles, not %(count)s", wanted=wanted, count=len(cells)))
    if len(set(cells)) != len(cells):
        raise Malformed(said("layout: two tiles on one cell"))
    if not connected(cells):
        raise Malformed(said("layout: every tile needs a side in common with another, back to the airlock"))
    return cells


def _technologies(values: list[object]) -> tuple[OpenTechnology, ...]:
    found = tuple(_technology(value, f"technologies[{index}]") for index, value in enumerate(values))
    if len(found) != TECHNOLOGIES or len({each.id for each in found}) != TECHNOLOGIES:
        raise Malformed(said("technologies must be 4 different ones"))
    if all(each.id != TELEPORTER for each in found):
        raise Malformed(said("technologies: the teleporter is missing"))
    return found


def _technology(value: object, where: str) -> OpenTechnology:
    fields = Fields(value, where)
    technology = OpenTechnology(fields.text("id"), fields.text("name", empty=True))
    fields.nothing_else()
    return technology

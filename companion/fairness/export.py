"""Export all draws as a CSV table, and a description of its columns as a Frictionless data package.

Source: the Data Package and Table Schema specifications, version 1 (specs.frictionlessdata.io).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from companion.fairness.draws import CubeSource, LoggedDraw
from companion.kernel.csv_text import as_csv
from companion.kernel.moments import in_utc

FILE, PACKAGE = "draws.csv", "datapackage.json"


class Column(NamedTuple):
    """A column: name, type (of a Table Schema), description, and a function that returns its value for a draw."""

    name: str
    type: str
    description: str
    of: Callable[[LoggedDraw], object]
    constraints: dict[str, Any] = {}  # noqa: RUF012 - never changed


def _under(draw: LoggedDraw, colour: str) -> int:
    return draw.under.get(colour, 0)


def _total(draw: LoggedDraw) -> int:
    return sum(draw.under.values())


def _share(draw: LoggedDraw, colour: str) -> float | None:
    return round(_under(draw, colour) / _total(draw), 6) if colour and _total(draw) else None


def _corrected(draw: LoggedDraw) -> bool:
    return draw.let_out.read_as not in (None, *draw.out)


def _utc(draw: LoggedDraw) -> str:
    return in_utc(draw.wall_ms / 1000)


_REQUIRED = {"required": True}
COLUMNS = (
    Column("game", "integer", "the game's number in its ledger", lambda draw: draw.game_id, _REQUIRED),
    Column("kind", "string", "which game was played", lambda draw: draw.game, _REQUIRED),
    Column("row", "integer", "the draw's row in the ledger", lambda draw: draw.row, {"required": True, "unique": True}),
    Column("at_s", "number", "seconds on the game's clock, pauses left out", lambda draw: draw.at_ms / 1000, _REQUIRED),
    Column("utc", "datetime", "when it was drawn, in UTC", _utc, _REQUIRED),
    Column(
        "player",
        "string",
        "name of the player who drew; empty in games in which players don't draw for themselves",
        lambda draw: draw.name,
    ),
    Column("seat", "string", "colour of the player who drew", lambda draw: draw.seat),
    Column("place", "string", "the place that was drawn from, as records name it", lambda draw: draw.place),
    Column("under", "object", "what lay there before, by colour", lambda draw: json.dumps(dict(draw.under)), _REQUIRED),
    Column("cubes", "integer", "how many that were", _total, _REQUIRED),
    Column(
        "out", "array", "what came out: one colour, or several at once", lambda draw: json.dumps(draw.out), _REQUIRED
    ),
    Column("own", "integer", "how many of the drawer's own lay there", lambda draw: _under(draw, draw.seat), _REQUIRED),
    Column("chance_of_own", "number", "the chance of one of those by even odds", lambda draw: _share(draw, draw.seat)),
    Column(
        "chance", "number", "the chance of what came out by even odds, where one came alone", lambda draw: _alone(draw)
    ),
    Column("source", "string", "who let it out", lambda draw: draw.let_out.source, {"enum": [*map(str, CubeSource)]}),
    Column("ring", "string", "the ring's own name; empty when the draw was typed in", lambda draw: draw.let_out.ring),
    Column(
        "read_as", "string", "what the ring took it for; empty when it was not sure", lambda draw: draw.let_out.read_as
    ),
    Column("confidence", "number", "how sure of the likeliest colour it was", lambda draw: draw.let_out.chance),
    Column("asked", "boolean", "whether the table had to say what it was", lambda draw: _truth(draw.let_out.by_hand)),
    Column(
        "corrected",
        "boolean",
        "whether it counted as another colour than was read",
        lambda draw: _truth(_corrected(draw)),
    ),
    Column("undone", "string", "why the draw was taken back; empty if it wasn't", lambda draw: draw.undone),
    Column(
        "evidence", "boolean", "whether it counts in `companion fairness`", lambda draw: _truth(draw.counts), _REQUIRED
    ),
    Column(
        "raw",
        "array",
        "what the ring sent, line by line (hardware/PROTOCOL.md)",
        lambda draw: json.dumps(draw.let_out.raw),
    ),
)


def as_table(draws: Iterable[LoggedDraw]) -> str:
    """Return *draws* as CSV (RFC 4180, UTF-8), one row per draw, including undone draws."""
    return as_csv((column.name for column in COLUMNS), ([column.of(draw) for column in COLUMNS] for draw in draws))


def data_package(program: str) -> dict[str, Any]:
    """Return the descriptor of the table. *program* is the name and version of the program that made the table."""
    fields = [
        {"name": each.name, "type": each.type, "description": each.description}
        | ({"constraints": each.constraints} if each.constraints else {})
        for each in COLUMNS
    ]
    return {
        "profile": "tabular-data-package",
        "name": "draws",
        "title": "Cubes drawn from rings, bags and towers",
        "description": f"Every draw of a ledger, one row each, by {program}.",
        "resources": [
            {
                "profile": "tabular-data-resource",
                "name": "draws",
                "path": FILE,
                "encoding": "utf-8",
                "format": "csv",
                "schema": {"fields": fields, "missingValues": [""], "primaryKey": "row"},
            }
        ],
    }


def _alone(draw: LoggedDraw) -> float | None:
    return _share(draw, draw.out[0]) if len(draw.out) == 1 else None


def _truth(value: bool) -> str:
    return "true" if value else "false"

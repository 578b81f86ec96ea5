"""No lookup table decides by a default: a table whose set of keys is closed has all of them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pytest

from companion.games.hanse.state import Phase as HansePhase
from companion.games.wreck.dice import SYMBOLS
from companion.games.wreck.researchers import STEPS
from companion.ledger.merging import NUMBERED
from companion.ledger.row import RowKind
from companion.model.countdown import NAMING
from companion.model.snapshot import Asked
from companion.ports.ring import RingEventKind
from firmware_bridge.calibration.messages import NOT_COUNTED
from tests.product_source import files
from web.games.andromeda import phone
from web.games.andromeda.trading.seats import ANSWER, DECIDE, KEEP, LAY, TRADE
from web.games.draws import open_table
from web.games.hanse import rules_cards as hanse_cards

ROOMS = ("companion", "firmware_bridge", "web")
OPEN: Mapping[str, str] = {
    "app.py: MOST": "an address",
    "board.py: _RECORDED": "a name that somebody typed",
    "board.py: _SHIPPED": "a name that somebody typed",
    "calibration.py: ONWARDS": "a step of the wizard, which leads back to the wizard",
    "devices.py: _WORDS": "a number of the system",
    "rules_cards.py: written out": "an address",
    "console.py: COLOURS": "a colour that a game may name as it likes",
    "error_pages.py: TITLES": "a status of HTTP",
    "error_pages.py: WHAT_NOW": "a status of HTTP",
    "decisions.py: split": "a seat of a game, which most decisions do not name",
    "faults.py: WHY": "a word of a judgement that somebody else may have written",
    "gateway.py: MOST": "an address",
    "i18n.py: NOW": "a sentence",
    "logged_draws.py: _SOURCES": "by what a row came",
    "new_game.py: form": "a field of a form",
    "open_table.py: written out": "a number",
    "ring.py: GLARE": "a fault by its name: any other changes nothing",
    "ring.py: LIGHT_CHANGES": "a fault by its name: any other changes nothing",
    "said.py: _SPOKEN": "a word",
    "salvage.py: INDEX": "a byte",
    "pages.py: WHY": "a status of HTTP",
    "endpoint_access.py: ACCESS": "an endpoint: one that isn't declared is the host's",
    "gpio_address.py: ADDRESS_KEYS": "a key of an address; `bus` and `light` are fields of these names",
    "random_policy.py: RARELY": "a weight by which random games choose",
    "ring.py: VERDICTS": "what a hand does, by its name: most are told as one event of that name",
    "ring.py: FILTERED": "a counter as the ring calls it",
    "slides.py: VERDICTS": "what a hand does, by its name: most are told as one event of that name",
    "storage.py: _ERRNO": "a number of the system",
    "wizard.py: references": "a reference, which may not have been taken yet",
}
"""Tables that are read with a default, and the open set to which their keys belong."""
COMPLETE: Mapping[str, tuple[Mapping[Any, object], Collection[object]]] = {
    "the rules card of a phase of the Hanse": (hanse_cards.PHASES, HansePhase),
    "steps of a die": (STEPS, SYMBOLS),
    "numbers of rows in a row": (NUMBERED, RowKind),
    "why a passage isn't counted": (NOT_COUNTED, set(RingEventKind) - {RingEventKind.OUT}),
    "what is asked of a passage": (open_table.ASKS, Asked),
    "what a phone asks of who leads the trading": (phone.ASKS, {LAY, ANSWER, NAMING, KEEP, DECIDE, TRADE}),
}
"""Tables keyed by a closed set, and all values of that set."""


def deciding_defaults(source: str) -> Iterator[str]:
    """Yield each literal table in *source* that is read with a default other than nothing."""
    tree = ast.parse(source)
    tables = {name for node in ast.walk(tree) for name in _written_out(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, default]) if not _is_nothing(default):
                name = _name(table)
                if isinstance(table, ast.Dict) or name in tables or name.strip("_").isupper():
                    yield name or "written out"


def _written_out(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[_, *_])):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict(keys=[_, *_])):
            yield name


def _name(table: ast.expr) -> str:
    match table:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _is_nothing(default: ast.expr) -> bool:
    match default:
        case ast.Constant(value=value):
            return not value
        case ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case _:
            return False


def test_no_table_decides_by_a_default() -> None:
    """Tables: each table read with a default that acts is listed with its open set of keys."""
    asked = ((path, name) for path, text in files(".get(", rooms=ROOMS) for name in deciding_defaults(text))

    assert [f"{path}: {name}" for path, name in asked if f"{path.rpartition('/')[2]}: {name}" not in OPEN] == []


@pytest.mark.parametrize("name", COMPLETE)
def test_a_table_over_a_closed_kind_is_complete(name: str) -> None:
    """Tables keyed by a phase, command, kind or step have exactly all of these keys."""
    table, kinds = COMPLETE[name]

    assert set(table) == set(kinds)


@pytest.mark.parametrize(
    ("asked", "decides"),
    [
        ("PHASES.get(kind, TURN)", True),
        ("{LAY: 'lay'}.get(step, _('swap'))", True),
        ("table.get(kind, other())", True),
        ("PHASES.get(kind, '')", False),
        ("PHASES.get(kind)", False),
        ("fields.get(kind, other)", False),
    ],
)
def test_a_deciding_default_is_seen(asked: str, decides: bool) -> None:
    """Tables: the check finds lookups whose default is a constant or a variable; an empty default decides nothing."""
    assert bool(list(deciding_defaults(f"table = {{1: 2}}\nfound = {asked}\n"))) is decides

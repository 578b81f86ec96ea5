"""How many files an action of a game touches, which events have no spoken sentence, and how much code each game has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.figures.imports import Edges, reach
from tests.figures.product import code_lines, sources, tree_of
from tests.product_source import files

ACTS = {"andromeda": "excuse", "hanse": "tunnel", "wreck": "fulfil", "draws": "throw"}
"""One action of each game, by a word that is used for little else.

A draw table has no such word; *throw* is the rarest.
"""
ROWS = {"Telling", "Silent"}
"""What the table of sentences has for an event."""


def mentions(root: Path, word: str) -> list[str]:
    """Return the product's files that contain *word*, in any case, also as part of a word. Catalogues are not searched.

    It is ``git grep -l -i WORD -- 'companion/*.py' 'web/*.py' 'web/*.html'``.
    """
    searched = (*files(rooms=("companion",), root=root), *files(rooms=("web",), suffixes=(".py", ".html"), root=root))
    return [path for path, text in searched if word in text.lower()]


def unspoken(root: Path, game: str) -> tuple[list[str], int]:
    """Return the events of *game* without a row in its tables of sentences, and the number of its events.

    An event that is declared silent has a row. Example: ``["Dealt"], 25``
    """
    own = _of_game(root, f"companion.games.{game}.")
    events = list(_members("Event", own))
    named = {each for text in own.values() for node in ast.walk(tree_of(text)) for each in _named(node)}
    return [each for each in events if each not in named], len(events)


def _named(node: ast.AST) -> Iterator[str]:
    """Yield the classes that have a row in a table of sentences."""
    if isinstance(node, ast.Dict):
        for key, row in zip(node.keys, node.values, strict=True):
            if key is not None and isinstance(row, ast.Call) and ast.unparse(row.func) in ROWS:
                yield ast.unparse(key).rpartition(".")[2]


def _members(union: str, own: Mapping[str, str]) -> Iterator[str]:
    """Yield the classes of a union in one of these modules. Unions inside it are expanded.

    ``offers.Event`` is the union in the module `offers`. A name alone is searched in its own module, then in all
    modules.
    """
    unions = {
        (name.rpartition(".")[2], ast.unparse(node.targets[0])): ast.unparse(node.value).strip("()").split(" | ")
        for name, text in own.items()
        for node in tree_of(text).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp)
    }
    waiting = [("rules", union)]
    while waiting:
        module, name = waiting.pop(0)
        found = (module, name) if (module, name) in unions else next((key for key in unions if key[1] == name), None)
        if found is None:
            yield name
            continue
        parts = [each.rpartition(".") for each in unions[found]]
        waiting = [(chapter or found[0], each) for chapter, _, each in parts] + waiting


class GameLines(NamedTuple):
    """A game's lines of code: those that ``decide`` and ``evolve`` need, those in companion/games, and all of them."""

    rules: int
    companion: int
    all_of_it: int


def lines_of_game(root: Path, game: str, imports: Edges) -> GameLines:
    """Return how many lines of code *game* has of its own. Another game of its size would need as many.

    The rules are the modules of the game that its ``rules`` module reaches by *imports*.
    Example: ``GameLines(rules=1254, companion=2345, all_of_it=4026)``
    """
    own, pages = _of_game(root, f"companion.games.{game}."), _of_game(root, f"web.games.{game}.")
    start = f"companion.games.{game}.rules"
    rules = {start, *reach({name: imports.get(name, set()) & own.keys() for name in own}, start)} & own.keys()
    companion = sum(map(code_lines, own.values()))
    return GameLines(
        sum(code_lines(own[name]) for name in rules), companion, companion + sum(map(code_lines, pages.values()))
    )


def _of_game(root: Path, below: str) -> dict[str, str]:
    return {name: text for name, text in sources(root).items() if name.startswith(below)}

"""How far an act of a game is scattered, what is never said aloud, and how much code a game of its own has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.figures.product import ROOMS, code_lines, sources, tree_of

ACTS = {"andromeda": "excuse", "hanse": "tunnel", "wreck": "fulfil", "draws": "tally"}
"""An act of each game by a word that stands for nothing else."""
SUFFIXES = (".py", ".html")


def mentions(root: Path, word: str) -> list[str]:
    """Return the product's files, catalogues not counted, that hold *word* in any case."""
    found = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in SUFFIXES and word in path.read_text("utf-8").lower():
                found.append(str(path.relative_to(root)))
    return found


def unspoken(root: Path, game: str) -> tuple[list[str], int]:
    """Return the events of *game* that its speech names nowhere, and how many events it has."""
    texts = sources(root)
    events = list(
        _members("Event", [text for name, text in texts.items() if name.startswith(f"companion.games.{game}.")])
    )
    speech = " ".join(
        text for name, text in texts.items() if re.fullmatch(rf"companion\.games\.{game}\.speech\w*", name)
    )
    return [each for each in events if not re.search(rf"\b{each}\b", speech)], len(events)


def _members(union: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield the classes of a union that one of these modules defines, those of unions in it one by one."""
    unions = {
        ast.unparse(node.targets[0]): [each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)]
        for text in texts
        for node in tree_of(text).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp)
    }
    waiting = [union]
    while waiting:
        name = waiting.pop(0)
        if name in unions:
            waiting = [*unions[name], *waiting]
        else:
            yield name


def lines_of_game(root: Path, game: str) -> tuple[int, int]:
    """Return the lines of code of a game's rules, and of all that is its own: rules, speech and pages."""
    texts = sources(root)
    rules = [text for name, text in texts.items() if name.startswith(f"companion.games.{game}.")]
    pages = [text for name, text in texts.items() if name.startswith(f"web.games.{game}.")]
    return sum(map(code_lines, rules)), sum(map(code_lines, (*rules, *pages)))

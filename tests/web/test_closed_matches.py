"""The default branch of a `match` performs no action: for an unknown value it raises an error or returns nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.product_source import files

ROOMS = ("web", *(f"companion/{room}" for room in ("console", "events", "games", "model", "session", "speech")))
ENDS = ("assert_never", "abort")
"""What a default branch may call: both raise."""


def acting_defaults(source: str) -> Iterator[int]:
    """Yield the lines of a `case _`, or of a bare name, that does more than raise or return an empty value."""
    for node in ast.walk(ast.parse(source)):
        default = isinstance(node, ast.match_case) and node.guard is None and _is_wildcard(node.pattern)
        if default and not all(map(_does_nothing, node.body)):
            yield node.body[0].lineno


def _is_wildcard(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise() | ast.Pass() | ast.Continue():
            return True
        case ast.Return(value=None | ast.Constant()):
            return True
        case ast.Return(value=ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[])):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) | ast.Return(value=ast.Call(func=ast.Name(id=name))):
            return name in ENDS
        case _:
            return False


def test_no_default_branch_acts() -> None:
    """In a `match`, every branch that acts names its values; a default branch raises or returns nothing."""
    found = [f"{path}:{line}" for path, text in files("case ", rooms=ROOMS) for line in acting_defaults(text)]

    assert found == []


@pytest.mark.parametrize(
    ("body", "acts"),
    [
        ("return reactor(state)", True),
        ("found.append(1)", True),
        ("return other", True),
        ("return ()", False),
        ("return None", False),
        ("raise ValueError", False),
        ("assert_never(room)", False),
    ],
)
def test_what_acts_is_seen(body: str, acts: bool) -> None:
    """Matches: a call or a name in a default branch counts as acting, but an error, a constant or nothing doesn't."""
    source = f"match room:\n    case 'hangar':\n        pass\n    case _:\n        {body}\n"

    assert bool(list(acting_defaults(source if "return" not in body else "def f():\n" + _indented(source)))) is acts


def _indented(source: str) -> str:
    return "".join(f"    {line}\n" for line in source.splitlines())

"""The board's code uses only the subset that MicroPython supports."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from firmware_bridge import device

MODULES = sorted(Path(device.__file__).parent.glob("*.py"))
ALLOWED = {"binascii"}


def trees() -> list[tuple[str, ast.Module]]:
    """Return the syntax tree of each module of the wire."""
    return [(path.name, ast.parse(path.read_text())) for path in MODULES]


@pytest.mark.parametrize(("name", "tree"), trees())
def test_only_what_a_board_has_is_imported(name, tree):
    """The board's modules import only `binascii` and each other, not typing, enum or dataclasses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= ALLOWED, name
        if isinstance(node, ast.ImportFrom):
            assert node.level == 1 or node.module in ALLOWED, name


@pytest.mark.parametrize(("name", "tree"), trees())
def test_no_syntax_is_used_that_a_board_does_not_know(name, tree):
    """The board's modules use no match, exception groups, positional-only arguments or unpacking in displays."""
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Match | ast.TryStar), name
        if isinstance(node, ast.arguments):
            assert not node.posonlyargs, name
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            assert not any(isinstance(each, ast.Starred) for each in node.elts), name
        if isinstance(node, ast.Dict):
            assert None not in node.keys, name


@pytest.mark.parametrize(("name", "tree"), trees())
def test_nothing_is_called_that_a_board_s_types_do_not_have(name, tree):
    """The board's modules call no method of str or bytes that MicroPython lacks."""
    missing = {
        "isascii",
        "zfill",
        "removeprefix",
        "removesuffix",
        "casefold",
        "isidentifier",
        "bit_length",
        "format_map",
    }
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    assert not called & missing, name


@pytest.mark.parametrize(("name", "tree"), trees())
def test_no_time_is_a_float(name, tree):
    """No time is a float: a board's floats have 24 bits, too few for microseconds after 17 seconds."""
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), name
        assert not isinstance(node, ast.Div), name


def test_there_is_something_to_check():
    """The wire's modules were found."""
    assert len(MODULES) >= 7

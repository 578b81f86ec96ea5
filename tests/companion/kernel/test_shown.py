"""The repr of mutable objects: which attributes it shows, and that it never shows secrets."""

from __future__ import annotations

import ast
import re

import pytest

from companion.kernel.shown import LONGEST, shows
from tests.product_source import files

SECRET = re.compile(r"pin|token|secret|seed|csrf|cookie|key|password|salt|text", re.IGNORECASE)


@shows("_queue", "closed", "_title", "later")
class Printer:
    """A printer with a queue."""

    def __init__(self, title: str = "") -> None:
        self._queue, self.closed, self._title = ["a page"], False, title


def test_an_object_shows_what_its_class_names():
    """Objects: the repr shows numbers and strings unchanged, collections' lengths, and ? for a missing attribute."""
    assert repr(Printer("red")) == "<Printer queue=1 closed=False title='red' later=?>"


def test_what_is_long_is_cut():
    """Objects: a long attribute is truncated in the repr."""
    assert len(repr(Printer("x" * 500))) < 2 * LONGEST


@pytest.mark.parametrize("path", [path for path, _ in files("@shows(")])
def test_no_class_shows_a_secret(path):
    """Objects: no repr shows a PIN, token, key or seed."""
    text = dict(files("@shows("))[path]
    shown = [
        each.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "shows"
        for each in decorator.args
        if isinstance(each, ast.Constant)
    ]

    assert [name for name in shown if SECRET.search(str(name))] == []


@pytest.mark.parametrize("path", [path for path, _ in files("@shows(")])
def test_what_a_class_shows_is_there(path):
    """Objects: each attribute named for the repr exists in its class."""
    text = dict(files("@shows("))[path]
    missing = [
        f"{node.name}.{each.value}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "shows"
        for each in decorator.args
        if isinstance(each, ast.Constant) and f"self.{each.value}" not in text
    ]

    assert missing == []

"""A module of macros is made once in a render, unless a name that it takes from the context has changed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from flask import Flask
from jinja2 import DictLoader

from web.http.reused_modules import ReusingEnvironment

TEMPLATES = {
    "parts.html": "{% set number = made() %}{% macro part() %}{{ number }}{{ colour }} {% endmacro %}",
    "play.html": '{% import "parts.html" as parts with context %}{% macro play() %}{{ parts.part() }}{% endmacro %}',
    "twice.html": (
        '{% import "parts.html" as parts with context %}{% import "play.html" as play with context %}'
        "{{ parts.part() }}{{ play.play() }}"
    ),
    "each.html": (
        '{% for colour in ("red", "blue", "red") %}{% import "play.html" as play with context %}'
        "{{ play.play() }}{% endfor %}"
    ),
    "any.html": (
        '{% for other in ("base.html", "base.html") %}{% import "named.html" as named with context %}'
        "{{ named.number }} {% endfor %}"
    ),
    "named.html": "{% import other as play with context %}{% set number = made() %}",
    "base.html": "{% block main %}{% endblock %}",
    "block.html": (
        '{% extends "base.html" %}{% import "play.html" as play with context %}'
        '{% block main %}{% import "play.html" as play with context %}{{ play.play() }}{% endblock %}'
    ),
    "facts.html": (
        '{% for colour in ("red", "blue") %}{% import "around.html" as around with context %}'
        "{{ around.shown() }}{% endfor %}"
    ),
    "around.html": '{% macro shown() %}{% include "inner.html" %}{% endmacro %}',
    "inner.html": "{{ colour }} ",
}


@pytest.fixture
def environment() -> Iterator[ReusingEnvironment]:
    """The templates, and a function that counts how often `parts.html` was made."""
    made = count(1)
    app = Flask("web")
    with app.app_context():
        environment = ReusingEnvironment(app, loader=DictLoader(TEMPLATES))
        environment.globals["made"] = lambda: next(made)
        yield environment


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("twice.html", "1green 1green "),
        ("each.html", "1red 2blue 1red "),
        ("block.html", "1green "),
        ("facts.html", "red blue "),
    ],
)
def test_a_module_is_made_once_for_the_same_names(environment: ReusingEnvironment, page: str, shown: str) -> None:
    """Templates that import a module share it, also through other modules, blocks and inclusions, but only while the
    names that it takes from the context are the same objects."""
    assert environment.get_template(page).render(colour="green") == shown


def test_each_render_makes_its_own_modules(environment: ReusingEnvironment) -> None:
    """A module lasts as long as its render."""
    page = environment.get_template("twice.html")

    assert [page.render(colour="green"), page.render(colour="pink")] == ["1green 1green ", "2pink 2pink "]


def test_a_module_with_an_import_that_is_named_late_is_made_each_time(environment: ReusingEnvironment) -> None:
    """What a template needs is unknown if it imports a template whose name is a variable, so it is never reused."""
    assert environment.get_template("any.html").render() == "1 2 "

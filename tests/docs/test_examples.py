"""The examples in docstrings print what they show."""

from __future__ import annotations

import doctest
import re
from importlib import import_module

import pytest

from tests.product_source import files

ROOMS = ("companion", "firmware_bridge", "web", "hardware", "tests")
EXAMPLE = re.compile(r"^ *>>> ", re.MULTILINE)
MODULES = sorted(
    path.removesuffix(".py").replace("/", ".") for path, text in files(">>> ", rooms=ROOMS) if EXAMPLE.search(text)
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_print_what_they_say(module: str) -> None:
    """The examples of a module print the results written below them."""
    result = doctest.testmod(import_module(module.removesuffix(".__init__")))

    assert result.attempted
    assert result.failed == 0

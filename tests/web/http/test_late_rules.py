"""Routes whose URL builder is compiled on first use."""

from __future__ import annotations

import pytest
from werkzeug.exceptions import NotFound
from werkzeug.routing import BuildError, Map, Rule

from web.app import LateRule

RULES = {"plain": "/table", "item": "/games/<int:number>/cards/<name>", "defaulted": "/page/<int:number>"}


@pytest.fixture(params=[Rule, LateRule])
def address(request):
    """The URLs of a small site, with Werkzeug's rules or with late rules."""
    made = Map([request.param(rule, endpoint=name) for name, rule in RULES.items() if name != "defaulted"])
    made.add(request.param("/page/", endpoint="defaulted", defaults={"number": 1}))
    made.add(request.param(RULES["defaulted"], endpoint="defaulted"))
    return made.bind("here")


def test_addresses_are_built_as_by_any_rule(address):
    """Late rules: values are filled in and quoted, others go into the query, and repeated calls give the same URL."""
    for _ in range(2):
        assert address.build("plain") == "/table"
        assert address.build("plain", {"rule": "a b"}) == "/table?rule=a+b"
        assert address.build("item", {"number": 3, "name": "b c"}) == "/games/3/cards/b%20c"
        assert address.build("defaulted", {"number": 1}) == "/page/"
        assert address.build("defaulted", {"number": 2}) == "/page/2"


def test_what_cannot_be_built_is_said_as_by_any_rule(address):
    """Late rules: building a URL with a missing or invalid value is an error."""
    with pytest.raises(BuildError):
        address.build("item", {"number": 3})
    with pytest.raises(ValueError, match="invalid literal"):
        address.build("item", {"number": "three", "name": "x"})


def test_addresses_are_matched_as_by_any_rule(address):
    """Late rules: URLs are matched even before any URL was built."""
    assert address.match("/games/3/cards/x") == ("item", {"number": 3, "name": "x"})
    with pytest.raises(NotFound):
        address.match("/games/three/cards/x")


def test_nothing_is_compiled_before_an_address_is_built():
    """Late rules: adding a rule compiles nothing; each way of building compiles it once."""
    compiled = []

    class Counted(Rule):
        def _compile_builder(self, append_unknown=True):
            compiled.append(append_unknown)
            return super()._compile_builder(append_unknown)

    class Late(LateRule, Counted):
        pass

    address = Map([Late("/a/<name>", endpoint="a")]).bind("here")
    assert compiled == []

    assert [address.build("a", {"name": each}) for each in "xy"] == ["/a/x", "/a/y"]
    assert compiled == [True]

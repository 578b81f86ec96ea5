"""The host names under which the server answers."""

from __future__ import annotations

import pytest

from web.server.gateway import own

OURS = ["192.168.1.7", "192.168.1.7:8000", "[::1]:8000", "[fe80::1]", "localhost", "companion", "companion.local:80"]
OURS += ["ring-companion.fritz.box", "pi.lan", "PI.LOCAL", "companion.local."]
OTHERS = ["", ":80", "evil.example", "evil.example:80", "192.168.1.7.evil.example", "local.evil.com", "a b", "1.2.3"]


@pytest.mark.parametrize("host", OURS)
def test_numbers_and_names_of_the_home_are_ours(host: str) -> None:
    """Host: IP addresses, single words, and the suffixes of home networks are accepted."""
    assert own(host)


@pytest.mark.parametrize("host", OTHERS)
def test_public_names_are_not_ours(host: str) -> None:
    """Host: a name that a stranger could point at this machine is refused."""
    assert not own(host)


def test_a_house_may_have_a_name_of_its_own() -> None:
    """Host: a name that the configuration allows is accepted."""
    assert own("game.example.org:8000", {"game.example.org"})

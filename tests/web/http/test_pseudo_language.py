"""A new language needs one row of the table and one catalogue: tested with a pseudo-language added to a running server.

`test_said*.py` read the pages of the ring and of every game in that language; `test_longer_words.py` measures them.
"""

from __future__ import annotations

import re
from http.client import HTTPConnection
from pathlib import Path

import pytest

from companion.kernel.said import said
from tests.web.conftest import opened
from tests.web.markup import flat
from tests.web.pretended import PSEUDO, pseudo, unsaid, with_pseudo
from tests.web.served_house import ServedHouse
from web.games.registry import COVERS
from web.http.i18n import decimals, grouped, said_in, translated

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "companion" / "kernel" / "languages.py"


def test_it_is_chosen_on_the_page_of_languages(site: ServedHouse, tmp_path: Path) -> None:
    """Languages: the page offers a new language under its own name, and one tap switches to it."""
    site.app.config["LANGUAGES"] = with_pseudo(tmp_path)
    host = site.host()
    offered = flat(host.get("/device"))
    chosen = host.post("/language", language=PSEUDO.code, next="/games")

    assert f'value="{PSEUDO.code}" lang="{PSEUDO.code}"' in offered and PSEUDO.name in offered
    assert chosen == (303, "/games")
    assert '<html lang="zz" data-dates="en-GB"' in host.get("/games")
    assert unsaid(host.get("/games")) == []


def test_a_browser_can_ask_for_it(site: ServedHouse, tmp_path: Path) -> None:
    """A browser that prefers the new language gets it; until the language is added, it gets its second choice."""
    before = site.visitor().get("/", headers={"Accept-Language": "zz-ZZ,nl;q=0.5"}).get_data(as_text=True)
    site.app.config["LANGUAGES"] = with_pseudo(tmp_path)
    after = site.visitor().get("/", headers={"Accept-Language": "zz-ZZ,nl;q=0.5"}).get_data(as_text=True)

    assert '<html lang="nl"' in before
    assert '<html lang="zz"' in after


def test_its_numbers_have_its_own_marks(site: ServedHouse, tmp_path: Path) -> None:
    """Languages: numbers have the language's decimal and thousands separators, even inside sentences."""
    bounds = said("a number from %(least)s to %(most)s", least=0.5, most=2)
    filled = pseudo(bounds.pattern) % {"least": "0·5", "most": 2}
    site.app.config["LANGUAGES"] = offered = with_pseudo(tmp_path)

    with site.app.test_request_context(headers={"Accept-Language": PSEUDO.code}):
        assert (decimals(1234.5), grouped(1234567)) == ("1234·5", "1’234’567")
        assert translated(bounds) == filled
    assert said_in(bounds, PSEUDO.code, offered) == filled


def test_a_refusal_before_any_page_is_in_it(site: ServedHouse, tmp_path: Path) -> None:
    """Languages: refusals by the gateway are in the language of the device, too."""
    site.app.config["LANGUAGES"] = with_pseudo(tmp_path)

    with opened(site) as port:
        connection = HTTPConnection("127.0.0.1", port.port, timeout=60)
        head = {"Host": "elsewhere.example", "Accept": "text/html", "Cookie": f"language={PSEUDO.code}"}
        connection.request("GET", "/", headers=head)
        answer = connection.getresponse()
        page = answer.read().decode()
        connection.close()

    assert answer.status == 421
    assert unsaid(page) == []


def test_what_a_page_does_not_say_in_it_is_found() -> None:
    """Languages: the check finds words outside brackets, numbers with other separators, and a wrong `lang`."""
    assert unsaid('<html lang="zz"><p>⟦Žï⟧ Ana 1·5 1’234</p>', ("Ana",)) == []
    assert unsaid('<html lang="nl"><p>⟦Žï 2,5⟧ Go 1.234</p>') == ["lang: nl", "Go 1.234", "2,5", "1.234"]
    assert unsaid("<p>⟦ring 1.4.0 at 192.168.1.2:8000, 3:00⟧</p>") == []


@pytest.mark.parametrize("sentence", ["%(name)s lays", "Read <b>{time}</b> and 50%%", "OK", ""])
def test_a_pseudo_sentence_is_longer_and_keeps_its_gaps(sentence: str) -> None:
    """Languages: the pseudo-language makes a sentence a third longer, and keeps its placeholders and markup."""
    found = pseudo(sentence)
    letters = len(re.sub(r"%\(\w+\)s|%%|\{\w+\}|<[^>]*>", "", sentence))

    assert re.findall(r"%\(\w+\)s|%%|\{\w+\}|<[^>]*>", found) == re.findall(r"%\(\w+\)s|%%|\{\w+\}|<[^>]*>", sentence)
    grown = len(found) - (len(sentence) - letters)
    assert grown == letters + 2 or 1.35 * letters <= grown <= 1.35 * letters + 1


def test_every_game_is_read_in_it() -> None:
    """Languages: each game of the registry has a test that reads its pages in the pseudo-language."""
    read = {path.parent.name for path in (ROOT / "tests" / "web" / "games").glob("*/test_said.py")}

    assert read == set(COVERS)


def test_one_table_lists_the_languages() -> None:
    """Languages: only the language table names Dutch or German; no other module, script or template does."""
    sources = [
        path
        for folder in ("companion", "firmware_bridge", "web")
        for kind in ("py", "js", "html", "css")
        for path in (ROOT / folder).rglob(f"*.{kind}")
    ]
    naming = [path for path in sources if re.search(r"""["'](nl|de)["'-]""", path.read_text(encoding="utf-8"))]

    assert naming == [TABLE]

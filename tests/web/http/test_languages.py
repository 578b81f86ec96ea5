"""Each device has its own language: the one chosen on it, or else the browser's preferred one, or else English."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from markupsafe import Markup

from companion.kernel.languages import LANGUAGES
from companion.kernel.said import said, said_n, word
from tests.web.markup import flat
from tests.web.served_house import ServedHouse
from web.http.formatting import age, date, day, in_utc, lately, listed, named
from web.http.i18n import _, decimals, grouped, ngettext, translated


def language_of(page: str) -> str:
    return page.partition('<html lang="')[2].partition('"')[0]


def choose(site: ServedHouse, language: str, onwards: str = "/games") -> tuple[int, str, str]:
    """Choose a language; return the status, the redirect, and the cookie that is set."""
    visitor = site.visitor()
    page = visitor.get("/pin").get_data(as_text=True)
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    answer = visitor.post("/language", data={"csrf": csrf, "language": language, "next": onwards})
    return answer.status_code, answer.headers.get("Location", ""), answer.headers.get("Set-Cookie", "")


@pytest.mark.parametrize(
    ("asks", "reads"),
    [
        ("nl-BE,nl;q=0.9,en;q=0.5", "nl"),
        ("de-AT", "de"),
        ("xx,de;q=0.4", "de"),
        ("xx", "en"),
        ("", "en"),
        ("en-GB,de;q=0.8", "en"),
        ("en;q=0, de;q=0.1", "de"),
        ("*", "en"),
        ("\x00;q=x", "en"),
    ],
)
def test_a_browser_asks_for_a_language(site: ServedHouse, asks: str, reads: str) -> None:
    """Language: a page uses the browser's first supported language, or else English."""
    page = site.visitor().get("/", headers={"Accept-Language": asks}).get_data(as_text=True)

    assert language_of(page) == reads


def test_a_device_keeps_what_it_has_chosen(site: ServedHouse) -> None:
    """Language: the choice lasts a year, and only on this device."""
    status, onwards, kept = choose(site, "de")

    assert (status, onwards) == (303, "/games")
    assert kept.startswith("language=de;")
    assert "Max-Age=31536000" in kept
    assert "SameSite=Lax" in kept
    assert language_of(site.visitor().get("/").get_data(as_text=True)) == "en"


def test_the_choice_stands_above_what_the_browser_asks_for(site: ServedHouse) -> None:
    """Language: the chosen language takes precedence over the browser's, and an invalid cookie is ignored."""
    visitor = site.visitor()
    for cookie, reads in (("de", "de"), ("en", "en"), ("xx", "nl"), ("", "nl")):
        visitor.set_cookie("language", cookie)
        page = visitor.get("/", headers={"Accept-Language": "nl"}).get_data(as_text=True)

        assert language_of(page) == reads, cookie


@pytest.mark.parametrize("language", ["xx", "", "../en", "EN"])
def test_a_language_that_there_is_not_is_no_page(site: ServedHouse, language: str) -> None:
    """Language: choosing an unknown language gives 404 and sets no cookie."""
    status, _onwards, kept = choose(site, language)

    assert status == 404
    assert "language=" not in kept


def test_the_choice_sends_nobody_away(site: ServedHouse) -> None:
    """Language: the redirect leads to a page of this server, whatever the form contains."""
    assert choose(site, "nl", "https://elsewhere.example/")[1] == "/"


def test_what_is_kept_on_the_way_tells_languages_apart(site: ServedHouse) -> None:
    """Language: `Vary` says that a page depends on the cookie and on Accept-Language."""
    vary = site.visitor().get("/").headers["Vary"]

    assert {"Cookie", "Accept-Language"} <= {name.strip() for name in vary.split(",")}


def test_every_language_is_offered_under_its_own_name(site: ServedHouse) -> None:
    """Language: the device's page offers every language, with its `lang`, and marks the current one."""
    page = site.visitor().get("/device", headers={"Accept-Language": "nl"}).get_data(as_text=True)

    for code, each in LANGUAGES.items():
        assert f'value="{code}" lang="{code}"' in flat(page)
        assert f">{each.name}<" in flat(page).replace("> ", ">").replace(" <", "<")
    assert 'value="nl" lang="nl" aria-current="true"' in flat(page)


def test_outside_of_a_request_everything_is_english() -> None:
    """Words: outside of a request, a sentence is returned as it is written."""
    assert _("%(name)s lays", name="Ana") == "Ana lays"
    assert ngettext("%(num)s card", "%(num)s cards", 1) == "1 card"
    assert ngettext("%(num)s card", "%(num)s cards", 0) == "0 cards"
    assert translated(said_n("%(num)s cube", "%(num)s cubes", 2)) == "2 cubes"
    assert translated(None) is None
    assert _("50 % sure") == "50 % sure"


def test_a_sentence_within_a_sentence_is_translated_too(site: ServedHouse) -> None:
    """Words: values in a sentence are translated like the rest of it."""
    sentence = said("Nobody plays %(colour)s.", colour=word("red"))

    with site.app.test_request_context(headers={"Accept-Language": "de"}):
        assert translated(sentence) == _("Nobody plays %(colour)s.", colour=_("red"))
        assert _("Nobody plays %(colour)s.", colour=said("red")) == _("Nobody plays %(colour)s.", colour=_("red"))


def test_a_number_that_stands_in_a_template_follows_the_language(site: ServedHouse) -> None:
    """Words: constants in a template are formatted for each request, not once for all languages."""
    page = site.app.jinja_env.from_string("{{ 0.8|decimals(2) }} {{ 12345|grouped }}")

    shown = {}
    for language in LANGUAGES:
        with site.app.test_request_context(headers={"Accept-Language": language}):
            shown[language] = page.render()

    assert shown == {code: f"0{each.decimal}80 12{each.thousands}345" for code, each in LANGUAGES.items()}
    assert shown["en"] == "0.80 12,345" and shown["de"] == "0,80 12.345"


def test_what_fills_a_sentence_of_a_page_is_escaped(site: ServedHouse) -> None:
    """Words: a sentence may contain markup, and a name is always escaped."""
    with site.app.test_request_context():
        page = site.app.jinja_env.from_string('{{ _("<b>%(name)s</b> lays", name=name) }}{{ told }}')

        shown = page.render(name="<Ana>", told=said("%(name)s lays", name="<Ben>"))

    assert shown == Markup("<b>{}</b> lays{} lays").format("<Ana>", "<Ben>")


EVENING = datetime(2025, 5, 3, 20, 15, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("language", "shown", "large", "number"),
    [
        ("en", "3 May 2025", "12,345", "1.5"),
        ("nl", "3 mei 2025", "12.345", "1,5"),
        ("de", "3. Mai 2025", "12.345", "1,5"),
    ],
)
def test_days_and_numbers_follow_the_language(
    site: ServedHouse, language: str, shown: str, large: str, number: str
) -> None:
    """Words: dates have the order of the language, and numbers its decimal and thousands separators."""
    with site.app.test_request_context(headers={"Accept-Language": language}):
        assert in_utc(EVENING) == f"{shown}, 20:15 UTC"
        for said, words in ((day, f"{shown}, 20:15 UTC"), (lately, f"{shown}, 20:15 UTC"), (date, shown)):
            name = said.__name__
            assert said(EVENING) == f'<time datetime="2025-05-03T20:15:00Z" data-moment="{name}">{words}</time>'
        assert grouped(12345) == large
        assert decimals(1.5) == number


def test_words_of_a_list_an_age_and_a_colour() -> None:
    """Words: names are joined into a list, ages use the largest unit, and unknown colours are shown as entered."""
    assert [listed(names) for names in ([], ["Ana"], ["Ana", "Ben"], ["Ana", "Ben", "Cem"])] == [
        *("", "Ana", "Ana and Ben", "Ana, Ben and Cem")
    ]
    assert [age(seconds) for seconds in (-1, 59, 60, 3600, 2 * 86400)] == ["0 s", "59 s", "1 min", "1 h", "2 d"]
    assert [named(colour) for colour in ("red", "wood", "teal")] == ["red", "bare wood", "teal"]

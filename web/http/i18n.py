"""Translate sentences into the language of the requesting device, with gettext catalogues; English is the source.

No catalogue is loaded for English, and outside of a request everything is English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any

from flask import Flask, current_app, g, has_request_context, request
from jinja2 import pass_context
from markupsafe import Markup, escape

from companion.kernel.languages import DEFAULT, LANGUAGES, Language
from companion.kernel.said import Said

COOKIE = "language"
FOLDER = Path(__file__).parents[1] / "translations"
ENGLISH = NullTranslations()
NOW: Mapping[str, str] = {
    "Ringed": "Ringworld",
    "Twin": "Twins",
    "Striped": "Stripes",
    "Cratered": "Craters",
    "Frosted": "Frost",
    "put right by hand": "changed by hand",
    "The ledger was damaged: %(why)s The damaged file is kept as %(name)s.": (
        "The ledger was damaged: %(why)s The damaged file is now called %(name)s."
    ),
}
"""Old words in ledgers, records and reports, with the present words that pages show instead.

Catalogues contain only the present words.
"""


class Languages:
    """The languages that a server offers: their rows, and the folder of their catalogues.

    A catalogue is read when it is first used.
    """

    def __init__(self, rows: Mapping[str, Language] = LANGUAGES, folder: Path = FOLDER) -> None:
        """Offer the languages in *rows*, by code. The first is English, which needs no catalogue in *folder*."""
        self.rows = rows
        self._folder = folder
        self._opened: dict[str, NullTranslations] = {DEFAULT: ENGLISH}

    def __repr__(self) -> str:
        return f"<Languages {', '.join(self.rows)} in {self._folder}>"

    def first(self, accepted: Iterable[tuple[str, float]]) -> str:
        """Return the first language in *accepted* that is offered (in any regional variant), or English."""
        wanted = (tag.partition("-")[0].lower() for tag, share in accepted if share > 0)
        return next((tag for tag in wanted if tag in self.rows), DEFAULT)

    def catalogue(self, code: str) -> NullTranslations:
        """Return the catalogue of *code*, or the English source if there is none."""
        if code not in self._opened:
            self._opened[code] = translation("messages", str(self._folder), [code], fallback=True)
        return self._opened[code]


OURS = Languages()
"""The languages in `LANGUAGES`, with the catalogues of this program."""


def languages() -> Languages:
    """Return the languages that the server of this request offers."""
    offered: Languages = current_app.config["LANGUAGES"] if has_request_context() else OURS
    return offered


def language() -> str:
    """Return the language of this request: the language chosen on the device, otherwise the browser's."""
    if not has_request_context():
        return DEFAULT
    known = g.get("language")  # cached, since it is called for every sentence
    if known is None:
        chosen = request.cookies.get(COOKIE, "")
        offered = languages()
        known = g.language = chosen if chosen in offered.rows else offered.first(request.accept_languages)
    return str(known)


def speak(asked: str) -> None:
    """Use the language *asked* for this request, regardless of the device's choice."""
    g.language = asked
    g.pop("words", None)


def _(text: str, /, **fills: Any) -> str:
    """Return *text* in this request's language, with *fills* as the values of its placeholders.

    A `Said` among *fills* is translated too.
    """
    found = text and _words().gettext(text)  # a catalogue's entry for the empty text is its header
    return _filled(found, fills) if fills else found


def ngettext(one: str, many: str, num: int, /, **fills: Any) -> str:
    """Return *one* or *many* in this request's language, depending on *num*. `%(num)s` in it is replaced by *num*."""
    return _filled(_words().ngettext(one, many, num), {"num": num, **fills})


def translated(text: Any) -> Any:
    """Return a `Said` in this request's language, with its fills translated too; return anything else unchanged."""
    if not isinstance(text, Said):
        return text
    one, many = NOW.get(text.pattern, text.pattern), NOW.get(text.plural, text.plural)
    words = _words()
    found = (one and words.gettext(one)) if text.number is None else words.ngettext(one, many, text.number)
    return _filled(found, text.fills) if text.fills else found


def said_in(text: Any, asked: str, offered: Languages = OURS) -> str:
    """Return a `Said` in the language *asked*. It works outside of requests, for speech or a terminal."""
    if isinstance(text, float):
        return str(text).replace(".", offered.rows[asked].decimal)
    if not isinstance(text, Said):
        return str(text)
    one, many = NOW.get(text.pattern, text.pattern), NOW.get(text.plural, text.plural)
    words = offered.catalogue(asked)
    found = words.gettext(one) if text.number is None else words.ngettext(one, many, text.number)
    fills = {name: said_in(fill, asked, offered) for name, fill in text.fills.items()}
    return found % fills if fills else found


def decimals(number: float, places: int | None = 1) -> str:
    """Return a number with *places* decimals (None means as many as it needs) and the language's decimal mark."""
    written = f"{number:g}" if places is None else f"{number:.{places}f}"
    return written.replace(".", _row().decimal)


def _when_shown(words: Callable[..., Any]) -> Callable[..., Any]:
    """Return *words* as a Jinja filter that runs when a page is rendered.

    Jinja applies an ordinary filter to a constant only once, when it compiles the template; the result would be
    English.
    """
    return pass_context(lambda _context, *values: words(*values))


def grouped(number: int) -> str:
    """Return a large number with the language's thousands marks."""
    return f"{number:,}".replace(",", _row().thousands)


def _row() -> Language:
    return languages().rows[language()]


def dates() -> str:
    """Return the BCP 47 tag with which a browser formats dates and times for this request."""
    return _row().dates


def install(app: Flask) -> None:
    """Give these functions to the templates of *app*; a `Said` in a template is translated automatically."""
    app.config["LANGUAGES"] = OURS
    Said.html = staticmethod(_html)
    spoken: Mapping[str, Callable[..., Any]] = {"said": translated, "decimals": decimals, "grouped": grouped}
    app.jinja_env.filters.update({name: _when_shown(words) for name, words in spoken.items()})
    app.jinja_env.globals.update(_=_marked, ngettext=_marked_for, language=language, languages=languages, dates=dates)


def _html(text: Said) -> Markup:
    return escape(translated(text))


def _marked(text: str, /, **fills: Any) -> Markup:
    """Translate like `_`, for use in a template: the sentence may contain markup, and the values in it are escaped."""
    found = Markup(text and _words().gettext(text))  # noqa: S704
    return found % fills if fills else found  # a `Said` among the values is translated by its `__html__`


def _marked_for(one: str, many: str, num: int, /, **fills: Any) -> Markup:
    return Markup(_words().ngettext(one, many, num)) % {"num": num, **fills}  # noqa: S704


def _filled(text: str, fills: Mapping[str, Any]) -> str:
    return text % {name: _fill(fill) for name, fill in fills.items()}


def _fill(value: Any) -> Any:
    return str(value).replace(".", _row().decimal) if isinstance(value, float) else translated(value)


def _words() -> NullTranslations:
    """Return the catalogue of this request, looked up once; outside of a request, English."""
    if not has_request_context():
        return ENGLISH
    words: NullTranslations | None = g.get("words")
    if words is None:
        words = g.words = languages().catalogue(language())
    return words

"""A pseudo-language, added to the table of languages at run time: its sentences are longer, with accents and brackets.

Its pages reveal untranslated texts, formats of another language, and texts without room for longer words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from flask import Flask
from flask.testing import FlaskClient

from companion.kernel.languages import LANGUAGES, Language
from tests.web.catalogues import compiled, path_of
from tests.web.left_out import HEARD
from tests.web.markup import MarkupReader
from web.http.i18n import Languages

PSEUDO = Language("zz", "Pseudo", decimal="·", thousands="’", dates="en-GB", voice="")
LONGER = 0.35
"""How much longer a sentence becomes, with its brackets: a bit more than German or French is."""
ACCENTS = str.maketrans("AEIOUYaeiouycnszdhrt", "ÅÈÏÖÛÝåèïöûýçñšžđĥřţ")
_LEFT = re.compile(r"(%\(\w+\)s|%%|\{\w+\}|<[^>]*>)")
"""Placeholders and markup, which a translation keeps."""
_NAMES = "|".join(each.name for each in (*LANGUAGES.values(), PSEUDO))
OURS = re.compile(rf"Andromeda|{_NAMES}|[\w./:-]*(/|://|\.local|@)[\w./:?=&-]*|\bms\b|\.json\b|\w")
"""Texts that are the same in every language: names, addresses, units, single letters."""
_FOREIGN = re.compile(r"(?<![\d.,:/-])\d+[.,]\d+(?![\d.,:/-])")
"""A number with another language's separator; versions and addresses have more than one."""


def pseudo(text: str) -> str:
    """Return *text* in the pseudo-language: accents, doubled vowels and brackets; placeholders and markup are kept.

    >>> pseudo("%(name)s draws <b>2</b> cubes")
    '⟦%(name)s đřååwš <b>2</b> çûûbèèš⟧'
    """
    left = _LEFT.split(text)
    letters = sum(len(part) for part in left[::2])
    room = [max(0, ceil(letters * LONGER) - len("⟦⟧"))]
    said = [part if at % 2 else _longer(part, room) for at, part in enumerate(left)]
    return f"⟦{''.join(said)}{'¨' * room[0]}⟧"


def _longer(text: str, room: list[int]) -> str:
    """Return *text* with accents, and with doubled vowels as long as *room* allows more letters."""
    made = ""
    for letter in text:
        doubled = letter in "AEIOUYaeiouy" and room[0] > 0
        room[0] -= doubled
        made += letter.translate(ACCENTS) * (1 + doubled)
    return made


@cache
def _catalogue() -> bytes:
    """Return the compiled catalogue. It has a translation's sentences, which are complete (`test_catalogues.py`)."""
    words = Catalog()
    with path_of("nl", "mo").open("rb") as file:
        sentences = [message.id for message in read_mo(file) if message.id]
    for sentence in sentences:
        both = pseudo(sentence) if isinstance(sentence, str) else tuple(map(pseudo, sentence))
        words.add(sentence, both)
    return compiled(words)


def with_pseudo(folder: Path) -> Languages:
    """Return the program's languages and the pseudo-language, whose catalogue is written below *folder*."""
    path = folder / "words" / PSEUDO.code / "LC_MESSAGES" / "messages.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(_catalogue())
    return Languages({**LANGUAGES, PSEUDO.code: PSEUDO}, folder / "words")


def pretend(app: Flask, client: FlaskClient, folder: Path) -> None:
    """Add the pseudo-language to *app*, and set it as the language of *client*."""
    app.config["LANGUAGES"] = with_pseudo(folder)
    client.set_cookie("language", PSEUDO.code)


class _Seen(MarkupReader):
    """The texts of a page, shown or read aloud, and its links."""

    def __init__(self) -> None:
        self.shown, self.links = [""], list[str]()
        self.language: str | None = None
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.shown[0] += "\n"
        self._hidden += tag in ("script", "style")
        given = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.language = given.get("lang", "")
        self.shown += [given[name] for name in HEARD if name in given]
        if (
            tag == "a"
            and given.get("href", "").startswith("/")
            and "download" not in given
            and "data-saves" not in given
        ):
            self.links.append(given["href"].partition("#")[0])

    def handle_endtag(self, tag: str) -> None:
        self.shown[0] += "\n"
        self._hidden -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.shown[0] += data


@lru_cache(200)
def _seen(html: str) -> _Seen:
    seen = _Seen()
    seen.feed(html)
    return seen


def unsaid(html: str, names: tuple[str, ...] = ()) -> list[str]:
    """Return everything on a page that is not in the pseudo-language.

    These are words outside brackets (except *names*), numbers with another language's separators, and
    the page's language if it is another one.
    """
    seen = _seen(html)
    other = [f"lang: {seen.language}"] if seen.language not in (None, PSEUDO.code) else []
    return [*other, *_other_words(seen, names), *_other_numbers(seen, names)]


def _other_numbers(seen: _Seen, names: tuple[str, ...]) -> list[str]:
    return [found for text in seen.shown for found in _FOREIGN.findall(text) if found not in names]


def _other_words(seen: _Seen, names: tuple[str, ...]) -> list[str]:
    outside = (line.strip() for text in seen.shown for part in _outside(text) for line in part.splitlines())
    return [line for line in outside if line and _is_word(line, names)]


def _outside(text: str) -> Iterator[str]:
    depth = 0
    for part in re.split("([⟦⟧])", text):
        if part in ("⟦", "⟧"):
            depth += 1 if part == "⟦" else -1
        elif depth == 0:
            yield part


@cache
def _is_word(text: str, names: tuple[str, ...]) -> bool:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", "", text)
    return any(not OURS.fullmatch(word) for word in re.findall(r"[^\s\d,;()+%–]*[^\W\d_]{2,}[^\s,;()]*", text))


def walked(client: FlaskClient, *starts: str, within: str = "/", but: Sequence[str] = ()) -> dict[str, str]:
    """Return the pages *within* that can be reached by links from *starts*, one for each path and set of fields.

    Each rules card, and each view named by `show`, counts as a separate page.

    Pages whose address begins with one of *but* are left out.
    """
    found: dict[str, str] = {}
    waiting, known = list(starts), set[tuple[str, ...]]()
    while waiting:
        address = waiting.pop(0)
        place = urlsplit(address)
        asked = parse_qsl(place.query, keep_blank_values=True)
        kind = (place.path, *sorted(f"{name}={value}" if name in ("card", "show") else name for name, value in asked))
        if address in found or (kind in known and address not in starts):
            continue
        known.add(kind)
        answer = client.get(address, follow_redirects=True)
        if answer.mimetype == "text/html":
            found[address] = answer.get_data(as_text=True)
            links = [link for link in _seen(found[address]).links if link.startswith(within)]
            waiting += [link for link in links if not link.startswith(tuple(but))]
    return found

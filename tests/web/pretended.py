"""A language that is none: every sentence of the source between brackets, so that pages show what nobody looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from babel.messages.catalog import Catalog
from flask import Flask
from flask.testing import FlaskClient

from tests.web.catalogues import catalogue, compiled
from tests.web.left_out import HEARD
from tests.web.markup import MarkupReader

LANGUAGE = "nl"
"""The language whose place it takes: a browser has to ask for one that there is."""
OURS = re.compile(r"Andromeda|English|Nederlands|Deutsch|[\w./:-]*(/|://|\.local|@)[\w./:?=&-]*|\bms\b|\.json\b|\w")
"""What no language changes: names of their own, addresses, units, single letters."""


@cache
def _brackets() -> bytes:
    words = Catalog(locale=LANGUAGE)
    for message in filter(lambda each: each.id, catalogue(LANGUAGE)):  # what the source asks for, by a test
        plurals = message.id if isinstance(message.id, tuple) else (message.id,)
        bracketed = tuple(f"⟦{text}⟧" for text in plurals)
        words.add(message.id, bracketed if isinstance(message.id, tuple) else bracketed[0])
    return compiled(words)


def pretend(app: Flask, client: FlaskClient, folder: Path) -> None:
    """Have *client* read the pages of *app* in brackets."""
    path = folder / "words" / LANGUAGE / "LC_MESSAGES" / "messages.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(_brackets())
    app.config["CATALOGUES"] = str(folder / "words")
    app.extensions["catalogues"].clear()  # another house may have read this language
    client.set_cookie("language", LANGUAGE)


class _Seen(MarkupReader):
    """What a page shows and what is read aloud, and where its links lead."""

    def __init__(self) -> None:
        self.shown, self.links = [""], list[str]()
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.shown[0] += "\n"
        self._hidden += tag in ("script", "style")
        given = {name: value or "" for name, value in attrs}
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
    """Return the words of a page that stand outside of all brackets and are no names."""
    seen = _seen(html)
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
    """Return the pages *within* that links lead to from *starts*, one for each address and set of fields in it.

    Pages whose address begins with one of *but* are left out.
    """
    found: dict[str, str] = {}
    waiting, known = list(starts), set[tuple[str, ...]]()
    while waiting:
        address = waiting.pop(0)
        place = urlsplit(address)
        kind = (place.path, *sorted(name for name, _ in parse_qsl(place.query)))
        if address in found or (kind in known and address not in starts):
            continue
        known.add(kind)
        answer = client.get(address, follow_redirects=True)
        if answer.mimetype == "text/html":
            found[address] = answer.get_data(as_text=True)
            links = [link for link in _seen(found[address]).links if link.startswith(within)]
            waiting += [link for link in links if not link.startswith(tuple(but))]
    return found

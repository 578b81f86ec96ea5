"""The catalogues of the translators, and the sentences that the source contains now."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, check_and_call_extract_file
from babel.messages.frontend import parse_keywords, parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "web" / "translations"
KEYWORDS = ("pattern", "said", "said_n:1,2")
"""The keywords for extraction in the Makefile, in addition to Babel's own."""


def path_of(language: str, kind: str) -> Path:
    """Return the path of a language's catalogue; *kind* is "po" (written by people) or "mo" (read by pages)."""
    return FOLDER / language / "LC_MESSAGES" / f"messages.{kind}"


def catalogue(language: str) -> Catalog:
    """Return the catalogue that the translators have written."""
    with path_of(language, "po").open("rb") as file:
        return read_po(file, locale=language)


def compiled(words: Catalog) -> bytes:
    """Return the catalogue in compiled form, as pages read it."""
    into = BytesIO()
    write_mo(into, words)
    return into.getvalue()


@cache
def asked_for() -> frozenset[str | tuple[str, ...]]:
    """Return every translatable sentence of the source, with its plural if it has one."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    keywords = {**DEFAULT_KEYWORDS, **parse_keywords(KEYWORDS)}
    asks = re.compile(rf"\b({'|'.join(keywords)})\s*\(|{{%-?\s*trans\b")  # most modules have no translatable sentence
    return frozenset(
        message
        for folder in ("companion", "firmware_bridge", "rungs", "web")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".py", ".html") and asks.search(path.read_text(encoding="utf-8"))
        for _, _, message, _, _ in _asked_in(path, methods, options, keywords)
    )


def _asked_in(path: Path, *how: Any) -> Iterable[tuple[Any, ...]]:
    methods, options, keywords = how
    return check_and_call_extract_file(path, methods, options, None, keywords, (), False, dirpath=ROOT)

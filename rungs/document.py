"""The headings of a document, to which promises refer: `PROTOCOL.md#3`, `PROTOCOL.md#the-answer-to-a-reading`."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_HEADING = re.compile(r"#{1,6} +(.+?)[ #]*")
_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\.? ")
_RULE = re.compile(r"\|[-| :]+\|")
_FENCE = re.compile(r" {0,3}(```|~~~)")


class NoAnchor(Exception):
    """A promise refers to a heading that does not exist. The message is one sentence."""


def anchors(text: str) -> dict[str, str]:
    """Return the anchors of the headings in a Markdown *text*, with the heading of each.

    A heading that begins with a number also has that number as an anchor. If two begin with it, their heading is empty.

    >>> anchors("# The thermometer\\n\\n## 2. Answers\\n")
    {'the-thermometer': 'The thermometer', '2-answers': '2. Answers', '2': '2. Answers'}
    """
    found: dict[str, str] = {}
    fenced = False
    for line in text.splitlines():
        fenced ^= _FENCE.match(line) is not None
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading is not None:
            found.setdefault(slug(heading[1]), heading[1])
            if number := _NUMBER.match(heading[1]):
                found[number[1]] = "" if number[1] in found else heading[1]
    return found


_SENTENCE = re.compile(r"(?<=[.:!?]) +(?=[A-Z`*(\d])|(?<=[.!?]\)) +|(?<=\*\*) +(?=[A-Z])")


def sentences(text: str) -> list[tuple[str, str]]:
    """Return each sentence of a Markdown *text* with its heading. A table row is one sentence; code is skipped.

    The text after a colon is a separate sentence, so that explanations can be separated from requirements.

    >>> sentences("# A lamp\\n\\nIt is\\nred. `OFF` ends it.\\n\\n| word | is |\\n|---|---|\\n| `ON` | begin |\\n")
    [('A lamp', 'It is red.'), ('A lamp', '`OFF` ends it.'), ('A lamp', '| `ON` | begin |')]
    """
    found: list[tuple[str, str]] = []
    heading, paragraph, fenced, lines = "", "", False, [*text.splitlines(), ""]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        title, row = _HEADING.fullmatch(line), line.startswith("|")
        if _FENCE.match(line) or title or row or fenced or not line.strip() or re.match(r"\s*[-*] ", line):
            found += [(heading, each) for each in _SENTENCE.split(" ".join(paragraph.split())) if each]
            paragraph = ""
        fenced ^= _FENCE.match(line) is not None
        if title and not fenced:
            heading = title[1]
        elif row and not fenced and not _RULE.fullmatch(line) and not _RULE.fullmatch(after):
            found.append((heading, line.strip()))
        elif not (title or row or fenced or _FENCE.match(line)):
            paragraph += " " + re.sub(r"^\s*[-*] ", "", line)
    return found


def slug(heading: str) -> str:
    """Return the usual anchor of a *heading*.

    >>> slug("What it doesn't do: `SET`")
    'what-it-doesnt-do-set'
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@lru_cache(maxsize=64)
def _anchors_of(path: Path) -> dict[str, str]:
    return anchors(path.read_text(encoding="utf-8"))


def heading_at(reference: str, folder: Path) -> str:
    """Return the heading at *reference*: a path from *folder*, with an anchor. Raise `NoAnchor` if it is missing."""
    file, _, anchor = reference.partition("#")
    try:
        known = _anchors_of(folder / file)
    except OSError as fault:
        raise NoAnchor(f"{file} can't be read: {fault.strerror or fault}") from None
    if known.get(anchor):
        return known[anchor]
    if anchor in known:
        raise NoAnchor(f'{file} has two headings that begin with "{anchor}."')
    kind = f'heading that begins with "{anchor}."' if anchor[0].isdigit() else f"heading with the anchor {anchor!r}"
    raise NoAnchor(f"{file} has no {kind}")

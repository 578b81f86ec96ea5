"""Styles and icons for a page that is downloaded as a file. Only those that the page uses are included."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANKS = re.compile(r"\s+")
_AROUND = re.compile(r"\s*([{};,>])\s*")
_NAMED = re.compile(r"[.#]([A-Za-z_][\w-]*)")
_INSIDE = re.compile(r"\([^()]*\)")
_CLASSES = re.compile(r'\s(?:class|id)="([^"]*)"')
_POINTED = re.compile(r'(?:href="#|url\(#)([\w-]+)')
_SKIPPED = ("@keyframes", "@page", "@font-face", "@import", "@charset")


def worn(css: str, html: str, also: Iterable[str] = ()) -> str:
    """Return the rules of *css* that can apply to *html*. *also* lists classes that a script adds."""
    names = {name for found in _CLASSES.findall(html) for name in found.split()} | set(also)
    return "".join(_rules(_BLANKS.sub(" ", _COMMENT.sub("", css)), names))


def shown(pictures: str, html: str) -> str:
    """Return the definitions in *pictures* (SVG elements) that *html* uses, directly or indirectly."""
    drawn = {}
    for svg in ElementTree.fromstring(f"<all>{pictures}</all>").iter("defs"):  # noqa: S314 - our own templates
        drawn.update({child.get("id", ""): ElementTree.tostring(child, "unicode") for child in svg})
    wanted, found = list(dict.fromkeys(_POINTED.findall(html))), []
    for name in wanted:
        if name in drawn:
            found.append(_BLANKS.sub(" ", drawn[name]).strip())
            wanted += [each for each in _POINTED.findall(drawn[name]) if each not in wanted]
    return "".join(found)


def _rules(css: str, names: set[str]) -> Iterator[str]:
    """Yield the rules of *css* that can apply. Rules inside `@media` and similar blocks stay inside such a block."""
    for head, body in _blocks(css):
        if head.startswith(_SKIPPED):
            continue
        if head.startswith("@"):
            inside = "".join(_rules(body, names))
            if inside:
                yield f"{_tight(head)}{{{inside}}}"
            continue
        selectors = [each.strip() for each in _apart(head) if _applies(each, names)]
        if selectors:
            yield f"{','.join(selectors)}{{{_tight(body).strip(' ;')}}}"


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    at = 0
    while (opens := css.find("{", at)) >= 0:
        deep, end = 1, opens + 1
        while deep:
            deep += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        yield css[at:opens].strip().lstrip("; "), css[opens + 1 : end - 1]
        at = end


def _apart(selectors: str) -> Iterator[str]:
    """Yield the selectors of a comma-separated list. Commas inside brackets don't separate selectors."""
    deep = first = 0
    for at, sign in enumerate(selectors):
        deep += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not deep:
            yield selectors[first:at]
            first = at + 1
    yield selectors[first:]


def _applies(selector: str, names: set[str]) -> bool:
    """Tell whether all classes and ids in *selector* are in *names*. Classes and ids in brackets are ignored."""
    bare = selector
    while (less := _INSIDE.sub("", bare)) != bare:
        bare = less
    return all(name in names for name in _NAMED.findall(bare))


def _tight(text: str) -> str:
    return _AROUND.sub(r"\1", text).strip()

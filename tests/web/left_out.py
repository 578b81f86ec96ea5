"""Find the untranslated texts of a template: in its text, in attributes for screen readers, and in expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from jinja2 import Environment, nodes

HEARD = ("alt", "aria-label", "aria-description", "placeholder", "title")
SAYS = ("_", "ngettext")
NAMES = ("Andromeda", "BG", "Stats", "R", "G", "B", "C", "ms", "min", "s", "h", "PIN", "QR")
GAP = "\x00"
"""Replaces each expression of a template."""
FRAGMENT = re.compile(r"""["']?\s*[\w-]+=["'][^\x00]*|(?:^|\x00)\s*["'][^<\x00]*>""")
"""A piece of a tag that a template assembles from several."""


class _Reading(HTMLParser):
    """Collects the words of a page, with a gap for each expression."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.words += [value for name, value in attrs if name in HEARD and value]

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None:  # styles are skipped
            self.words.append(FRAGMENT.sub(GAP, data))


def left_out(source: str) -> list[str]:
    """Return the words of a template that are outside `_()` and `ngettext()`."""
    tree = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).parse(source)
    reading = _Reading()
    reading.feed("".join(_text(tree)))
    reading.close()
    texts = [part.strip() for words in reading.words for part in words.split(GAP)]
    known = {text.value for text in _asked(tree)}
    return list(dict.fromkeys(found for found in (*texts, *_sentences(tree, known)) if _is_said(found)))


def _is_said(text: str) -> bool:
    if text.startswith("/"):
        return False  # a part of an address
    return any(word not in NAMES for word in re.findall(r"[^\W\d_]+", text))


def _text(node: nodes.Node) -> Iterator[str]:
    """Yield the texts between expressions, in order, with a gap for each expression and the texts that it may give."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.TemplateData):
            yield child.data
        elif isinstance(node, nodes.Output):
            yield GAP.join(("", *(text for text in _shown(child) if _like_a_sentence(text)), ""))
        elif not (isinstance(child, nodes.Expr) or _is_layout(child)):
            yield from _text(child)


def _is_layout(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Block) and node.name in ("layout", "side", "js")  # names of styles and scripts


def _shown(expression: nodes.Node) -> Iterator[str]:
    """Yield the texts that an expression can evaluate to."""
    match expression:
        case nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr(expr1=one, expr2=other):
            yield from (*_shown(one), *(() if other is None else _shown(other)))
        case nodes.Or(left=one, right=other) | nodes.And(left=one, right=other):
            yield from (*_shown(one), *_shown(other))
        case nodes.Concat(nodes=parts):
            for part in parts:
                yield from _shown(part)


def _like_a_sentence(text: str) -> bool:
    # A lower-case word is usually an identifier of the page; the other test reads whole pages.
    return text[:1].isupper() or (" " in text.strip() and text[:1].isalpha())


def _asked(node: nodes.Node) -> Iterator[nodes.Const]:
    """Yield the texts that are looked up in a catalogue."""
    for call in node.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in SAYS:
            yield from (text for text in call.args if isinstance(text, nodes.Const))


def _sentences(tree: nodes.Template, known: set[str]) -> Iterator[str]:
    """Yield strings that begin like a sentence, wherever they are: arguments of macros, or values in a table."""
    for text in tree.find_all(nodes.Const):
        if isinstance(text.value, str) and text.value not in known and re.match(r"[A-Z][a-z]+( |$)", text.value):
            yield text.value

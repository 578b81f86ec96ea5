"""Put entered values back into a form of a rendered page, and mark the wrong field.

Only the form's fields in the HTML are changed, so no scripts or templates are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from markupsafe import escape

VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
UNTYPED = frozenset(("hidden", "submit", "button", "image", "reset"))
"""Types of inputs into which people enter nothing."""
TICKED = ("checkbox", "radio")
FAULT = "wrong"
"""The id of the sentence next to the field that was refused."""
Pairs = Sequence[tuple[str, str]]
Attributes = dict[str, str | None]


@dataclass(frozen=True)
class Entered:
    """A refused form: its URL, its fields, and the reason; *name* is the wrong field, if any."""

    action: str
    pairs: Pairs
    reason: str
    name: str = ""

    @property
    def size(self) -> int:
        """Its approximate size in bytes."""
        return sum(len(name) + len(value) for name, value in self.pairs) + len(self.reason)


@dataclass
class _Element:
    tag: str
    attributes: Attributes
    start: int
    end: int
    within: _Element | None
    closed_at: int = -1  # where its end tag ends
    fields: list[_Element] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.attributes.get("type") or "text"

    @property
    def name(self) -> str:
        return self.attributes.get("name") or ""

    def around(self) -> Iterator[_Element]:
        element = self.within
        while element is not None:
            yield element
            element = element.within


class _Forms(HTMLParser):
    """The POST forms of a page with their fields and positions."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.forms: list[_Element] = []
        self._lines = [0]
        for line in page.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._page = page
        self._open: _Element | None = None
        self.feed(page)

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at, text = self._at(), self.get_starttag_text() or ""
        element = _Element(tag, dict(attrs), at, at + len(text), self._open)
        if tag == "form" and element.attributes.get("method") == "post":
            self.forms.append(element)
        elif tag == "input" and element.kind not in UNTYPED and element.name:
            form = next((each for each in element.around() if each.tag == "form"), None)
            if form is not None:
                form.fields.append(element)
        if tag not in VOID:
            self._open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        opened = self._open
        self.handle_starttag(tag, attrs)
        self._open = opened

    def handle_endtag(self, tag: str) -> None:
        element = self._open
        while element is not None and element.tag != tag:
            element = element.within
        if element is not None:
            element.closed_at = self._page.index(">", self._at()) + 1
            self._open = element.within


def refilled(page: str, entered: Entered) -> str:
    """Return *page* with the entered values in its form; unchanged if it doesn't have that form.

    If the form has only one field, that field is marked even if *entered* names none. Passwords and files are not
    filled in.

    >>> page = '<form method="post" action="/pin"><label>PIN <input name="pin"></label></form>'
    >>> print(refilled(page, Entered("/pin", [("pin", "12")], "Wrong PIN.")).replace("><", ">\\n<"))
    <form method="post" action="/pin">
    <label>PIN <input name="pin" value="12" aria-invalid="true" aria-describedby="wrong">
    </label>
    <span id="wrong" class="wrong">Wrong PIN.</span>
    </form>
    """
    form = _form_of(_Forms(page).forms, entered)
    if form is None:
        return page
    attributes = {id(each): dict(each.attributes) for each in form.fields}
    _fill(form.fields, attributes, entered.pairs)
    edits: dict[tuple[int, int], str] = {}
    wrong = _wrong(form.fields, entered)
    if wrong is not None:
        marked = _group(wrong)
        own = attributes.setdefault(id(marked), dict(marked.attributes))
        described = " ".join(filter(None, (own.get("aria-describedby"), FAULT)))
        own |= {"aria-invalid": "true", "aria-describedby": described}
        for fold in (each for each in wrong.around() if each.tag == "details"):
            edits[fold.start, fold.end] = _tag(fold.tag, {**fold.attributes, "open": None})
        edits[marked.start, marked.end] = _tag(marked.tag, own)
        at = _after(marked)
        edits[at, at] = f'<span id="{FAULT}" class="{FAULT}">{escape(entered.reason)}</span>'
    edits |= {(each.start, each.end): _tag(each.tag, attributes[id(each)]) for each in form.fields}
    return _edited(page, edits.items())


def _form_of(forms: Iterable[_Element], entered: Entered) -> _Element | None:
    """Return the form that was sent.

    If several forms have its URL, return the form that shares the most fields with it.
    """
    names = {name for name, _value in entered.pairs}
    found = [form for form in forms if form.attributes.get("action") == entered.action and form.fields]
    return max(found, key=lambda form: len(names & {each.name for each in form.fields}), default=None)


def _fill(fields: Iterable[_Element], attributes: dict[int, Attributes], pairs: Pairs) -> None:
    left = list(pairs)
    for each in fields:
        own = attributes[id(each)]
        if each.kind in TICKED:
            own.pop("checked", None)
            if (each.name, each.attributes.get("value", "on")) in pairs:
                own["checked"] = None
        elif each.kind not in ("file", "password"):
            sent = next((pair for pair in left if pair[0] == each.name), None)
            if sent is not None:
                left.remove(sent)
                own["value"] = sent[1]


def _wrong(fields: Sequence[_Element], entered: Entered) -> _Element | None:
    names = {each.name for each in fields}
    name = entered.name if len(names) > 1 else next(iter(names), "")
    return next((each for each in fields if each.name == name), None)


def _group(wrong: _Element) -> _Element:
    """Return the element to mark: the field, or the group of a radio button."""
    groups = (each for each in wrong.around() if each.attributes.get("role") == "radiogroup")
    return next(groups, wrong) if wrong.kind == "radio" else wrong


def _after(marked: _Element) -> int:
    """Return the position at which to insert the sentence: after the field's label."""
    label = next((each for each in marked.around() if each.tag == "label"), None)
    return max((label or marked).closed_at, marked.end)


def _tag(tag: str, attributes: Attributes) -> str:
    words = (name if value is None else f'{name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{' '.join((tag, *words))}>"


def _edited(page: str, edits: Iterable[tuple[tuple[int, int], str]]) -> str:
    pieces, done = [], 0
    for (start, end), text in sorted(edits):
        pieces += [page[done:start], text]
        done = end
    return "".join((*pieces, page[done:]))

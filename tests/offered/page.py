"""A page as the walk sees it: the addresses of its links, and what each of its forms could send."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.web.markup import MarkupReader

SKIPPED = ("script", "style", "defs")
VOID = ("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
TYPED = ("text", "number", "search")


@dataclass(frozen=True)
class Link:
    """An element that opens *address* when tapped."""

    words: str
    address: str


@dataclass(frozen=True)
class Sending:
    """One way to send a form: the *fields* that a browser sends after a tap on the button labelled *words*."""

    words: str
    address: str
    fields: tuple[tuple[str, str], ...]
    navigates: bool = False

    def value(self, name: str) -> str:
        """Return the last value of *name*, as a form's `dict` would, or an empty string if it isn't sent."""
        return dict(self.fields).get(name, "")


@dataclass
class Form:
    """A form that is being read."""

    address: str
    navigates: bool
    fields: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)
    boxes: list[tuple[str, str, bool]] = field(default_factory=list)
    buttons: list[tuple[str, str, str, str, bool]] = field(default_factory=list)
    typed: int = 0
    forgets: list[str] = field(default_factory=list)
    """Typed fields outside of any [data-keeps]: what was typed in them is lost when the user opens another page."""

    @property
    def by_enter(self) -> str:
        """The label of the button that Enter presses; it is empty if it has no label, or if there is no other button.

        A browser presses the first enabled button of a form.
        """
        words = [words for words, *_, off in self.buttons if not off]
        return words[0] if len(words) > 1 else ""

    def plain(self) -> list[tuple[str, str]]:
        """Return what is sent if nothing is changed, without a button."""
        chosen = [(name, next((v for v, on in values if on), None)) for name, values in self.choices.items()]
        ticked = [(name, value) for name, value, on in self.boxes if on]
        return [*self.fields, *((name, value) for name, value in chosen if value is not None), *ticked]

    def sendings(self) -> Iterator[Sending]:
        """Yield a submission for each enabled button: with the form unchanged, and with each other choice in turn."""
        for words, name, value, address, off in self.buttons:
            if off:
                continue
            own = [(name, value)] if name else []
            to = address or self.address
            plain = self.plain()
            yield Sending(words, to, (*plain, *own), self.navigates)
            for group, values in self.choices.items():
                for other, on in values:
                    if not on:
                        changed = [each for each in plain if each[0] != group]
                        yield Sending(
                            f"{words} [{group}={other}]", to, (*changed, (group, other), *own), self.navigates
                        )


class Page(MarkupReader):
    """What can be tapped on the page *html*."""

    def __init__(self, html: str) -> None:
        """Read the whole page."""
        self.links: list[Link] = []
        self.forms: list[Form] = []
        self.text = ""
        self._form: Form | None = None
        self._named: dict[str, Form] = {}
        self._words: list[str] | None = None
        self._tap: tuple[str, dict[str, str]] | None = None
        self._select: tuple[str, bool] | None = None
        self._skips = 0
        self._around: list[tuple[str, bool]] = []
        self.feed(html)
        self.text = " ".join(self.text.split())

    @property
    def sendings(self) -> list[Sending]:
        """Every way to send every form of the page."""
        return [each for form in self.forms for each in form.sendings()]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value if value is not None else "" for name, value in attrs}
        if tag not in VOID:
            self._around.append((tag, "data-keeps" in given))
        if tag in SKIPPED:
            self._skips += 1
        elif tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get").lower() == "get")
            self.forms.append(self._form)
            if "id" in given:
                self._named[given["id"]] = self._form
        elif tag in ("a", "button"):
            self._tap, self._words = (tag, given), [given.get("aria-label", "")]
        elif tag in ("input", "select", "option", "textarea"):
            self._field(tag, given)

    def _field(self, tag: str, given: dict[str, str]) -> None:
        form = self._named.get(given.get("form", ""), self._form)
        if tag == "option":
            if form is not None and self._select is not None:
                name, off = self._select
                if not off and "disabled" not in given:
                    form.choices.setdefault(name, []).append((given.get("value", ""), "selected" in given))
            return
        name = given.get("name", "")
        if tag == "select":
            self._select = (name, "disabled" in given)
        if form is None or not name or "disabled" in given or tag == "select":
            return
        kind = given.get("type", "text") if tag == "input" else "text"
        value = given.get("value", "")
        if kind == "radio":
            form.choices.setdefault(name, []).append((value or "on", "checked" in given))
        elif kind == "checkbox":
            form.boxes.append((name, value or "on", "checked" in given))
        elif kind not in ("submit", "button", "file"):
            form.fields.append((name, value))
            form.typed += kind != "hidden"
            if kind in TYPED and not any(keeps for _, keeps in self._around):
                form.forgets.append(name)

    def handle_endtag(self, tag: str) -> None:
        while tag not in VOID and self._around and self._around.pop()[0] != tag:
            pass  # an element without an end tag
        if tag in SKIPPED:
            self._skips -= 1
        elif tag == "form":
            self._form = None
        elif tag == "select" and self._select is not None:
            self._chosen_first(self._select[0])
            self._select = None
        elif tag in ("a", "button") and self._tap is not None and self._tap[0] == tag:
            self._tapped(self._tap[1], " ".join(" ".join(self._words or ()).split()))
            self._tap = self._words = None

    def _chosen_first(self, name: str) -> None:
        """Select the first option of a select without a selected one, as browsers do."""
        values = self._form.choices.get(name, []) if self._form is not None else []
        if values and not any(on for _, on in values):
            values[0] = (values[0][0], True)

    def _tapped(self, given: dict[str, str], words: str) -> None:
        if "href" in given:
            self.links.append(Link(words, given["href"]))
        form = self._named.get(given.get("form", ""), self._form)
        if "href" in given or form is None or given.get("type", "submit") != "submit":
            return
        form.buttons.append(
            (words, given.get("name", ""), given.get("value", ""), given.get("formaction", ""), "disabled" in given)
        )

    def handle_data(self, data: str) -> None:
        if self._skips:
            return
        self.text += " " + data
        if self._words is not None:
            self._words.append(data)

"""Sentences for users: the English text, together with its pattern and values for translation.

This module contains only English. To translate a `Said`, a page looks up its pattern in a catalogue and fills the
translated pattern with the same values. Other callers use the English text itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any, ClassVar, Self

Fill = str | int | float
"""The value of a placeholder: a name or number, or a `Said` that is translated too."""
_SPOKEN = {"wood": "bare wood"}
"""Names that sentences write longer than records do."""


class Said(str):
    """An English text, ready to show, that remembers its pattern and the values filled into it.

    *pattern* is in gettext's `%(name)s` style; without *fills* it is the text itself. A sentence with a count also has
    a *plural* pattern. Its count, *number*, chooses between the two patterns and fills `%(num)s`.
    """

    pattern: str
    fills: Mapping[str, Fill]
    plural: str
    number: int | None

    def __new__(
        cls, pattern: str, fills: Mapping[str, Fill] | None = None, plural: str = "", number: int | None = None
    ) -> Self:
        """Fill *pattern*, or *plural* if *number* is not 1."""
        gaps = dict(fills or {}) if number is None else {"num": number, **(fills or {})}
        chosen = pattern if number in (None, 1) else plural
        sentence = super().__new__(cls, chosen % gaps if gaps else chosen)
        sentence.pattern, sentence.fills, sentence.plural, sentence.number = pattern, gaps, plural, number
        return sentence

    html: ClassVar[Callable[[Said], str]] = staticmethod(escape)
    """Renders a `Said` in a template.

    `web.http.i18n` replaces this by a function that translates into the language of the request.
    """

    def __html__(self) -> str:
        """Return the text as HTML. Templates call `__html__` of every value that has it, so they need no filter."""
        return Said.html(self)

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Return the arguments for copying and pickling."""
        return self.pattern, self.fills, self.plural, self.number

    def to_json(self) -> dict[str, Any]:
        """Return the pattern and the values as JSON; values that are sentences are converted too."""
        made: dict[str, Any] = {"pattern": self.pattern}
        if self.fills:
            made["fills"] = {name: _made(fill) for name, fill in self.fills.items()}
        if self.number is not None:
            made |= {"plural": self.plural, "number": self.number}
        return made


def said(pattern: str, /, **fills: Fill) -> Said:
    """Return *pattern* filled with *fills*."""
    return Said(pattern, fills)


def said_n(one: str, many: str, count: int, /, **fills: Fill) -> Said:
    """Fill the pattern *one* if *count* is 1, otherwise *many*, and return it; `%(num)s` becomes the count."""
    return Said(one, fills, many, count)


def pattern(text: str, /) -> Said:
    """Return a sentence with placeholders that a table fills later (`companion/model/tellings.py`).

    >>> pattern("%(name)s allows it").fills
    {}
    """
    return Said(text)


def joined(*sentences: str) -> Said:
    """Return *sentences* separated by spaces."""
    return _parted(sentences, " ")


def listed(names: Sequence[str]) -> Said:
    """Return *names* separated by commas."""
    return _parted(names, ", ")


def series(names: Sequence[str]) -> Said:
    """Return *names* separated by commas, and the last two by `and`.

    >>> series(["Ana", "Ben", "Cem"])
    'Ana, Ben and Cem'
    """
    *most, last = names or [""]
    return said("%(names)s and %(last)s", names=listed(most), last=last) if most else _parted([last], "")


def all_of(names: Sequence[str]) -> Said:
    """Return *names*, at least one, with `and` between each two."""
    whole = _parted(names[:1], "")
    for name in names[1:]:
        whole = said("%(names)s and %(name)s", names=whole, name=name)
    return whole


def word(name: str) -> Said:
    """Return *name*, a fixed word such as a colour or a kind of card, as a sentence that can be translated."""
    return name if isinstance(name, Said) else Said(_SPOKEN.get(name, name))


def percent(share: float | Fraction) -> Said:
    """Return a *share* from 0 to 1 in whole percent. Only 0 and 1 themselves become 0% and 100%.

    >>> percent(Fraction(494, 495))
    'over 99%'
    """
    hundredths = round(100 * share)
    if share > 0 and not hundredths:
        return said("under %(share)s", share=percent(0.01))
    if share < 1 and hundredths == 100:
        return said("over %(share)s", share=percent(0.99))
    return said("%(num)s%%", num=hundredths)


def from_json(value: Any) -> Said:
    """Return the sentence from the JSON of `to_json`; raises ValueError for anything else."""
    try:
        fills = {name: _fill(made) for name, made in value.get("fills", {}).items()}
        return Said("" + value["pattern"], fills, "" + value.get("plural", ""), value.get("number"))
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise ValueError(f"no sentence: {fault!r}") from None


def stored_fields(text: str) -> dict[str, Any]:
    """Return the fields that a row stores with *text* so that it can be translated later.

    The result is empty if *text* is not a `Said`.
    """
    return {"said": text.to_json()} if isinstance(text, Said) else {}


def _parted(parts: Sequence[str], by: str) -> Said:
    # The separators are the same in every language. No catalogue contains this pattern, so it is never translated.
    fills = {f"part_{at}": part for at, part in enumerate(parts, 1)}
    return Said(by.join(f"%({name})s" for name in fills), fills)


def _made(fill: Fill) -> object:
    return fill.to_json() if isinstance(fill, Said) else fill


def _fill(made: Any) -> Fill:
    fill: Fill = from_json(made) if isinstance(made, dict) else made
    return fill

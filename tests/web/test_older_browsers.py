"""Browser features that pages may use: those that Safari 15.0 and Chrome 90 have, and those with a fallback.

The versions are the first ones with a feature, according to MDN. docs/browsers.md explains this for people.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
COMMENTS = {
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".js": re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL),
    ".html": re.compile(r"\{#.*?#\}|<!--.*?-->", re.DOTALL),
}


@dataclass(frozen=True)
class Feature:
    """A feature newer than Safari 15.0 or Chrome 90: where to look for which pattern, and the first versions."""

    name: str
    pattern: str
    within: str
    safari: str
    chrome: str


CSS, JS, HTML = ".css", ".js", ".html"
FEATURES = (
    Feature(":has()", r":has\(", CSS, "15.4", "105"),
    Feature("container queries", r"@container|\bcontainer(-\w+)?\s*:|\dcq\w+\b", CSS, "16", "105"),
    Feature("nesting", r"(^|[{;}])\s*&", CSS, "16.5", "112"),
    Feature("color-mix()", r"color-mix\(", CSS, "16.2", "111"),
    Feature("light-dark()", r"light-dark\(", CSS, "17.5", "123"),
    Feature("lab and lch colours", r"\b(ok)?(lab|lch)\(|\bcolor\(", CSS, "15", "111"),
    Feature("subgrid", r"\bsubgrid\b", CSS, "16", "117"),
    Feature("dynamic viewports", r"\d(d|s|l)v(h|w|i|b|min|max)\b", CSS, "15.4", "108"),
    Feature("transforms of their own", r"[\s;{](translate|rotate|scale)\s*:", CSS, "14.1", "104"),
    Feature("cascade layers", r"@layer\b", CSS, "15.4", "99"),
    Feature("scopes", r"@scope\b", CSS, "17.4", "118"),
    Feature("registered properties", r"@property\b", CSS, "16.4", "85"),
    Feature("media ranges", r"@(media|container)[^{]*[<>]", CSS, "16.4", "104"),
    Feature("starting styles", r"@starting-style|transition-behavior", CSS, "17.5", "117"),
    Feature("view transitions", r"view-transition", CSS, "18", "111"),
    Feature("scroll timelines", r"animation-timeline|(scroll|view)-timeline|animation-range", CSS, "26", "115"),
    Feature("anchors", r"anchor-name|position-anchor|\banchor\(|position-area", CSS, "26", "125"),
    Feature("trigonometry", r"\b(sin|cos|tan|atan2?|asin|acos)\(", CSS, "15.4", "111"),
    Feature("steps of numbers", r"\b(round|mod|rem|abs|sign|pow|sqrt|hypot|log|exp)\(", CSS, "15.4", "125"),
    Feature("linear() easing", r"\blinear\(", CSS, "17.2", "113"),
    Feature("overflow: clip", r"overflow(-x|-y)?\s*:[^;]*\bclip\b", CSS, "16", "90"),
    Feature("overflow-wrap: anywhere", r"overflow-wrap\s*:\s*anywhere", CSS, "15.4", "80"),
    Feature("backdrop-filter", r"(?<!-)backdrop-filter\s*:", CSS, "18", "76"),
    Feature("masks", r"[\s;{]mask(-[a-z]+)?\s*:", CSS, "15.4", "120"),
    Feature("user-select", r"[\s;{]user-select\s*:", CSS, "none", "54"),
    Feature("nth-child of", r":nth-(last-)?child\([^)]*\bof\b", CSS, "9", "111"),
    Feature(":user-valid", r":user-(in)?valid", CSS, "16.5", "119"),
    Feature(":dir()", r":dir\(", CSS, "16.4", "120"),
    Feature(":modal, :open, :popover-open", r":(modal|open|popover-open)\b", CSS, "15.6", "105"),
    Feature("field-sizing", r"field-sizing", CSS, "26", "123"),
    Feature("interpolate-size", r"interpolate-size|calc-size\(", CSS, "none", "129"),
    Feature("content-visibility", r"content-visibility|contain-intrinsic", CSS, "18", "85"),
    Feature("individual line heights", r"\d(lh|rlh|cap|ic)\b", CSS, "16.4", "109"),
    Feature("text-wrap", r"text-wrap(-style)?\s*:", CSS, "17.5", "114"),
    Feature("accent-color", r"accent-color", CSS, "15.4", "93"),
    Feature("contain", r"[\s;{]contain\s*:", CSS, "15.4", "52"),
    Feature(":focus-visible", r":focus-visible", CSS, "15.4", "86"),
    Feature("scrollbars", r"scrollbar-(gutter|width|color)", CSS, "18.2", "121"),
    Feature("dialog", r"<dialog|showModal", HTML, "15.4", "37"),
    Feature("popover", r"\bpopover(target)?\b", HTML, "17", "114"),
    Feature("inert", r"\sinert\b", HTML, "15.5", "102"),
    Feature("exclusive details", r"<details[^>]*\sname=", HTML, "17.2", "120"),
    Feature("search", r"<search\b", HTML, "17", "118"),
    Feature("lazy pictures", r"loading=.lazy", HTML, "15.4", "77"),
    Feature("commands of buttons", r"\scommandfor=", HTML, "26.2", "135"),
    Feature("inert", r"\binert\b", JS, "15.5", "102"),
    Feature("popover", r"(show|hide|toggle)Popover|popover", JS, "17", "114"),
    Feature("dialog", r"showModal|HTMLDialogElement", JS, "15.4", "37"),
    Feature(":has() in a question", r"(querySelector(All)?|matches|closest)\([^)]*:has\(", JS, "15.4", "105"),
    Feature("at()", r"\.at\(", JS, "15.4", "92"),
    Feature("Object.hasOwn", r"Object\.hasOwn\b", JS, "15.4", "93"),
    Feature("structuredClone", r"structuredClone", JS, "15.4", "98"),
    Feature("findLast", r"\.findLast(Index)?\(", JS, "15.4", "97"),
    Feature("changes by copy", r"\.to(Sorted|Reversed|Spliced)\(|\.with\(", JS, "16", "110"),
    Feature("groupBy", r"\.groupBy\(", JS, "17.4", "117"),
    Feature("sets' own sums", r"\.(union|intersection|difference|isSubsetOf|isSupersetOf)\(", JS, "17", "122"),
    Feature("helpers of iterators", r"\.(values|keys|entries)\(\)\s*\.\w+\(", JS, "18.4", "122"),
    Feature("fromAsync", r"fromAsync", JS, "16.4", "121"),
    Feature("withResolvers", r"withResolvers|Promise\.try", JS, "17.4", "119"),
    Feature("isWellFormed", r"WellFormed\(", JS, "16.4", "111"),
    Feature("randomUUID", r"randomUUID", JS, "15.4", "92"),
    Feature("error causes", r"\bcause\s*:", JS, "15", "93"),
    Feature("looking behind", r"\(\?<[=!]", JS, "16.4", "62"),
    Feature("sets in expressions", r"/[dgimsuy]*v[dgimsuy]*[.,;)]", JS, "17", "112"),
    Feature("blocks of classes", r"\bstatic\s*\{", JS, "16.4", "94"),
    Feature("maps of imports", r"importmap|import\.meta\.resolve", JS, "16.4", "89"),
    Feature("checkVisibility", r"checkVisibility", JS, "17.4", "105"),
    Feature("timeouts of signals", r"AbortSignal\.(timeout|any)|throwIfAborted", JS, "16", "103"),
    Feature("SharedWorker", r"\bSharedWorker\b", JS, "16", "4, none on Android"),
    Feature("BroadcastChannel", r"BroadcastChannel", JS, "15.4", "54"),
    Feature("locks", r"navigator\.locks", JS, "15.4", "69"),
    Feature("submitter", r"\.submitter\b", JS, "15.4", "81"),
    Feature("requestSubmit", r"requestSubmit", JS, "16", "76"),
    Feature("wakeLock", r"wakeLock", JS, "16.4", "84"),
    Feature("userActivation", r"userActivation", JS, "16.4", "72"),
    Feature("vibrate", r"navigator\.vibrate|\"vibrate\" in", JS, "none", "32"),
    Feature("requestIdleCallback", r"requestIdleCallback", JS, "none", "47"),
    Feature("scheduler", r"\bscheduler\.", JS, "none", "94"),
    Feature("scrollend", r"scrollend", JS, "26.2", "114"),
    Feature("setHTML", r"setHTML|getHTML", JS, "none", "124"),
    Feature("made sheets", r"new CSSStyleSheet|adoptedStyleSheets|replaceSync", JS, "16.4", "73"),
    Feature("view transitions", r"startViewTransition", JS, "18", "111"),
    Feature("the Navigation API", r"\bnavigation\.\w|\bURLPattern\b|URL\.(canParse|parse)\(", JS, "17", "120"),
)
HELPED = {
    (":has()", CSS): ("static/device.js", 'CSS.supports("selector(:has(a))")'),
    ("overflow-wrap: anywhere", CSS): ("static/tokens.css", "@supports not (overflow-wrap: anywhere)"),
}
"""Features that may be used anywhere, since one fallback helps all browsers that lack them."""
GUARDED = {
    ("dynamic viewports", CSS, "tokens.css"): "@supports (height: 100dvh)",
    ("dialog", HTML, "document.html"): '<dialog id="ask" hidden',
    ("dialog", JS, "announce.js"): '"showModal" in document.getElementById("ask")',
    ("dialog", JS, "ask.js"): "if (!sheet().showModal) return location.assign",
    ("inert", JS, "sheet.js"): "tabIndex = -1",
    ("SharedWorker", JS, "event_source.js"): '"SharedWorker" in window',
    ("submitter", JS, "live.js"): '"submitter" in event',
    ("wakeLock", JS, "wake_lock.js"): '"wakeLock" in navigator',
    ("userActivation", JS, "sound.js"): "navigator.userActivation?.",
    ("vibrate", JS, "sound.js"): "navigator.vibrate?.",
    ("vibrate", JS, "preferences.js"): '"vibrate" in navigator',
}
"""Features that one file may use, since it has a fallback of its own."""
HARMLESS = {
    ("text-wrap", CSS): "lines end where they end",
    ("accent-color", CSS): "a tick is blue",
    ("contain", CSS): "each of them has a height of its own where it matters",
    (":focus-visible", CSS): "the browser draws its own ring around what has the focus",
    ("scrollbars", CSS): "scrollbars look as the browser draws them",
}
"""Features whose absence does no harm."""


def files() -> list[Path]:
    """Return the files that a browser gets: styles, scripts, and the templates of pages."""
    return [path for kind in (CSS, JS, HTML) for path in sorted(WEB.rglob(f"*{kind}"))]


def bare(path: Path) -> str:
    """Return *path* without comments."""
    return COMMENTS[path.suffix].sub("", path.read_text(encoding="utf-8"))


def test_an_old_tablet_lacks_nothing_that_pages_need() -> None:
    """Safari 15.0 and Chrome 90: features that they lack are not used, have a fallback, or are harmless."""
    bearable = HELPED.keys() | HARMLESS.keys()
    found = [
        f"{path.relative_to(WEB)}: {one.name} (Safari {one.safari}, Chrome {one.chrome}): {hit[0].strip()}"
        for path in files()
        for text in [bare(path)]
        for one in FEATURES
        if one.within == path.suffix and (one.name, one.within) not in bearable
        if (one.name, one.within, path.name) not in GUARDED
        for hit in re.finditer(one.pattern, text, re.MULTILINE)
    ]

    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(("where", "aid"), HELPED.values(), ids=[name for name, _ in HELPED])
def test_who_lacks_it_is_helped(where: str, aid: str) -> None:
    """Safari 15.0 and Chrome 90: each fallback exists in its file."""
    assert aid in bare(WEB / where)


@pytest.mark.parametrize(("name", "guard"), [(key[2], guard) for key, guard in GUARDED.items()])
def test_who_uses_it_has_asked_first(name: str, guard: str) -> None:
    """Safari 15.0 and Chrome 90: a file that uses a feature they lack checks for it."""
    (path,) = WEB.rglob(name)

    assert guard in bare(path)


def test_hyphens_are_asked_for_by_both_names() -> None:
    """Safari before 17: each `hyphens` is accompanied by the same `-webkit-hyphens`."""
    for path in WEB.rglob("*.css"):
        text = bare(path)
        plain = re.findall(r"[\s{;]hyphens:\s*(\w+)", text)

        assert plain == re.findall(r"-webkit-hyphens:\s*(\w+)", text), path


def test_every_feature_is_told_apart_once() -> None:
    """The table has each feature once for each kind of file, and every exception is in the table."""
    names = [(one.name, one.within) for one in FEATURES]

    assert len(names) == len(set(names))
    assert {*HELPED, *HARMLESS, *((name, within) for name, within, _ in GUARDED)} <= set(names)

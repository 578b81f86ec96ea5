"""A replay as a file: one HTML page with all steps of a game, which works without a server or a network.

The steps are stored as differences. The markup is cut into pieces, most of which occur in many steps. Each step lists
its changes to the previous step. All of this is compressed. A script in the page assembles a step. Of
the styles and icons, only those that the page uses are included.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from flask import current_app, render_template

from companion.kernel.errors import Refused
from companion.session.hidden import SeenTimeline
from companion.session.timeline import Route
from web.components.replay_steps import part_of
from web.http.i18n import _
from web.pages.replay_stage import ReplayStage, names_of, stage_of
from web.request.apart import at_step
from web.request.context import services

LARGEST = 300_000
"""Largest file in bytes, small enough for any messenger."""
STYLES = ("/static/tokens.css", "/static/frame.css", "/static/replay.css")
SCRIPT = "/static/replay_file.js"
_PLACE = re.compile("<!--(styles|pictures|script)-->")
_TAG = re.compile(r"(?=<[a-z])")
_BLANKS = re.compile(r"\s+")
_BETWEEN_TAGS = re.compile(r"> <(?=/|li|div|section|ol|ul|header|p[ >])")


def replay_file(timeline: SeenTimeline) -> str:
    """Return the page, or raise `Refused` for a game that is too long."""
    route = timeline.route()
    stages, markup = [], []
    for done, step in enumerate(route.steps):
        at_step(done, len(route.steps))
        stages.append(stage_of(timeline, route, step))
        markup.append(_tidied(render_template("replay_step.html", stage=stages[-1])))
    texts = [_sentence_of(stage) for stage in stages]
    cover = services().covers.get(timeline.game.name)
    page = render_template(
        "replay_file.html",
        names=names_of(timeline),
        title=timeline.game.name if cover is None else cover.title,
        first=markup[-1],
        last=len(stages) - 1,
        told=texts,
        stage=stages[-1],
        packed=_packed({**_steps(markup), **_marks(timeline, route)}),
    )
    return _dressed(page, markup, stages[-1].big.styles)


def _tidied(text: str) -> str:
    return _BETWEEN_TAGS.sub("><", _BLANKS.sub(" ", text))


def _sentence_of(stage: ReplayStage) -> str:
    return _("The game begins.") if stage.row is None else stage.row.moment.sentence


def _steps(markup: Iterable[str]) -> dict[str, Any]:
    """Return the pieces, and the changes of each step: start, number of pieces to replace, and the new pieces."""
    known: dict[str, int] = {}
    steps: list[list[Any]] = []
    before: list[int] = []
    for text in markup:
        now = [known.setdefault(piece, len(known)) for piece in _TAG.split(text)]
        steps.append(list(_changes(before, now)))
        before = now
    return {"pieces": list(known), "steps": steps}


def _changes(before: Sequence[int], now: Sequence[int]) -> Iterator[Any]:
    for same, start, end, first, last in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if same != "equal":
            yield [start, end - start, *now[first:last]]


def _marks(timeline: SeenTimeline, route: Route) -> dict[str, Any]:
    at = {step: place for place, step in enumerate(route.steps)}
    parts = [[at[step], part_of(timeline, timeline.at(step).before)] for step in route.parts]
    return {"draws": [at[step] for step in route.draws], "parts": parts}


def _packed(facts: dict[str, Any]) -> str:
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(packing.compress(text) + packing.flush()).decode()


def _dressed(page: str, markup: Sequence[str], styles: Iterable[str]) -> str:
    """Return *page* with only the styles and icons that it and its steps use."""
    everything = page + "".join(dict.fromkeys(piece for text in markup for piece in _TAG.split(text)))
    css = worn("".join(map(_read, (*STYLES, *styles))), everything)
    pictures = shown(render_template("drawn.html", icons_too=True), everything)
    put = {"styles": f"<style>{css}</style>", "pictures": pictures, "script": f"<script>{_read(SCRIPT)}</script>"}
    whole = _PLACE.sub(lambda place: put[place[1]], page)
    if len(whole.encode()) > LARGEST:
        raise Refused(_("This game is too long to be taken along as one page."))
    return whole


def _read(address: str) -> str:
    """Return the text of one of our static files, by its URL."""
    parts = address.removeprefix("/static/").split("/")
    blueprint = current_app.blueprints[parts[0]] if len(parts) > 1 else current_app
    assert blueprint.static_folder is not None, "a file is on a shelf"
    text = (Path(blueprint.static_folder) / parts[-1]).read_text(encoding="utf-8")
    return re.sub(r"\n[ \t]+", "\n", text)


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
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
